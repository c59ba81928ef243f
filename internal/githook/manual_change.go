package githook

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// A judgement is the list of problems of a change from one valid plan to another that no command would make.
type judgement struct {
	after    *plan.Plan
	diff     plandiff.Diff
	respec   bool // the spec changed, so that records may have been removed on purpose
	errs     plan.Problems
	warnings plan.Problems
}

// judge returns the errors and the warnings of a change.
func judge(before, after *plan.Plan) (errs, warnings plan.Problems) {
	j := judgement{after: after, diff: plandiff.Compare(before, after), respec: before.Spec() != after.Spec()}
	for _, r := range j.diff.Records {
		switch r.Shown().Kind() {
		case plan.KindReject:
			j.tombstone(r)
		case plan.KindTask:
			j.task(r)
		}
	}
	return j.errs, j.warnings
}

func (j *judgement) tombstone(r plandiff.Record) {
	id := r.Shown().ID()
	hint := fmt.Sprintf("a tombstone records what happened and must not change; `git ralph task reject %s REASON` adds one", id)
	switch again := j.replaced(r); {
	case r.Change == plandiff.Changed:
		j.errs = append(j.errs, problem(r.After, "the tombstone of "+id+" was changed: "+names(r.Fields), hint))
	case r.Change == plandiff.Removed && again != nil:
		j.errs = append(j.errs, problem(*again, "the tombstone of "+id+" was changed: another attempt is named", hint))
	case r.Change == plandiff.Removed && !j.respec && !j.left(id):
		j.warnings = append(j.warnings, problem(plan.Record{}, "the tombstone of "+id+" vanished alone", hint))
	}
}

// replaced returns the tombstone that was added for a task where another one
// was removed.
func (j *judgement) replaced(removed plandiff.Record) *plan.Record {
	for _, r := range j.diff.Records {
		if r.Change == plandiff.Added && r.After.Kind() == plan.KindReject && r.After.ID() == removed.Before.ID() {
			return &r.After
		}
	}
	return nil
}

// left reports whether the task with an id was removed from the plan.
func (j *judgement) left(id string) bool {
	return slices.ContainsFunc(j.diff.Records, func(r plandiff.Record) bool {
		return r.Change == plandiff.Removed && r.Before.Kind() == plan.KindTask && r.Before.ID() == id
	})
}

func (j *judgement) task(r plandiff.Record) {
	id := r.Shown().ID()
	switch {
	case r.Change == plandiff.Removed && r.Before.Pending() && !j.respec && !j.named(id):
		j.warnings = append(j.warnings, problem(plan.Record{},
			fmt.Sprintf("the pending task %s vanished (%s)", id, r.Before.Name()),
			fmt.Sprintf("`git ralph task cancel %s` removes a task and reports what depends on it", id)))
	case r.Change == plandiff.Changed && r.Before.Done() && r.After.Done() && r.Before.Text("done_at") != r.After.Text("done_at"):
		j.warnings = append(j.warnings, problem(r.After, id+`: "done_at" changed while the task stayed done`,
			fmt.Sprintf("`git ralph task reject %s REASON`, then `git ralph task done %[1]s`, does a task again", id)))
	}
}

// named reports whether a task of the plan names the removed task as its parent, or as the task that it supersedes.
func (j *judgement) named(id string) bool {
	for _, r := range j.after.Of(plan.KindTask) {
		if r.Text("parent") == id || r.Text("supersedes") == id {
			return true
		}
	}
	return false
}

// problem returns a problem of a record in the new plan; r is zero if the record was removed.
func problem(r plan.Record, message, hint string) plan.Problem {
	p := plan.Problem{Line: r.Line(), Severity: plan.Warning, Code: plan.CodeImpossibleState, Message: message, Hint: hint}
	if p.Line > 0 {
		p.ID, p.Column = r.ID(), 1
	}
	return p
}

func names(fields []plandiff.Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name)
	}
	return strings.Join(all, ", ")
}
