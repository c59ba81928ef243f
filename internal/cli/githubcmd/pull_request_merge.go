package githubcmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/evidence"
	"git-ralph/internal/github/pull"
	"git-ralph/internal/land"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// How long `pr merge --wait` waits before it asks again: the longer, the longer nothing changes. At the last one it makes 30 requests an hour.
const (
	firstPause = 15 * time.Second
	lastPause  = 2 * time.Minute
)

// MergePull is `git ralph github pr merge`.
func MergePull(ctx context.Context, env *term.Env, o uicmd.PullRequestOptions) error {
	w, err := openPull(ctx, env, o, pipeline.StepMerge)
	if err != nil {
		return err
	}
	return w.merge(ctx)
}

// merge does the task.
func (w *pullWork) merge(ctx context.Context) error {
	if err := w.findNumber(ctx); err != nil {
		return err
	}
	last := ""
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		r, why, err := w.tryMerge(ctx)
		switch {
		case err != nil:
			return err
		case r.State == pull.Merged:
			return w.finish(ctx, r)
		case r.State == pull.Closed:
			return w.escalate(ctx, fmt.Sprintf("pull request %s was closed and not merged", w.request))
		case !w.options.Wait:
			return w.await(ctx, why)
		}
		if why != last {
			w.env.Say("note", fmt.Sprintf("pull request %s waits: %s", w.request, why))
			last, pause = why, firstPause
		}
		if err := w.client.Pause(ctx, pause); err != nil {
			return err
		}
	}
}

// findNumber finds the pull request where the plan does not say which one it is.
func (w *pullWork) findNumber(ctx context.Context) (err error) {
	if w.request.Number > 0 {
		return nil
	}
	if err := w.findCode(ctx); err != nil {
		return err
	}
	if w.request.Number, err = w.service.Find(ctx, w.branch.Name, w.base, w.request.Commit); err == nil && w.request.Number == 0 {
		err = &cmdline.HintedError{
			Err:  fmt.Errorf("there is no pull request of %s into %s", w.branch.Name, w.base),
			Hint: "`git ralph github pr create " + w.request.Primary.Ref().String() + "` opens it",
		}
	}
	return err
}

// tryMerge merges the pull request if it is ready, else it returns what it waits for.
func (w *pullWork) tryMerge(ctx context.Context) (r pull.Request, why string, err error) {
	if r, err = w.service.Read(ctx, w.request.Number); err != nil {
		return r, "", err
	}
	if r.Branch != w.branch.Name || r.Base != w.base {
		why = fmt.Sprintf("it is of %q into %q now, instead of %q into %q", r.Branch, r.Base, w.branch.Name, w.base)
		if r.State == pull.Merged {
			r.State = pull.Closed // what was merged is not known here
		}
		return r, why, nil
	}
	if why = r.Waits(w.request.Commit); r.State != pull.Open || why != "" {
		return r, why, nil
	}
	r, refusal, err := w.service.Merge(ctx, r)
	if why = r.Waits(w.request.Commit); why == "" {
		why, w.request.Refused = strings.TrimSuffix("GitHub refuses to merge it: "+refusal, ": "), r.Head
	}
	return r, why, err
}

// await has the task wait for an issue.
func (w *pullWork) await(ctx context.Context, why string) error {
	err := w.update(ctx, land.PlanChange{Do: func(p *plan.Plan, _ land.PlanInputs) (plan.Change, error) {
		return w.request.Await(p, why, w.store.Stamp())
	}})
	if err == nil {
		w.env.Say("note", fmt.Sprintf("pull request %s waits: %s", w.request, why))
		err = cmdline.StatusError(cmdline.ExitNoProgress)
	}
	return err
}

// finish merges the base into the target, and the task is done.
func (w *pullWork) finish(ctx context.Context, r pull.Request) error {
	if err := w.mergeBase(ctx); err != nil {
		return err
	}
	var trailers []string
	var receipts []evidence.Receipt
	if t := w.request.Implement; t != nil {
		trailers = append(trailers, land.LandedTrailer+t.ID()+" "+r.Merge)
		why, results, err := w.runChecks(ctx, w.copyOfBase())
		if err != nil {
			return err
		}
		if why != "" {
			return w.escalate(ctx, "pull request "+w.request.String()+" is merged, but "+why)
		}
		if evidence.Proved(t.Record, results) {
			runner, err := planio.CheckRunner(ctx, w.env, w.store)
			if err != nil {
				return err
			}
			receipts = evidence.Receipts(t.Record, results, runner.By(ctx))
		}
	}
	rules, err := planio.WorkerItemRules(ctx, w.env, w.store)
	if err != nil {
		return err
	}
	return w.update(ctx, land.PlanChange{
		Do: func(p *plan.Plan, in land.PlanInputs) (plan.Change, error) {
			rules.DoneOptions = plan.DoneOptions{Head: in.Head, Force: w.options.Force}
			change, err := w.request.Merged(p, rules, w.store.Stamp())
			evidence.Announce(change.Events, receipts)
			return change, err
		},
		Trailers: func(c plan.Change) []string { return append(trailers, evidence.Trailers(receipts, c.Events)...) },
	})
}
