package plancmd

import (
	"context"
	"fmt"
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/evidence"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// An acceptance accepts done tasks that their checks prove.
type acceptance struct {
	planio.Mutation
	store *store.Store
	ids   []string // none: all done tasks that have checks
	must  planio.RequireLanded
}

// verified runs the checks of the tasks, and accepts those that they prove and those that have none and are named.
func (a acceptance) verified(ctx context.Context, env *term.Env) error {
	tasks, err := a.tasks(ctx, env)
	if err != nil {
		return err
	}
	runner, err := planio.CheckRunner(ctx, env, a.store)
	if err != nil {
		return err
	}
	results, err := a.results(ctx, env, runner, evidence.ChecksOf(tasks))
	if err != nil {
		return err
	}
	var accepted []*plan.Record
	var receipts []evidence.Receipt
	for _, task := range tasks {
		if len(task.Checks()) == 0 && len(a.ids) > 0 || evidence.Proved(*task, results) {
			accepted = append(accepted, task)
			receipts = append(receipts, evidence.Receipts(*task, results, runner.By(ctx))...)
		}
	}
	if len(accepted) > 0 {
		if err := a.accept(ctx, env, accepted, receipts); err != nil {
			return err
		}
	}
	return refused(env, tasks, accepted, results)
}

// tasks returns the done tasks that are meant.
func (a acceptance) tasks(ctx context.Context, env *term.Env) ([]*plan.Record, error) {
	v, err := planio.ViewWorktree(ctx, env, a.store)
	if err != nil {
		return nil, err
	}
	wanted, err := toAccept(v.Plan, a.ids)
	if err == nil {
		err = a.must.Check(ctx, env, wanted)
	}
	if err != nil {
		return nil, err
	}
	change, err := accept(v.Plan, a.ids) // of what is only read
	if err != nil {
		return nil, err
	}
	tasks := make([]*plan.Record, len(change.Removed))
	for i := range change.Removed {
		tasks[i] = &change.Removed[i]
	}
	return tasks, nil
}

// results runs checks. A dry run runs none: what is allowed counts as passed.
func (a acceptance) results(ctx context.Context, env *term.Env, runner *evidence.Runner, checks []evidence.Check) ([]evidence.Result, error) {
	if a.DryRun || len(checks) == 0 {
		results := runner.Judge(checks)
		for i, r := range results {
			if r.State == evidence.Allowed {
				results[i].State = evidence.Passed
				env.Say("note", r.Task+": would run "+r.Line)
			}
		}
		return results, nil
	}
	at, err := runner.Commit(ctx, "")
	if err != nil {
		return nil, err
	}
	return planio.RunChecks(ctx, env, runner, at, checks)
}

// accept accepts tasks, if they are still what their checks proved.
func (a acceptance) accept(ctx context.Context, env *term.Env, tasks []*plan.Record, receipts []evidence.Receipt) error {
	do, err := planio.Following(ctx, env, a.store, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var ids []string
		for _, task := range tasks {
			now, found := p.Task(task.ID())
			if !found && len(a.ids) == 0 { // somebody else accepted it meanwhile
				continue
			}
			if found && now.JSON() != task.JSON() {
				return plan.Change{}, fmt.Errorf("%s was changed while its checks ran: run the command again", task.ID())
			}
			ids = append(ids, task.ID())
		}
		change, err := p.Accept(ids)
		evidence.Announce(change.Events, receipts)
		return change, err
	})
	if err != nil {
		return err
	}
	return a.Update(ctx, env, a.store, store.Request{
		Do: do,
		Along: func(made store.Made) (store.Along, error) {
			return store.Along{Trailers: evidence.Trailers(receipts, made.Change.Events)}, nil
		},
	})
}

// refused says which tasks were not accepted, and why, and returns the exit code: a failure counts more than a check that was
// not run.
func refused(env *term.Env, tasks, accepted []*plan.Record, results []evidence.Result) error {
	failed := false
	for _, task := range tasks {
		if slices.Contains(accepted, task) {
			continue
		}
		if len(task.Checks()) == 0 {
			env.Say("note", task.ID()+" has no check, so it is accepted only where it is named")
		}
		for _, r := range results {
			if r.Task == task.ID() && r.State != evidence.Passed {
				failed = failed || r.Bad()
				env.Warn(task.ID() + " is not accepted: " + r.Reason())
			}
		}
	}
	planio.HintNotAllowed(env, results)
	isNotAllowed := func(r evidence.Result) bool { return r.State == evidence.NotAllowed }
	switch {
	case failed:
		return cmdline.StatusError(cmdline.ExitFailed)
	case len(accepted) == 0, slices.ContainsFunc(results, isNotAllowed):
		return cmdline.StatusError(cmdline.ExitNothing)
	}
	return nil
}
