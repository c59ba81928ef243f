package landcmd

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/land"
	"git-ralph/internal/store"
)

// NewLand makes the command.
func NewLand(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "land", Usage: "make finished branches part of the target branch", ArgsUsage: "[BRANCH…]", Description: aboutLand,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "land every branch that a claim says is finished"},
			cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "the target `BRANCH` (default: ralph.target, else the current branch)"}, cmdline.Revisions),
			&cli.StringFlag{Name: "check", Usage: "publish only what this `COMMAND` line passes on, run by sh (default: ralph.land.check)"},
			&cli.IntFlag{Name: "batch", Value: land.DefaultBatch, Usage: "check and publish at most `N` branches together"},
			&cli.BoolFlag{Name: "push", Usage: "push the target to its upstream afterwards"},
			&cli.BoolFlag{Name: "squash", Usage: "make a commit with one parent, not a merge"},
			&cli.BoolFlag{Name: "rebase", Usage: "make the branches' commits again, in a line, not a merge"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would land, and change nothing"},
		}, cmdline.FormatFlags()...),
		BashComplete: cmdline.CompletesArgs(cmdline.Revisions),
		Action: func(c *cli.Context) error {
			o := landOptions{
				Options: land.Options{
					Branches: c.Args().Slice(), All: c.Bool("all"), Check: c.String("check"), Batch: c.Int("batch"), Push: c.Bool("push"),
					Squash: c.Bool("squash"), Rebase: c.Bool("rebase"), DryRun: c.Bool("dry-run"), Into: c.String("into"),
				},
				format: cmdline.FormatFrom(c),
			}
			switch {
			case !o.All && len(o.Branches) == 0:
				return cmdline.Usage(c, "which branches? name them, or give --all")
			case o.Squash && o.Rebase:
				return cmdline.Usage(c, "--squash and --rebase both say how to land")
			case o.Batch < 1:
				return cmdline.Usage(c, "invalid number %d for --batch: want 1 or more", o.Batch)
			}
			return o.run(c.Context, env)
		},
	}
}

// landOptions are the command line of `git ralph land`.
type landOptions struct {
	land.Options
	format cmdline.Format
}

func (o landOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if o.Options, err = o.complete(ctx, env, st); err != nil {
		return err
	}
	claims, err := planio.OpenClaims(ctx, env, st, "")
	if err != nil {
		return err
	}
	o.Owns = claims.Tokens.Owns
	var result land.Result
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		result, err = land.Run(ctx, st, claims.Claims, o.Options)
		return err
	})
	if err == nil || len(result.Branches) > 0 {
		o.print(env, result)
	}
	if err != nil {
		return withHint(err)
	}
	return o.ending(result)
}

// complete fills in what the configuration says.
func (o landOptions) complete(ctx context.Context, env *term.Env, st *store.Store) (land.Options, error) {
	done := o.Options
	var err error
	if done.Into, err = planio.TargetBranch(ctx, st, o.Into); err != nil {
		return done, err
	}
	if done.Into == "" {
		return done, errNoTarget
	}
	if done.Integration, err = planio.Integration(ctx, st); err != nil {
		return done, err
	}
	if err := done.Configure(ctx, st); err != nil {
		return done, err
	}
	done.Holder = authority.Holder{By: commit.AuthorAddress(ctx, st.Repo()), Role: "integrator", Into: done.Into, Lease: claim.MaxLease}
	done.Warn = env.Warn
	done.Report = func(text string) {
		if env.Terminal {
			env.OnErr().Print(term.Printable(text))
		}
	}
	return done, nil
}

// errNoTarget: it is not known where to land.
var errNoTarget = errors.New("HEAD is detached: there is no target branch; name one with --into")

// withHint says what can be done.
func withHint(err error) error {
	var hint string
	switch {
	case errors.Is(err, commit.ErrInTheWay):
		hint = "commit or stash these changes, then land again; nothing was changed"
	case errors.Is(err, land.ErrPush):
		hint = "`git pull`, then `git push`"
	default:
		return err
	}
	return &cmdline.HintedError{Err: err, Hint: hint}
}

// ending returns the exit status: whether all branches landed. With --all, others land branches that are named here too: who
// finds such a branch landed has what was wanted.
func (o landOptions) ending(r land.Result) error {
	status := cmdline.ExitNothing
	if r.Pushed || len(r.Commits) > 0 { // what an earlier landing could not push, or was killed before
		status = cmdline.ExitDone
	}
	for _, b := range r.Branches {
		switch b.Outcome {
		case land.Landed:
			status = min(status, cmdline.ExitDone)
		case land.Contained:
			if o.All && len(o.Branches) > 0 {
				status = cmdline.ExitDone
			}
		case land.Claimed:
			return cmdline.StatusError(cmdline.ExitLocked)
		case land.InvalidPlan:
			return cmdline.StatusError(cmdline.ExitInvalid)
		default:
			return cmdline.StatusError(cmdline.ExitFailed)
		}
	}
	if status == cmdline.ExitDone {
		return nil
	}
	return cmdline.StatusError(status)
}

const aboutLand = `Merges branches into the target, the oldest finished work first, without touching
your worktree: each branch is merged onto those before it, and all of them become
one commit; with --rebase, their commits are made again, in a line. A branch with a
conflict is left out, and so is one with a task that somebody else has claimed, or
that the target does not show as pending any more.
Plans merge by their own rules, installed or not.

With a check (--check, or ralph.land.check in git's configuration; never from the
repository's files) what is published is exactly a commit whose tree passed it, in a
clean worktree. Where it fails, the branches are halved until the one is found that
makes it fail; the others land.

Where claims are used, the target and the claims of all its tasks change in one
transaction. --all lands every branch that a claim names as finished, beside those that
are named; over a remote, clones that do so take turns. A branch with a conflict
goes back to its worker, with the paths (ralph.land.attempts: twice at most; then the
task is set aside); a task whose branch fails the check is rejected.

If the target is checked out, its worktree follows as in git merge --ff-only. Changes
of yours stay; where the landing would overwrite them, nothing lands.

EXIT STATUS
  0  every branch has landed; for branches named beside --all also by another landing
  1  failed, or a branch did not land
  2  the command line is wrong
  3  there was nothing to land
  4  somebody else has claimed a task of a branch, or has a worktree locked
  5  a branch's plan is not valid

EXAMPLES
  git ralph land feature/x
  git ralph land feature/x --into main --check 'make test'
  git ralph land --all --push
  git config ralph.land.check 'make test'`
