package report

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// A Verify is the report of VERIFY.
type Verify struct {
	Verdicts []Verdict // one per task
	NewTasks []jsonl.Object
	// Contradiction is an ErrUnusable where results for one task contradict each other. The task then has no verdict; the
	// others hold.
	Contradiction error
}

// A Verdict is the result for one task.
type Verdict struct {
	ID     string
	Passed bool
	Reason string
}

// Verify reads {"results": [{"task_id", "passed", "reason"}], "new_tasks"}.
func (r Report) Verify() (v Verify, err error) {
	results, err := r.verdicts()
	if err != nil {
		return Verify{}, err
	}
	v.Verdicts, v.Contradiction = agreed(results)
	if v.NewTasks, err = r.tasks("new_tasks"); err != nil {
		return Verify{}, err
	}
	if len(results) == 0 && len(v.NewTasks) == 0 {
		return Verify{}, unusable("it judges no task: there is nothing in \"results\"")
	}
	return v, nil
}

func (r Report) verdicts() ([]Verdict, error) {
	results, err := r.objects("results")
	if err != nil {
		return nil, err
	}
	list := make([]Verdict, len(results))
	for i, object := range results {
		one := Report{object}
		passed := get(object, "passed")
		v := Verdict{ID: one.text("task_id"), Passed: passed == "true", Reason: one.text("reason")}
		switch {
		case v.ID == "":
			return nil, unusable("result %d names no task in \"task_id\"", i+1)
		case passed.Kind() != jsonl.Bool:
			return nil, unusable("the result for %s has no \"passed\": want true or false", v.ID)
		case !v.Passed && v.Reason == "":
			return nil, unusable("the result for %s gives no \"reason\", which is all that the next agent would know", v.ID)
		}
		list[i] = v
	}
	return list, nil
}

// agreed returns one verdict per task, with all reasons. A task that both passed and failed has none.
func agreed(results []Verdict) (verdicts []Verdict, contradiction error) {
	first := map[string]int{}
	contradicted := map[string]bool{}
	for _, v := range results {
		at, again := first[v.ID]
		if !again {
			first[v.ID] = len(verdicts)
			verdicts = append(verdicts, v)
			continue
		}
		one := &verdicts[at]
		switch {
		case one.Passed != v.Passed:
			contradicted[v.ID] = true
			contradiction = cmp.Or(contradiction, unusable("the results for %s contradict each other: it passed, and it did not", v.ID))
		case !v.Passed && !strings.Contains(one.Reason, v.Reason):
			one.Reason += "; " + v.Reason
		}
	}
	return slices.DeleteFunc(verdicts, func(v Verdict) bool { return contradicted[v.ID] }), contradiction
}
