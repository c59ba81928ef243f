package schedule

import (
	"cmp"
	"slices"

	"git-ralph/internal/plan"
)

// A Schedule answers questions about the order of work of one plan, as the
// plan was when the schedule was made.
type Schedule struct {
	spec    string
	index   plan.Index
	pending []plan.Record // in the order of the file, like the others
	done    []plan.Record
	issues  []plan.Record
}

// Of reads a plan's schedule.
func Of(p *plan.Plan) *Schedule {
	s := &Schedule{spec: p.Spec(), index: p.Index()}
	for _, r := range p.Records() {
		switch {
		case r.Kind() == plan.KindIssue:
			s.issues = append(s.issues, r)
		case r.Kind() != plan.KindTask:
		case r.Done():
			s.done = append(s.done, r)
		default:
			s.pending = append(s.pending, r)
		}
	}
	return s
}

// BlockedBy returns the ids that hold a task back: tasks that are not done and
// issues that are open. A dependency that is not in the plan holds nothing
// back, and a done task is never held back.
func (s *Schedule) BlockedBy(task plan.Record) []string {
	if task.Done() {
		return nil
	}
	return s.index.Waits(task)
}

// Pending returns the tasks that are not done, in the order of work: those of
// the current spec first, then by priority, then the oldest.
func (s *Schedule) Pending() []plan.Record { return s.sorted(s.pending, s.byWork) }

// Ready returns the pending tasks that nothing holds back, in the order of
// work.
func (s *Schedule) Ready() []plan.Record {
	return slices.DeleteFunc(s.Pending(), func(r plan.Record) bool { return len(s.BlockedBy(r)) > 0 })
}

// Done returns the tasks that are done, those of the current spec first, then
// the oldest.
func (s *Schedule) Done() []plan.Record { return s.sorted(s.done, s.byAge) }

// Issues returns the open issues, those of the current spec first, then the
// oldest.
func (s *Schedule) Issues() []plan.Record { return s.sorted(s.issues, s.byAge) }

func (s *Schedule) sorted(records []plan.Record, order func(a, b plan.Record) int) []plan.Record {
	records = slices.Clone(records)
	slices.SortStableFunc(records, order)
	return records
}

func (s *Schedule) byWork(a, b plan.Record) int {
	return cmp.Or(
		cmp.Compare(s.distance(a), s.distance(b)),
		cmp.Compare(plan.PriorityRank(a.Text("priority")), plan.PriorityRank(b.Text("priority"))),
		plan.Older(a, b),
	)
}

func (s *Schedule) byAge(a, b plan.Record) int {
	return cmp.Or(cmp.Compare(s.distance(a), s.distance(b)), plan.Older(a, b))
}

// distance is 0 for what belongs to the current spec, else 1.
func (s *Schedule) distance(r plan.Record) int {
	if r.Spec() == s.spec {
		return 0
	}
	return 1
}
