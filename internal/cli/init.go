package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/git"
	"git-ralph/internal/install"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// formerPlan is the file that plans were kept in before.
const formerPlan = "IMPLEMENTATION_PLAN.md"

// initOptions say what a new plan begins with.
type initOptions struct {
	mutation
	spec      string
	noInstall bool
	yes       bool
}

func newInit(env *Env) *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "begin a plan in this repository",
		Description: `Makes the plan file, ralph/plan.jsonl unless ralph.plan names another place, and
commits it. A plan that is there stays as it is, so it is safe to run twice. No
terminal is needed.

Git merges and shows plans with git ralph from then on, as after git ralph install,
and .gitattributes, which does so for everybody, gets a commit of its own. --no-install
leaves both alone.

Agents are started only in a repository that a person has trusted. On a terminal
init lists what the repository has for them and asks; --yes trusts it unasked, as
git ralph trust --yes does.
` + mutationExits + `
EXAMPLES
  git ralph init
  git ralph init --spec coverage.md`,
		Flags: mutationFlags(
			&cli.StringFlag{Name: "spec", Usage: "the spec `FILE` to work on"},
			&cli.BoolFlag{Name: "no-install", Usage: "do not let git merge plans with git ralph"},
			yesFlag(),
		),
		Action: func(c *cli.Context) error {
			if err := atMost(c, 0); err != nil {
				return err
			}
			if c.IsSet("spec") && c.String("spec") == "" {
				return usage(c, "flag --spec needs a value")
			}
			return initOptions{mutationFrom(c), c.String("spec"), c.Bool("no-install"), c.Bool("yes")}.run(c.Context, env)
		},
	}
}

func (o initOptions) run(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	if st.Repo().Bare() {
		return store.ErrBare
	}
	if o.spec != "" {
		if o.spec, err = st.SpecGiven(o.spec); err != nil {
			return err
		}
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	o.installs = !o.noInstall
	o.finish = func(r *store.Result) {
		if o.noInstall || o.dryRun {
			return
		}
		if commit := o.register(ctx, env, st); commit != "" && !r.Committed {
			r.Committed, r.Commit, r.Reason = true, commit, ""
		}
	}
	if err := o.update(ctx, env, st, store.Request{Do: o.begin(snap.Exists), Subject: o.subject(st, snap)}); err != nil {
		return err
	}
	env.warnOfSpec(st, o.spec)
	if v, err := (source{}).view(ctx, env); err == nil {
		env.hintNotPlanned(ctx, v.state())
	}
	o.pointOut(env, st)
	switch {
	case o.dryRun:
	case !snap.Exists:
		return o.trustNew(ctx, env, st)
	case o.yes:
		env.hint("the plan was there before, so nothing was trusted; `git ralph trust` does it")
	}
	return nil
}

// register tells git what the plan is, and returns the commit of .gitattributes,
// if there is one. The plan is there already, so a failure is no more than a
// warning.
func (o initOptions) register(ctx context.Context, env *Env, st *store.Store) (commit string) {
	request, err := installOptions{scope: git.ScopeLocal, noHooks: true}.requestIn(ctx, st.Repo(), st.PlanPath())
	var changes []install.Change
	if err == nil {
		changes, err = env.settle(ctx, request, install.Install)
	}
	if err != nil {
		env.warn("git does not merge plans with git ralph yet: " + err.Error())
		env.hint("`git ralph install` sets it up")
		return ""
	}
	if len(changes) > 0 && !o.format.json(env) {
		env.print("git merges plans with git ralph in this repository now; `git ralph uninstall` takes that back")
	}
	err = env.shield(ctx, func(ctx context.Context) error {
		commit, err = o.declare(ctx, env, st)
		return err
	})
	if err != nil {
		env.warn("the plan is not in .gitattributes yet: " + err.Error())
		if unread, ok := errors.AsType[*install.UnreadError](err); ok {
			env.hint(unread.Hint())
			return ""
		}
		env.hint("`git ralph install --attributes` adds `" + install.AttributesLine(st.PlanPath()) + "`, for you to commit")
	}
	return commit
}

// declare commits .gitattributes with our lines in it, unless it tells what the
// plan is already, and returns the commit.
func (o initOptions) declare(ctx context.Context, env *Env, st *store.Store) (commit string, err error) {
	if install.Declared(st.Repo(), st.PlanPath()) {
		return "", nil
	}
	item, err := install.Attributes(st.Repo(), st.PlanPath())
	if err != nil {
		return "", err
	}
	result, err := st.UpdateFile(ctx, store.SideFile{
		Path: install.AttributesName, Subject: "merge " + st.PlanPath() + " with git ralph", NoCommit: o.noCommit,
		Edit: func(text string, exists bool) string { return item.Fix(text, !exists, 0) },
	})
	if result.Changed && result.Commit == "" {
		env.hint("commit .gitattributes, so that everybody merges plans this way")
	}
	return result.Commit, err
}

// begin sets the spec. A plan without one is begun by an event that changes no
// record, where there is no file yet.
func (o initOptions) begin(exists bool) change {
	return func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		if o.spec != "" {
			return p.SetSpec(o.spec)
		}
		if exists {
			return plan.Change{}, nil
		}
		return plan.Change{Events: []plan.Event{{Name: plan.EventUpdated, Title: "began the plan"}}}, nil
	}
}

func (o initOptions) subject(st *store.Store, snap store.Snapshot) string {
	switch {
	case snap.Exists:
		return ""
	case o.spec != "":
		return "begin " + st.PlanPath() + " for " + o.spec
	}
	return "begin " + st.PlanPath()
}

// pointOut tells of a plan that was kept in another way. It is the user's.
func (o initOptions) pointOut(env *Env, st *store.Store) {
	if _, err := os.Lstat(filepath.Join(st.Repo().Root(), formerPlan)); err == nil {
		env.warn(formerPlan + " is not used any more: the plan is " + st.PlanPath())
	}
}
