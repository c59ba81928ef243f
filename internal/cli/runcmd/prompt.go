package runcmd

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

func NewPrompt(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "prompt", Usage: "show and change the prompts of agents", Description: aboutPrompt,
		Subcommands: []*cli.Command{
			newPromptSubcommand(env, "show", "print the prompt of a stage, with its placeholders", showPrompt),
			newPromptSubcommand(env, "render", "print the prompt of a stage as an agent would get it now", renderPrompt),
			newPromptSubcommand(env, "eject", "write built-in prompts to files of the repository, to edit them", ejectPrompts),
		},
	}
}

// A promptAction does something with the prompt of a stage; "" where none is named.
type promptAction func(ctx context.Context, env *term.Env, stage schedule.Stage) error

func newPromptSubcommand(env *term.Env, name, short string, do promptAction) *cli.Command {
	return &cli.Command{
		Name: name, Usage: short, ArgsUsage: "[STAGE]", Description: aboutPrompt,
		BashComplete: cmdline.CompletesArgs(cmdline.OneOf("plan", "build", "decompose", "verify", "investigate")),
		Action: func(c *cli.Context) error {
			stage := schedule.Stage(strings.ToUpper(c.Args().First()))
			if stage != "" && !slices.Contains(prompt.Stages(), stage) {
				return cmdline.Usage(c, "invalid stage %q: want plan, build, decompose, verify or investigate", c.Args().First())
			}
			return do(c.Context, env, stage)
		},
	}
}

// showPrompt prints one prompt, or lists where each comes from.
func showPrompt(ctx context.Context, env *term.Env, stage schedule.Stage) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	root := st.Repo().Root()
	if stage != "" {
		p, err := prompt.Load(root, stage)
		if err == nil {
			term.WriteLines(env, p.Text)
		}
		return err
	}
	var t term.Table
	for _, stage := range prompt.Stages() {
		p, err := prompt.Load(root, stage)
		if err != nil {
			return err
		}
		source := p.Source
		if source == "" {
			source = "built in"
		}
		t.Add(term.Cell{Text: strings.ToLower(string(stage)), Style: term.Strong}, term.Cell{Text: source, Style: term.PlainStyle})
	}
	t.Write(env)
	return nil
}

// renderPrompt prints a prompt with its placeholders filled in, by default that of the plan's stage.
func renderPrompt(ctx context.Context, env *term.Env, stage schedule.Stage) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	c, err := agentOptions{}.runner(ctx, env, st)
	if err != nil {
		return err
	}
	p, err := c.unstarted(env, loop.Goals{}).Render(ctx, stage)
	if err != nil {
		return err
	}
	if p.Why != "" {
		return nothingToRun(p.Why, p.Text, nil)
	}
	term.WriteLines(env, p.Prompt)
	return nil
}

// ejectPrompts writes the built-in prompt of a stage, or of all stages, to its file.
func ejectPrompts(ctx context.Context, env *term.Env, stage schedule.Stage) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if st.Repo().Bare() {
		return store.ErrBare
	}
	stages := prompt.Stages()
	if stage != "" {
		stages = []schedule.Stage{stage}
	}
	for _, stage := range stages {
		place, written, err := prompt.Eject(st.Repo().Root(), stage)
		if err != nil {
			return err
		}
		if written {
			env.Print("wrote " + place)
		} else {
			env.Warn(place + " exists and is kept")
		}
	}
	return nil
}

const aboutPrompt = `Each stage has a built-in prompt. Files of the repository replace them:
ralph/PROMPT_plan.md, PROMPT_build.md, PROMPT_decompose.md, PROMPT_verify.md and
PROMPT_investigate.md. eject writes the built-in prompt of a stage, or of all
stages, to its file; an existing file is kept.

A prompt contains placeholders such as {{task}}, listed in docs/loop.md. An unknown
placeholder is an error, reported before an agent is started. STAGE is plan, build,
decompose, verify or investigate.

EXIT STATUS
  0  done
  1  failed: no repository, or a prompt that cannot be used
  2  the command line is wrong
  3  there is nothing to do in the stage

EXAMPLES
  git ralph prompt show build
  git ralph prompt render
  git ralph prompt eject verify`
