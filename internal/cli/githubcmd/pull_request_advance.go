package githubcmd

import (
	"context"
	"errors"
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/github/pull"
	"git-ralph/internal/land"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// AdvancePulls is `git ralph github pr advance`. What keeps one pull request back is reported, and does not keep the others.
func AdvancePulls(ctx context.Context, env *term.Env, o uicmd.PullRequestOptions) error {
	w, err := newPullWork(ctx, env)
	if err != nil {
		return err
	}
	if w.claims.Target, err = planio.RequireTarget(ctx, w.store, o.Into); err != nil {
		return err
	}
	p, err := w.claims.TargetPlan(ctx)
	if err != nil {
		return err
	}
	held, err := w.lockPulls()
	if err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // the process's end releases it too
	did, err := w.advanceDue(ctx, p)
	if err != nil {
		return err
	}
	followed, err := w.followBase(ctx)
	if err == nil && !did && !followed {
		err = cmdline.StatusError(cmdline.ExitNothing)
	}
	return err
}

// advanceDue does what is due, and reports whether it did any. Where nothing is, nothing is sent to GitHub: the remote says which branch the base is.
func (w *pullWork) advanceDue(ctx context.Context, p *plan.Plan) (did bool, err error) {
	awaited := pipeline.AwaitedPulls(p)
	if len(awaited)+len(pipeline.DuePulls(p)) == 0 {
		if w.base == "" {
			w.base, err = w.branch.Default(ctx)
		}
		return false, err
	}
	if err := w.findBase(ctx); err != nil {
		return false, err
	}
	if _, err := w.noteProtection(ctx, w.base); err != nil {
		return false, err
	}
	closed, err := w.closeReady(ctx, awaited)
	if err != nil {
		return false, err
	}
	did, err = w.advanceAll(ctx)
	return did || closed > 0, err
}

// advanceAll does the tasks that are due, each once: creating a pull request may make merging it due. It reports whether it did any.
func (w *pullWork) advanceAll(ctx context.Context) (did bool, err error) {
	failed := false
	for tried := map[string]bool{}; ; {
		p, err := w.claims.TargetPlan(ctx)
		if err != nil {
			return did, err
		}
		due := slices.DeleteFunc(pipeline.DuePulls(p), func(t pipeline.Task) bool { return tried[t.ID()] })
		if len(due) == 0 {
			break
		}
		id := due[0].ID()
		tried[id] = true
		err = w.advance(ctx, due[0])
		if ctx.Err() != nil {
			return did, context.Cause(ctx)
		}
		if _, isStatus := errors.AsType[cmdline.StatusError](err); err == nil || isStatus {
			did = true
			continue
		}
		w.env.Warn(id + ": " + err.Error())
		failed = true
	}
	if failed && !did {
		err = cmdline.StatusError(cmdline.ExitFailed)
	}
	return did, err
}

// advance does one task. It is chosen again: another one may have changed the plan.
func (w *pullWork) advance(ctx context.Context, task pipeline.Task) error {
	if err := w.choose(ctx, uicmd.PullRequestOptions{Name: task.ID()}, task.Step); err != nil {
		return err
	}
	if task.Step == pipeline.StepPR {
		return w.create(ctx)
	}
	return w.merge(ctx)
}

// closeReady closes the issues whose pull requests are ready, or ended, and returns how many.
func (w *pullWork) closeReady(ctx context.Context, awaited []pipeline.AwaitedPull) (int, error) {
	var ready []string
	for _, a := range awaited {
		r, err := w.service.Read(ctx, a.Number)
		if err != nil {
			return 0, err
		}
		if r.State != pull.Open || r.Base == w.base && r.Waits(a.Commit) == "" && !a.Pauses(r.Head, w.env.Now()) {
			ready = append(ready, a.Issue)
		}
	}
	if len(ready) == 0 {
		return 0, nil
	}
	return len(ready), w.update(ctx, land.PlanChange{Do: func(p *plan.Plan, _ land.PlanInputs) (plan.Change, error) { return closeOpen(p, ready) }})
}

// closeOpen closes those of some issues that are open still. The error is plan.ErrNothing where none is.
func closeOpen(p *plan.Plan, ids []string) (plan.Change, error) {
	var open []string
	for _, id := range ids {
		if _, found := p.Issue(id); found {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return plan.Change{}, plan.ErrNothing
	}
	return p.CloseIssues(open)
}
