package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/install"
	"git-ralph/internal/journal"
	"git-ralph/internal/mask"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A mutation is what all commands that change the plan can be told.
type mutation struct {
	dryRun   bool
	noCommit bool
	format   format
	full     bool

	installs bool // the same command tells git how plans are merged

	finish func(*store.Result) // what else is done before the new state is printed
}

// mutationFlags adds a mutation's flags to a command's own.
func mutationFlags(own ...cli.Flag) []cli.Flag {
	own = append(own,
		&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
		&cli.BoolFlag{Name: "no-commit", Usage: "write the plan file and do not commit it"},
		&cli.BoolFlag{Name: "full", Usage: "print the whole state too, as query does"},
	)
	return append(own, formatFlags()...)
}

// mutationFrom reads the flags of mutationFlags.
func mutationFrom(c *cli.Context) mutation {
	return mutation{
		dryRun: c.Bool("dry-run"), noCommit: c.Bool("no-commit"), format: formatFrom(c), full: c.Bool("full"),
	}
}

// change is what a mutation does to a plan; see store.Request.
type change func(p *plan.Plan, in store.Inputs) (plan.Change, error)

// run opens the plan, changes it and prints the new state.
func (m mutation) run(ctx context.Context, env *Env, do change) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	return m.update(ctx, env, st, store.Request{Do: do})
}

// update runs a request on an open plan and prints the new state.
func (m mutation) update(ctx context.Context, env *Env, st *store.Store, r store.Request) error {
	r.DryRun, r.NoCommit = m.dryRun, m.noCommit
	result, err := env.transact(ctx, st, r)
	if err != nil {
		return err
	}
	if result.OwnEdits && result.Committed {
		env.warn("your own changes of " + st.PlanPath() + " went into the commit too: " + store.Listed(result.Edits.Records))
	}
	if result.Regained {
		env.warn("the last change of " + st.PlanPath() + " was lost when its commit was amended from an older index; it is back")
	}
	if result.Committed && result.Branch == "" {
		env.warn("HEAD is detached: the commit is on no branch")
	}
	if result.Merged != nil {
		env.warnOfMerge(*result.Merged)
	}
	if !m.installs {
		env.warnOfInstall(ctx, st)
	}
	if m.finish != nil {
		m.finish(&result)
	}
	m.print(env, result)
	return nil
}

// warnOfInstall warns where git would merge plans as text, because nothing is installed in this clone.
func (e *Env) warnOfInstall(ctx context.Context, st *store.Store) {
	config, err := st.Repo().Config(ctx)
	if err != nil {
		return // it is reported where it matters
	}
	if wanted, err := config.Bool("ralph.warnInstall", true); err == nil && wanted && install.IsWanting(st.Repo(), config, st.PlanPath()) {
		e.warn("git merges plans as text in this clone until `git ralph install`")
	}
}

// warnOfMerge names what was recorded and what gave way where plans were merged.
func (e *Env) warnOfMerge(m merge.Result) {
	for _, c := range m.Conflicts {
		e.warn(c.String())
	}
	for _, l := range m.Losers {
		e.warn(l.String())
	}
}

// transact runs a request. What an agent gives within a run is masked before it is
// written, and what only a person closes it does not close.
func (e *Env) transact(ctx context.Context, st *store.Store, r store.Request) (result store.Result, err error) {
	if e.Getenv(journal.RunVariable) != "" {
		masker := mask.Load()
		r.Clean, r.StagedMessage = masker.Object, masker.Text(r.StagedMessage)
		r.Do = refusingPersons(r.Do)
	}
	err = e.shield(ctx, func(ctx context.Context) error {
		result, err = st.Update(ctx, r)
		return err
	})
	return result, err
}

// refusingPersons refuses, of an agent, to close what only a person closes.
func refusingPersons(do change) change {
	return func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		c, err := do(p, in)
		if err == nil {
			err = c.LosesPersons()
		}
		return c, err
	}
}

// shield runs what changes something. A signal ends it so that it gives
// everything back. Outside of it a signal ends the process at once, since there is
// nothing to give back, and listening for signals would cost every query
// something.
func (e *Env) shield(ctx context.Context, do func(context.Context) error) error {
	if e.Interruptible == nil {
		return do(ctx)
	}
	ctx, stop := e.Interruptible(ctx)
	defer stop()
	err := do(ctx)
	if interrupt, ok := errors.AsType[*Interrupt](context.Cause(ctx)); ok && err != nil {
		return interrupt
	}
	return err
}

func (m mutation) print(env *Env, r store.Result) {
	o := outcome{r, stateOf(r.Plan), m}
	if m.format.json(env) {
		env.writeJSON(o.write)
		return
	}
	o.show(env)
}

// An outcome is what a mutation did and the state that it left.
type outcome struct {
	store.Result
	state state
	told  mutation
}

// write writes {"committed", "commit", "reason", "changed", "removed", "stage",
// "next"}; with --full what query prints stands beside them, and "merged" where
// plans were merged on the way.
func (o outcome) write(w sink) {
	out := object{sink: w}
	out.boolean("committed", o.Committed)
	out.strOrNull("commit", o.Commit)
	out.strOrNull("reason", o.Reason)
	out.member("changed")
	writeRecords(w, o.Change.Records)
	out.member("removed")
	writeRecords(w, o.Change.Removed)
	if o.told.full {
		out.strOrNull("spec", o.state.plan.Spec())
	}
	o.state.writeStageAndNext(&out)
	if o.told.full {
		o.state.writeRest(&out)
	}
	if o.Merged != nil {
		out.member("merged")
		writeMerged(w, *o.Merged)
	}
	out.end()
}

// show tells people: a line an event, then where the plan stands.
func (o outcome) show(env *Env) {
	if o.Change.Empty() {
		env.print("nothing changed")
	}
	for _, e := range o.Change.Events {
		env.printWrapped(fieldIndent, cell{text: o.prefix() + eventText(e) + o.suffix()})
	}
	if o.Reason != "" && !o.told.dryRun && !o.Change.Empty() {
		env.print("not committed: " + o.Reason)
	}
	if o.told.full {
		o.state.showStatus(env)
		return
	}
	o.state.showNext(env)
}

func (o outcome) prefix() string {
	if o.told.dryRun {
		return "dry run: "
	}
	return ""
}

// shortID is how many digits of a commit id people see.
const shortID = 9

func (o outcome) suffix() string {
	if !o.Committed {
		return ""
	}
	return " (" + o.Commit[:min(shortID, len(o.Commit))] + ")"
}

// eventText says what happened to a record.
func eventText(e plan.Event) string {
	what := string(e.Name)
	switch e.Name {
	case plan.EventSpec:
		return "the spec is " + e.ID
	case plan.EventUpdated:
		return e.Title
	case plan.EventIssueAdded:
		what = "added issue"
	case plan.EventIssueDone:
		what = "closed issue"
	}
	title := firstLineOf(e.Title)
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", what, e.ID, title))
}

// nextTask is the task that comes next in BUILD.
func nextTask(p *plan.Plan) (string, error) {
	next := schedule.Of(p).Next()
	if next.Action == schedule.Build && next.Item != nil {
		return next.Item.ID(), nil
	}
	err := &nothingError{text: "no task is next: " + string(next.Action) + ", " + nextText(next)}
	if next.Action == schedule.Decompose {
		err.text = fmt.Sprintf("%s was killed and is to be decomposed", next.Item.ID())
		err.hint = fmt.Sprintf("`git ralph task decompose %s`; if it is done, name it: `git ralph task done %[1]s`", next.Item.ID())
	}
	return "", err
}

const mutationExits = `
EXIT STATUS
  0  done
  1  it cannot be done; nothing was changed
  2  the command line is wrong
  3  there was nothing to do
  4  another process is changing the plan
  5  the plan is not valid; nothing was changed
`
