package agentcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/workplanview"
	"git-ralph/internal/git"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplanloop"
)

// loopStart are the command line of `git ralph workplan loop start`.
type loopStart struct {
	file    string // as it was named
	max     int
	session string
	json    bool
}

func newLoopStart(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "start", Usage: "start the loop of this session", ArgsUsage: "FILE",
		Description: `Prints the state of the workplan and the first prompt. From then on the session does
not stop before the file says that the workplan is done, the iterations are used up,
three of them changed nothing, or the loop is stopped.

The session is the one of --session, or of the agent's environment. An agent that
names none has git ralph workplan run.

EXIT STATUS
  0  the loop is active, or the workplan is done already
  1  there is no such file, it is paused, or the session is unknown
  2  the command line is wrong, or the file is no valid workplan

EXAMPLES
  git ralph workplan loop start workplans/WP-0001-parser.md --max-iterations 15`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "max-iterations", Usage: "end after `N` iterations", Value: workplanloop.DefaultMax},
			sessionFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(cmdline.Files)),
		Action: cmdline.Action(env, func(c *cli.Context) (loopStart, error) {
			o := loopStart{file: c.Args().First(), max: c.Int("max-iterations"), session: sessionID(env, c.String("session")), json: c.Bool("json")}
			if o.file == "" {
				return o, cmdline.Usage(c, "loop start takes the file of a workplan")
			}
			return o, nil
		}, loopStart.run),
	}
}

// errNoSession: nothing names the session, so no stop could be answered.
var errNoSession = &cmdline.HintedError{
	Err:  errors.New("the session is unknown: want --session ID"),
	Hint: "`git ralph workplan run FILE` works without a session",
}

func (o loopStart) run(ctx context.Context, env *term.Env) error {
	file := filepath.Clean(env.Path(o.file))
	seen, err := workplanview.Look(ctx, env, nil, file)
	outside := errors.Is(err, git.ErrNotRepository) // where one that is done or invalid is reported all the same
	switch {
	case err != nil && (!outside || seen.Plan == nil && seen.Invalid == nil):
		return err
	case seen.Gone:
		return o.say(env, cmdline.ExitFailed, "not found", fmt.Sprintf("❌ Workplan file not found: %s", o.file))
	case o.max < 1:
		return &cmdline.UsageError{Text: fmt.Sprintf("invalid number %d for --max-iterations: want 1 or more", o.max), Command: "git ralph workplan loop start"}
	case seen.Plan == nil:
		env.Say("error", term.PrintableLines(seen.Invalid.Error()))
		return cmdline.StatusError(cmdline.ExitUsage)
	case seen.Plan.Done():
		return o.say(env, cmdline.ExitDone, "done", fmt.Sprintf("✅ Workplan %s ('%s') is already done — all tasks complete. Nothing to do. No ralph loop started.", seen.Plan.ID, seen.Plan.Title))
	case seen.Plan.Status == workplan.Paused:
		return fmt.Errorf("the workplan %s is paused: set its status to active", term.Printable(seen.Plan.ID))
	case outside:
		return err
	}
	if err := checkPath(ctx, env, o.file); err != nil {
		return err
	}
	if o.session == "" {
		return errNoSession
	}
	return o.start(ctx, env, file, seen)
}

// checkPath refuses a path that the commands which the prompt names would refuse.
func checkPath(ctx context.Context, env *term.Env, file string) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	_, err = planio.WorkplanPath(st, file)
	return err
}

// start keeps the state of the loop between its two messages, and prints the first prompt.
func (o loopStart) start(ctx context.Context, env *term.Env, file string, seen workplanloop.Seen) error {
	sessions, err := openSessions(ctx, env)
	if err != nil {
		return err
	}
	l := workplanloop.Loop{
		Session: o.session, File: file, Max: o.max, Iteration: 1, Mark: seen.Mark, At: env.Now().UTC().Format(time.RFC3339),
	}
	c := seen.Plan.Counts()
	summary := fmt.Sprintf("📋 %s — %s Tasks: %d done, %d in progress, %d todo (%d total) Starting ralph loop (max %d iterations)...",
		seen.Plan.ID, seen.Plan.Title, c.Done, c.InProgress, c.Todo, c.Total, o.max)
	if !o.json {
		term.WriteLines(env, term.Printable(summary)+"\n") // one line, whatever the title is
	}
	if err := sessions.StartLoop(ctx, o.session, l.Text()); err != nil {
		return err
	}
	const active = "🔄 Ralph loop active. The loop will feed the workplan prompt back on every iteration. It retires when all tasks are done and the workplan status is updated to 'done' in the file."
	prompt := term.PrintableLines(l.Prompt(seen.Plan, seen.Hub))
	if o.json {
		o.sayJSON(env, "active", []string{summary, active}, prompt)
		return nil
	}
	term.WriteLines(env, active+"\n\n"+prompt)
	return nil
}

// say prints one message and returns the error of an exit code.
func (o loopStart) say(env *term.Env, code int, state, text string) error {
	if o.json {
		o.sayJSON(env, state, []string{text}, "")
	} else {
		term.WriteLines(env, term.Printable(text)+"\n")
	}
	if code == cmdline.ExitDone {
		return nil
	}
	return cmdline.StatusError(code)
}

func (o loopStart) sayJSON(env *term.Env, state string, messages []string, prompt string) {
	env.WriteJSON(func(w term.Sink) {
		out := term.Object{Sink: w}
		out.Str("state", state)
		out.List("messages", messages)
		out.StrOrNull("prompt", prompt)
		out.End()
	})
}
