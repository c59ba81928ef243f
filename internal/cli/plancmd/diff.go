package plancmd

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/store"
)

// diffOptions are the command line of `git ralph diff`.
type diffOptions struct {
	before   string // a revision
	after    string // a revision; "" is the worktree
	format   cmdline.Format
	exitCode bool
}

func NewDiff(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what changed in the plan",
		ArgsUsage: "[REV [REV] | REV..REV]",
		Description: `Shows what differs between two plans, task by task, and texts word by word: between
the last commit and the worktree, between a revision and the worktree, or
between two revisions. Deleted words are in [-…-] and new ones in {+…+}, on a
terminal in colour.

The order of lines and the spelling of JSON carry no meaning; where only they
differ, one line says so. The output is text in a pipe too; --json makes it JSON:
{"before", "after", "changes": [{"change", "t", "id", "name", "before", "after",
"fields": [{"field", "before", "after", "words": [{"op", "text"}]}]}],
"reordered", "respelled"}.

EXIT STATUS
  0  done, whether the plans differ or not
  1  failed; or, with --exit-code, the plans differ or the worktree's file is missing
  2  the command line is wrong
  5  one of the plans is not valid

EXAMPLES
  git ralph diff
  git ralph diff main
  git ralph diff v1.0..HEAD --json`,
		Flags:        append(cmdline.TextFormatFlags(), &cli.BoolFlag{Name: "exit-code", Usage: "exit with 1 where the plans differ"}),
		BashComplete: cmdline.CompletesArgs(cmdline.Revisions),
		Action:       cmdline.Action(env, parseDiff, diffOptions.run),
	}
}

func parseDiff(c *cli.Context) (diffOptions, error) {
	o := diffOptions{format: cmdline.FormatFrom(c), exitCode: c.Bool("exit-code")}
	var ok bool
	o.before, o.after, ok = revisions(c.Args().Slice())
	if !ok {
		return o, cmdline.Usage(c, "invalid revisions: want none, REV, REV REV or REV..REV")
	}
	return o, nil
}

// revisions reads the arguments of diff as git does: an empty side of ".." is HEAD, and a missing second revision
// is the worktree.
func revisions(args []string) (before, after string, ok bool) {
	switch len(args) {
	case 0:
		return "HEAD", "", true
	case 2:
		return args[0], args[1], !strings.Contains(args[0]+" "+args[1], "..")
	case 1:
		if a, b, isRange := strings.Cut(args[0], ".."); isRange {
			return orHead(a), orHead(b), !strings.HasPrefix(b, ".")
		}
		return args[0], "", true
	}
	return "", "", false
}

func orHead(rev string) string {
	if rev == "" {
		return "HEAD"
	}
	return rev
}

func (o diffOptions) run(ctx context.Context, env *term.Env) error {
	s, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	before, err := sideOf(ctx, env, s, o.before)
	if err != nil {
		return err
	}
	after, err := sideOf(ctx, env, s, o.after)
	if err != nil {
		return err
	}
	d := plandiff.Compare(before.Plan, after.Plan)
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) { planprint.WriteDiffJSON(w, before.File, after.File, d) })
	} else {
		env.Page(ctx, func(env *term.Env) { planprint.DiffPrinter{Env: env}.Print(d) })
	}
	if o.exitCode && (!d.Empty() || after.Missing) {
		return cmdline.StatusError(cmdline.ExitFailed)
	}
	return nil
}

// sideOf reads one of the two plans. Before the first commit HEAD has an empty
// one.
func sideOf(ctx context.Context, e *term.Env, s *store.Store, rev string) (store.Snapshot, error) {
	snap, err := readSide(ctx, e, s, rev)
	if err == nil && !snap.Problems.Readable() {
		err = &plan.InvalidError{File: snap.File, Problems: snap.Problems}
	}
	return snap, err
}

func readSide(ctx context.Context, e *term.Env, s *store.Store, rev string) (store.Snapshot, error) {
	if rev == "" {
		return planio.ViewPlan(ctx, e, s)
	}
	snap, err := s.At(ctx, rev)
	if rev == "HEAD" && errors.Is(err, git.ErrBadRevision) {
		return store.Snapshot{Plan: &plan.Plan{}, File: rev + ":" + s.PlanPath()}, nil
	}
	return snap, err
}
