package githubcmd

import (
	"context"
	"errors"
	"fmt"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/evidence"
	"git-ralph/internal/github/pull"
	"git-ralph/internal/land"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/pullrequest"
)

// CreatePull is `git ralph github pr create`. Each step finds out what is done already, so it may be interrupted anywhere.
func CreatePull(ctx context.Context, env *term.Env, o uicmd.PullRequestOptions) error {
	w, err := openPull(ctx, env, o, pipeline.StepPR)
	if err != nil {
		return err
	}
	return w.create(ctx)
}

// create does the task.
func (w *pullWork) create(ctx context.Context) error {
	if err := w.findCode(ctx); err != nil {
		return err
	}
	if why, _, err := w.runChecks(ctx, w.request.Commit); why != "" || err != nil {
		if err != nil {
			return err
		}
		return w.sendBack(ctx, why)
	}
	switch err := w.branch.Push(ctx, w.request.Commit); {
	case isOccupied(err):
		return w.escalate(ctx, err.Error())
	case err != nil:
		return fmt.Errorf("cannot push %s to %s: %w", w.branch.Name, w.branch.Remote, err)
	}
	p, err := w.claims.TargetPlan(ctx)
	if err != nil {
		return err
	}
	made, err := w.service.Open(ctx, w.branch.Name, w.base, w.request.Commit, w.subject(p), w.files())
	switch {
	case errors.Is(err, pullrequest.ErrNothingToMerge):
		return w.escalate(ctx, err.Error())
	case err != nil:
		return err
	case made.State == pull.Closed:
		return w.escalate(ctx, fmt.Sprintf("pull request #%d was closed and not merged", made.Number))
	}
	w.request.Number = made.Number
	w.env.Print("pull request " + w.request.String() + ": " + made.URL)
	rules, err := planio.WorkerItemRules(ctx, w.env, w.store)
	if err != nil {
		return err
	}
	return w.update(ctx, land.PlanChange{Do: func(p *plan.Plan, in land.PlanInputs) (plan.Change, error) {
		rules.DoneOptions = plan.DoneOptions{Head: in.Head, Force: w.options.Force}
		return w.request.Created(p, rules, w.store.Stamp())
	}})
}

// runChecks runs the allowed checks of Implement on a commit. It returns why they do not prove it, "" where none fails.
func (w *pullWork) runChecks(ctx context.Context, commit string) (why string, results []evidence.Result, err error) {
	if w.request.Implement == nil {
		return "", nil, nil
	}
	checks := evidence.ChecksOf([]*plan.Record{&w.request.Implement.Record})
	if len(checks) == 0 {
		return "", nil, nil
	}
	runner, err := planio.CheckRunner(ctx, w.env, w.store)
	if err != nil {
		return "", nil, err
	}
	at, err := runner.Commit(ctx, commit)
	if err != nil {
		return "", nil, err
	}
	if results, err = planio.RunChecks(ctx, w.env, runner, at, checks); err != nil {
		return "", nil, err
	}
	for _, r := range results {
		switch r.State {
		case evidence.Passed:
		case evidence.NotAllowed:
			planio.HintNotAllowed(w.env, results)
		default:
			return fmt.Sprintf("on %.9s, the code of %s, %s", commit, w.request.Primary.Ref(), r.Reason()), results, nil
		}
	}
	return "", results, nil
}

// sendBack has the code made again.
func (w *pullWork) sendBack(ctx context.Context, why string) error {
	w.env.Warn(why)
	err := w.update(ctx, land.PlanChange{Do: func(p *plan.Plan, _ land.PlanInputs) (plan.Change, error) { return w.request.SendBack(p, why) }})
	if err == nil {
		err = cmdline.StatusError(cmdline.ExitNoProgress)
	}
	return err
}
