package setupcmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/trustprompt"
	"git-ralph/internal/git/config"
	"git-ralph/internal/install"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// formerPlan is the file that held plans before git ralph.
const formerPlan = "IMPLEMENTATION_PLAN.md"

// initOptions are the command line of `git ralph init`.
type initOptions struct {
	planio.Mutation
	spec      string
	noInstall bool
	yes       bool
}

func NewInit(env *term.Env) *cli.Command {
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
` + planio.MutationExits + `
EXAMPLES
  git ralph init
  git ralph init --spec coverage.md`,
		Flags: planio.MutationFlags(
			cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "the spec `FILE` to work on"}, planio.Specs),
			&cli.BoolFlag{Name: "no-install", Usage: "do not let git merge plans with git ralph"},
			cmdline.YesFlag(),
		),
		Action: func(c *cli.Context) error {
			return initOptions{planio.MutationFrom(c), c.String("spec"), c.Bool("no-install"), c.Bool("yes")}.run(c.Context, env)
		},
	}
}

func (o initOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	if st.Repo().Bare() {
		return store.ErrBare
	}
	if o.spec != "" {
		if o.spec, err = st.SpecFromInput(o.spec); err != nil {
			return err
		}
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	o.Installs, o.SetsSpec = !o.noInstall, true
	o.Finish = func(r *store.Result) {
		if o.noInstall || o.DryRun {
			return
		}
		if commit := o.register(ctx, env, st); commit != "" && !r.Committed {
			r.Committed, r.Commit, r.Reason = true, commit, ""
		}
	}
	if err := o.Update(ctx, env, st, store.Request{Do: o.begin(snap.Exists), Subject: o.subject(st, snap)}); err != nil {
		return err
	}
	planio.WarnOfSpec(env, st, o.spec)
	o.warnOfFormerPlan(env, st)
	switch {
	case o.DryRun:
	case !snap.Exists:
		return o.trustNew(ctx, env, st)
	case o.yes:
		env.Hint("the plan was there before, so nothing was trusted; `git ralph trust` does it")
	}
	return nil
}

// register lets git merge the plan with git ralph, and returns the commit of .gitattributes,
// if it made one. The plan is committed already, so a failure is only a
// warning.
func (o initOptions) register(ctx context.Context, env *term.Env, st *store.Store) (commit string) {
	request, err := installOptions{scope: config.ScopeLocal, noHooks: true}.requestIn(ctx, st.Repo(), st.PlanPath())
	var changes []install.Change
	if err == nil {
		changes, err = applyInstall(ctx, env, request, install.Install)
	}
	if err != nil {
		env.Warn("git does not merge plans with git ralph yet: " + err.Error())
		env.Hint("`git ralph install` sets it up")
		return ""
	}
	if len(changes) > 0 && !o.Format.Json(env) {
		env.Print("git merges plans with git ralph in this repository now; `git ralph uninstall` takes that back")
	}
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		commit, err = o.declare(ctx, env, st)
		return err
	})
	if err != nil {
		env.Warn("the plan is not in .gitattributes yet: " + err.Error())
		if unread, ok := errors.AsType[*install.UnreadError](err); ok {
			env.Hint(unread.Hint())
			return ""
		}
		env.Hint("`git ralph install --attributes` adds `" + install.AttributesLine(st.PlanPath()) + "`, for you to commit")
	}
	return commit
}

// declare commits .gitattributes with our lines in it, unless they are there
// already, and returns the commit.
func (o initOptions) declare(ctx context.Context, env *term.Env, st *store.Store) (commit string, err error) {
	if install.Declared(st.Repo(), st.PlanPath()) {
		return "", nil
	}
	item, err := install.Attributes(st.Repo(), st.PlanPath())
	if err != nil {
		return "", err
	}
	result, err := st.UpdateFile(ctx, store.FileUpdate{
		Path: install.AttributesName, Subject: func() string { return "merge " + st.PlanPath() + " with git ralph" }, NoCommit: o.NoCommit,
		Edit: func(text string, exists bool) (string, error) { return item.Fix(text, !exists, 0), nil },
	})
	if result.Changed && result.Commit == "" {
		env.Hint("commit .gitattributes, so that everybody merges plans this way")
	}
	return result.Commit, err
}

// begin sets the spec. Without a spec, a plan file that does not exist yet is made by an event that
// changes no record.
func (o initOptions) begin(exists bool) planio.Change {
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

// warnOfFormerPlan warns of a plan in formerPlan. The file is the user's, so it stays.
func (o initOptions) warnOfFormerPlan(env *term.Env, st *store.Store) {
	if _, err := os.Lstat(filepath.Join(st.Repo().Root(), formerPlan)); err == nil {
		env.Warn(formerPlan + " is not used any more: the plan is " + st.PlanPath())
	}
}

// trustNew asks for trust in a repository whose plan was just made.
func (o initOptions) trustNew(ctx context.Context, env *term.Env, st *store.Store) error {
	if trustprompt.InRun(env) || !o.yes && !env.Interactive {
		return nil
	}
	s, err := trustprompt.SiteOf(ctx, env, st)
	if err != nil || s.Trusted() {
		return err
	}
	if o.yes || len(s.Entries) == 0 {
		return s.Accept(env, s.Entries)
	}
	if err := s.Ask(env); !errors.Is(err, term.ErrAborted) {
		return err
	}
	env.Hint("no agent is started here until `git ralph trust`")
	return nil
}
