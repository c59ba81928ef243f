package iteration

import (
	"cmp"
	"context"

	"git-ralph/internal/evidence"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

func (f finishedJob) applyVerify(ctx context.Context, r report.Report) error {
	v, err := r.Verify()
	if err != nil {
		return err
	}
	receipts := f.receipts(ctx)
	var unknown error // the other results are applied all the same
	do := func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		unknown = nil
		for _, one := range v.Verdicts {
			if !f.knows(p, one.ID) {
				unknown = &plan.UnknownIDError{Kind: plan.KindTask, ID: one.ID}
			}
		}
		judged, err := f.judgeTasks(p, v.Verdicts)
		if err != nil {
			return plan.Change{}, err
		}
		evidence.Announce(judged.Events, receipts)
		added, err := addTasks(p, v.NewTasks, in)
		judged.Join(added)
		return judged, err
	}
	err = f.update(ctx, store.Request{Do: do, Along: func(made store.Made) (store.Along, error) {
		return store.Along{Trailers: evidence.Trailers(receipts, made.Change.Events)}, nil
	}})
	return cmp.Or(err, unknown, v.Contradiction)
}

// judgeTasks accepts and rejects. Tasks that the agent judged itself already are left out, and those that are not for VERIFY.
func (f finishedJob) judgeTasks(p *plan.Plan, verdicts []report.Verdict) (plan.Change, error) {
	var all plan.Change
	sched := schedule.Of(p)
	for _, v := range verdicts {
		task, found := p.Task(v.ID)
		if !found || !task.Done() || !sched.ForAgents(&task) || v.Passed && !f.accepts(task) {
			continue
		}
		var one plan.Change
		var err error
		if v.Passed {
			one, err = p.Accept([]string{v.ID})
		} else {
			one, err = p.Reject(v.ID, v.Reason)
		}
		if err != nil {
			return plan.Change{}, err
		}
		all.Join(one)
	}
	return all, nil
}

// addTasks adds tasks, if there are any.
func addTasks(p *plan.Plan, tasks []jsonl.Object, in store.Inputs) (plan.Change, error) {
	if len(tasks) == 0 {
		return plan.Change{}, nil
	}
	return p.AddTasks(tasks, in.Stamp)
}
