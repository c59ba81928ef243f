package loop

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// applyVerify takes {"results": [{"task_id", "passed", "reason"}], "new_tasks"}.
func (it *iteration) applyVerify(ctx context.Context, r report) error {
	given, err := r.verdicts()
	if err != nil {
		return err
	}
	verdicts, contradiction := agreed(given)
	tasks, err := r.tasks("new_tasks")
	if err != nil {
		return err
	}
	if len(given) == 0 && len(tasks) == 0 {
		return unusable("it judges no task: there is nothing in \"results\"")
	}
	var unknown error // the other results are good all the same
	err = it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		unknown = nil
		for _, v := range verdicts {
			if !it.knows(p, v.id) {
				unknown = &plan.UnknownIDError{Kind: plan.KindTask, ID: v.id}
			}
		}
		return judgeTasks(p, verdicts, tasks, in)
	}})
	return cmp.Or(err, unknown, contradiction)
}

// knows reports whether an id stands in the plan, or did when the agent was started: it may have seen to it itself.
func (it *iteration) knows(p *plan.Plan, id string) bool {
	for _, p := range [...]*plan.Plan{p, it.before.plan} {
		_, task := p.Task(id)
		_, issue := p.Issue(id)
		if task || issue {
			return true
		}
	}
	return false
}

// A verdict is what VERIFY says of one task.
type verdict struct {
	id     string
	passed bool
	reason string
}

func (r report) verdicts() ([]verdict, error) {
	results, err := r.objects("results")
	if err != nil {
		return nil, err
	}
	list := make([]verdict, len(results))
	for i, object := range results {
		one := report{object}
		passed := get(object, "passed")
		v := verdict{id: one.text("task_id"), passed: passed == "true", reason: one.text("reason")}
		switch {
		case v.id == "":
			return nil, unusable("result %d names no task in \"task_id\"", i+1)
		case passed.Kind() != jsonl.Bool:
			return nil, unusable("the result for %s says neither true nor false in \"passed\"", v.id)
		case !v.passed && v.reason == "":
			return nil, unusable("the result for %s gives no \"reason\", which is all that the next agent would know", v.id)
		}
		list[i] = v
	}
	return list, nil
}

// agreed returns one verdict a task, with all reasons. A task that is said to pass and not to pass has none: either could be
// meant. The error tells the next agent so; the other verdicts are good all the same.
func agreed(given []verdict) (verdicts []verdict, contradiction error) {
	first := map[string]int{}
	torn := map[string]bool{}
	for _, v := range given {
		at, again := first[v.id]
		if !again {
			first[v.id] = len(verdicts)
			verdicts = append(verdicts, v)
			continue
		}
		one := &verdicts[at]
		switch {
		case one.passed != v.passed && !torn[v.id]:
			torn[v.id] = true
			contradiction = cmp.Or(contradiction, unusable("the results for %s contradict each other: it passed, and it did not", v.id))
		case !v.passed && !strings.Contains(one.reason, v.reason):
			one.reason += "; " + v.reason
		}
	}
	return slices.DeleteFunc(verdicts, func(v verdict) bool { return torn[v.id] }), contradiction
}

// judgeTasks accepts, rejects and adds. Tasks that the agent judged itself already are left out.
func judgeTasks(p *plan.Plan, verdicts []verdict, tasks []jsonl.Object, in store.Inputs) (plan.Change, error) {
	var all plan.Change
	for _, v := range verdicts {
		task, found := p.Task(v.id)
		if !found || !task.Done() {
			continue
		}
		var one plan.Change
		var err error
		if v.passed {
			one, err = p.Accept([]string{v.id})
		} else {
			one, err = p.Reject(v.id, v.reason)
		}
		if err != nil {
			return plan.Change{}, err
		}
		all = joined(all, one)
	}
	if len(tasks) == 0 {
		return all, nil
	}
	added, err := p.AddTasks(tasks, in.Stamp)
	return joined(all, added), err
}
