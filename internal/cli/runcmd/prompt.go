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
	"git-ralph/internal/store"
)

func NewPrompt(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "prompt", Usage: "show and change the prompts of agents", Description: aboutPrompt,
		Subcommands: []*cli.Command{
			newPromptSubcommand(env, "show", "print a prompt, with its placeholders", showPrompt),
			newPromptSubcommand(env, "render", "print a prompt as an agent would get it now", renderPrompt),
			newPromptSubcommand(env, "eject", "write built-in prompts to files of the repository, to edit them", ejectPrompts),
		},
	}
}

// A promptAction does something with a prompt; "" where none is named.
type promptAction func(ctx context.Context, env *term.Env, name prompt.Name) error

func newPromptSubcommand(env *term.Env, name, short string, do promptAction) *cli.Command {
	return &cli.Command{
		Name: name, Usage: short, ArgsUsage: "[NAME]", Description: aboutPrompt,
		BashComplete: cmdline.CompletesArgs(cmdline.OneOf(promptNames()...)),
		Action: func(c *cli.Context) error {
			name := prompt.Name(strings.ToLower(c.Args().First()))
			if name != "" && !slices.Contains(prompt.Names(), name) {
				return cmdline.Usage(c, "invalid prompt %q: want one of %s", c.Args().First(), strings.Join(promptNames(), ", "))
			}
			return do(c.Context, env, name)
		},
	}
}

func promptNames() []string {
	var names []string
	for _, name := range prompt.Names() {
		names = append(names, string(name))
	}
	return names
}

// showPrompt prints one prompt, or lists where each comes from.
func showPrompt(ctx context.Context, env *term.Env, name prompt.Name) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	root := st.Repo().Root()
	if name != "" {
		p, err := prompt.Load(root, name)
		if err == nil {
			term.WriteLines(env, p.Text)
		}
		return err
	}
	var t term.Table
	for _, name := range prompt.Names() {
		p, err := prompt.Load(root, name)
		if err != nil {
			return err
		}
		source := p.Source
		if source == "" {
			source = "built in"
		}
		t.Add(term.Cell{Text: string(name), Style: term.Strong}, term.Cell{Text: source, Style: term.PlainStyle})
	}
	t.Write(env)
	return nil
}

// renderPrompt prints a prompt with its placeholders filled in, by default that of the plan's stage.
func renderPrompt(ctx context.Context, env *term.Env, name prompt.Name) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	c, err := agentOptions{}.runner(ctx, env, st)
	if err != nil {
		return err
	}
	p, err := c.unstarted(env, loop.Goals{}).Render(ctx, name)
	if err != nil {
		return err
	}
	if p.Why != "" {
		return nothingToRun(p.Why, p.Text, nil)
	}
	term.WriteLines(env, p.Prompt)
	return nil
}

// ejectPrompts writes a built-in prompt, or all of them, to its file.
func ejectPrompts(ctx context.Context, env *term.Env, name prompt.Name) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if st.Repo().Bare() {
		return store.ErrBare
	}
	names := prompt.Names()
	if name != "" {
		names = []prompt.Name{name}
	}
	for _, name := range names {
		place, written, err := prompt.Eject(st.Repo().Root(), name)
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

const aboutPrompt = `Each stage has a built-in prompt: plan, build, decompose, verify and investigate. So
does each step of the items of the pipeline that an agent does in BUILD: triage, split,
research, item_plan, review and implement. Files of the repository replace them:
ralph/PROMPT_plan.md, PROMPT_research.md and so on. eject writes a built-in prompt, or
all of them, to its file; an existing file is kept.

A prompt contains placeholders such as {{task}}, listed in docs/loop.md. An unknown
placeholder is an error, reported before an agent is started.

EXIT STATUS
  0  done
  1  failed: no repository, or a prompt that cannot be used
  2  the command line is wrong
  3  there is nothing to do that the prompt is for

EXAMPLES
  git ralph prompt show build
  git ralph prompt render
  git ralph prompt eject verify`
