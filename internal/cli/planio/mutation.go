package planio

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/install"
	"git-ralph/internal/journal"
	"git-ralph/internal/mask"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// A Mutation holds the options that all commands which change the plan have in common.
type Mutation struct {
	DryRun   bool
	NoCommit bool
	Format   cmdline.Format
	Force    bool // even where somebody else has claimed the task
	full     bool
	claim    string // the token of --claim

	respectsClaims bool // the command has the flags of ClaimedFlags

	Installs bool // the command registers the merge driver too
	SetsSpec bool // the command sets a spec, which may have no tasks yet

	Finish func(*store.Result) // called before the new state is printed
	Undone *Undone             // what `undo` or `redo` did; nil for other commands
}

// MutationFlags adds a mutation's flags to a command's own.
func MutationFlags(own ...cli.Flag) []cli.Flag {
	own = append(own,
		&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
		&cli.BoolFlag{Name: "no-commit", Usage: "write the plan file and do not commit it"},
		&cli.BoolFlag{Name: "full", Usage: "print the whole state too, as query does"},
	)
	return append(own, cmdline.FormatFlags()...)
}

// MutationFrom reads the flags of MutationFlags.
func MutationFrom(c *cli.Context) Mutation {
	m := Mutation{
		DryRun: c.Bool("dry-run"), NoCommit: c.Bool("no-commit"), Format: cmdline.FormatFrom(c), full: c.Bool("full"), Force: c.Bool("force"),
		respectsClaims: slices.ContainsFunc(c.Command.Flags, isClaimToken),
	}
	if m.respectsClaims {
		m.claim = c.String("claim")
	}
	return m
}

// isClaimToken reports whether a flag is the one of ClaimedFlags that has a claim's token.
func isClaimToken(f cli.Flag) bool {
	_, isSwitch := f.(*cli.BoolFlag)
	return f.Names()[0] == "claim" && !isSwitch
}

// Change is what a mutation does to a plan; see store.Request.
type Change func(p *plan.Plan, in store.Inputs) (plan.Change, error)

// Run opens the plan, changes it and prints the new state.
func (m Mutation) Run(ctx context.Context, env *term.Env, do Change) error {
	st, err := Open(ctx, env)
	if err != nil {
		return err
	}
	return m.Update(ctx, env, st, store.Request{Do: do})
}

// Update runs a request on an open plan and prints the new state.
func (m Mutation) Update(ctx context.Context, env *term.Env, st *store.Store, r store.Request) error {
	r.DryRun, r.NoCommit = m.DryRun, m.NoCommit
	guard, err := m.guardClaims(ctx, env, st)
	if err != nil {
		return err
	}
	result, err := guard.update(ctx, func(ctx context.Context, r store.Request) (store.Result, error) {
		return Transact(ctx, env, st, r)
	}, r)
	if err != nil {
		return err
	}
	if result.OwnEdits && result.Committed {
		env.Warn("your own changes of " + st.PlanPath() + " went into the commit too: " + store.ListNames(result.Edits.Records))
	}
	if result.Reinstated {
		env.Warn("a committed change of " + st.PlanPath() + " was lost to a git command that ran at the same time; it is back")
	}
	if result.Committed && result.Branch == "" {
		env.Warn("HEAD is detached: the commit is on no branch")
	}
	if m.Finish != nil {
		m.Finish(&result)
	}
	if result.Merged != nil {
		warnOfMerge(env, *result.Merged)
	}
	if !m.Installs {
		WarnOfInstall(ctx, env, st)
	}
	m.print(ctx, env, st, result)
	return nil
}

// WarnOfInstall warns where git would merge plans as text, because nothing is installed in this clone.
func WarnOfInstall(ctx context.Context, e *term.Env, st *store.Store) {
	config, err := st.Repo().Config(ctx)
	if err != nil {
		return // it is reported where it matters
	}
	if wanted, err := config.Bool("ralph.warnInstall", true); err == nil && wanted && install.LacksDriver(st.Repo(), config, st.PlanPath()) {
		e.Warn("git merges plans as text in this clone until `git ralph install`")
	}
}

// warnOfMerge warns of the conflicts that a merge recorded, and of the values that it discarded.
func warnOfMerge(e *term.Env, m merge.Result) {
	for _, c := range m.Conflicts {
		e.Warn(c.String())
	}
	for _, l := range m.Discarded {
		e.Warn(l.String())
	}
}

// Transact recovers the previous run and runs a request. Within a run, what an agent writes is masked, and it cannot
// close the issues that only a person may close.
func Transact(ctx context.Context, e *term.Env, st *store.Store, r store.Request) (result store.Result, err error) {
	if e.Getenv(journal.RunVariable) != "" {
		masker := mask.NewFull()
		r.Clean, r.StagedMessage = masker.Object, masker.Text(r.StagedMessage)
		r.Do = refusePersonIssues(r.Do)
	}
	if !r.DryRun {
		RecoverPreviousRun(e, st)
	}
	err = e.UntilSignal(ctx, func(ctx context.Context) error {
		result, err = st.Update(ctx, r)
		return err
	})
	switch {
	case err != nil || r.DryRun:
	case result.Committed:
		e.Changed = "committed (" + Shortened(result.Commit) + ")"
	case !result.Change.Empty():
		e.Changed = "written, and not committed"
	}
	return result, err
}

// refusePersonIssues returns a change that fails where it closes an issue that only a person may close, or lets others close it.
func refusePersonIssues(do Change) Change {
	return func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		before := p.IssuesForPerson()
		c, err := do(p, in)
		if err == nil {
			err = p.CheckIssuesForPerson(before)
		}
		return c, err
	}
}
