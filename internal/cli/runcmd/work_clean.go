package runcmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/work"
)

// cleanOptions are the command line of work clean.
type cleanOptions struct {
	into   string
	dryRun bool
	format cmdline.Format
}

func newWorkClean(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "clean", Usage: "remove worktrees and branches of workers that have landed", Description: aboutWorkClean,
		Flags: append([]cli.Flag{
			cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "the target `BRANCH` (default: ralph.target, else the current branch)"}, cmdline.Revisions),
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would be removed, and remove nothing"},
		}, cmdline.FormatFlags()...),
		Action: func(c *cli.Context) error {
			return cleanOptions{c.String("into"), c.Bool("dry-run"), cmdline.FormatFrom(c)}.run(c.Context, env)
		},
	}
}

func (o cleanOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	into, err := planio.RequireTarget(ctx, st, o.into)
	if err != nil {
		return err
	}
	claims, err := planio.OpenAuthority(ctx, st)
	if err != nil {
		return err
	}
	var all []work.Left
	err = env.UntilSignal(ctx, func(ctx context.Context) (err error) {
		cleaner := work.Cleaner{Repo: st.Repo(), Claims: claims, OpenStore: openStoreOf(env), Into: into, DryRun: o.dryRun}
		all, err = cleaner.Clean(ctx)
		return err
	})
	if err != nil && len(all) == 0 {
		return err
	}
	o.print(env, all)
	return err
}

// print lists what was removed, and what stays.
func (o cleanOptions) print(env *term.Env, all []work.Left) {
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { o.write(w, all) })
		return
	}
	if len(all) == 0 {
		env.Hint("workers left nothing")
	}
	for _, left := range all {
		switch what := string(left.Kind) + " " + left.Name; {
		case left.Stays != "":
			env.Print("kept " + what + ": " + left.Stays)
		case o.dryRun && left.Kind == work.LeftWorktree:
			env.Print("would remove " + what + ", with the files in it that git ignores")
		case o.dryRun:
			env.Print("would remove " + what)
		default:
			env.Print("removed " + what)
		}
	}
}

// write writes {"removed": [{"kind", "name"}], "kept": [{"kind", "name", "reason"}]}.
func (o cleanOptions) write(w term.Sink, all []work.Left) {
	out := term.Object{Sink: w}
	out.Boolean("dry_run", o.dryRun)
	for _, name := range [...]string{"removed", "kept"} {
		var some []work.Left
		for _, left := range all {
			if (left.Stays != "") == (name == "kept") {
				some = append(some, left)
			}
		}
		out.Member(name)
		term.WriteArray(w, len(some), func(i int) {
			one := term.Object{Sink: w}
			one.Str("kind", string(some[i].Kind))
			one.Str("name", some[i].Name)
			if some[i].Stays != "" {
				one.Str("reason", some[i].Stays)
			}
			one.End()
		})
	}
	out.End()
}

const aboutWorkClean = `Removes worktrees of workers, and branches of their tasks, that are part of the target
branch, with the files in them that git ignores; with ralph.claims.remote, also such
branches there. Nothing else is removed: what has not landed, what has uncommitted
work, what contains another repository, what a claim names, and what a running worker
has, stays.

Where standard output is not a terminal it is JSON: {"removed": [{"kind", "name"}],
"kept": [{"kind", "name", "reason"}]}.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong

EXAMPLES
  git ralph work clean --dry-run
  git ralph work clean`
