package schedule

import (
	"cmp"
	"slices"

	"git-ralph/internal/plan"
)

// A Schedule answers questions about the order of work of one plan, as the
// plan was when the schedule was made. The records that it returns are the
// plan's own, and must not be changed.
type Schedule struct {
	spec    string
	index   *plan.Index
	records []plan.Record
	pending []int32 // places among the records, in the order of the file, like the others
	done    []int32
	issues  []int32
	others  []int32 // tasks of a state that we do not know: other tools write such plans
}

// Of reads a plan's schedule.
func Of(p *plan.Plan) *Schedule {
	s := &Schedule{spec: p.Spec(), index: p.Index(), records: p.Records()}
	s.pending = make([]int32, 0, len(s.records))
	for i := range s.records {
		r := &s.records[i]
		switch {
		case r.Kind() == plan.KindIssue:
			s.issues = append(s.issues, int32(i))
		case r.Kind() != plan.KindTask:
		case r.Pending():
			s.pending = append(s.pending, int32(i))
		case r.Done():
			s.done = append(s.done, int32(i))
		default:
			s.others = append(s.others, int32(i))
		}
	}
	return s
}

// BlockedBy returns the ids that hold a pending task back: other pending tasks
// and open issues. A dependency that is not in the plan holds nothing back.
func (s *Schedule) BlockedBy(task *plan.Record) []string {
	if !task.Pending() {
		return nil
	}
	return s.index.Waits(*task)
}

// Pending returns the tasks that are to be done, in the order of work: those of
// the current spec first, then by priority, then the oldest.
func (s *Schedule) Pending() []*plan.Record { return s.sorted(s.pending, s.urgency) }

// Ready returns the pending tasks that nothing holds back, in the order of
// work.
func (s *Schedule) Ready() []*plan.Record {
	ready := slices.DeleteFunc(slices.Clone(s.pending), func(at int32) bool { return s.index.Blocked(s.records[at]) })
	return s.sorted(ready, s.urgency)
}

// Done returns the tasks that are done, those of the current spec first, then
// the oldest.
func (s *Schedule) Done() []*plan.Record { return s.sorted(s.done, s.distance) }

// Others returns the tasks of a state that we do not know, those of the current
// spec first, then the oldest. They hold nothing back.
func (s *Schedule) Others() []*plan.Record { return s.sorted(s.others, s.distance) }

// Tasks returns all tasks: the pending, the done, then those of a state that we
// do not know.
func (s *Schedule) Tasks() []*plan.Record {
	return slices.Concat(s.Pending(), s.Done(), s.Others())
}

// Issues returns the open issues, those of the current spec first, then the
// oldest.
func (s *Schedule) Issues() []*plan.Record { return s.sorted(s.issues, s.distance) }

// urgency ranks a pending task: the smaller comes first, whatever its age.
func (s *Schedule) urgency(r *plan.Record) int {
	const specApart = 1 << 8 // more than there are priorities
	return s.distance(r)*specApart + plan.PriorityRank(r.Priority())
}

// distance is 0 for what belongs to the current spec, else 1.
func (s *Schedule) distance(r *plan.Record) int {
	if r.Spec() == s.spec {
		return 0
	}
	return 1
}

// A turn says when a record's turn comes. It is small and made once for each
// record: sorting looks at it many times.
type turn struct {
	rank int32
	at   int32  // place among the records
	born uint64 // 0 where only plan.Older can tell
}

func (s *Schedule) turn(at int32, rank func(*plan.Record) int) turn {
	r := &s.records[at]
	return turn{rank: int32(rank(r)), at: at, born: r.Born()}
}

func (s *Schedule) compare(a, b turn) int {
	switch {
	case a.rank != b.rank:
		return cmp.Compare(a.rank, b.rank)
	case a.born != b.born && a.born != 0 && b.born != 0:
		return cmp.Compare(a.born, b.born)
	}
	return cmp.Or(plan.Older(&s.records[a.at], &s.records[b.at]), cmp.Compare(a.at, b.at))
}

// sorted returns the records at some places by rank, then by age.
func (s *Schedule) sorted(places []int32, rank func(*plan.Record) int) []*plan.Record {
	turns := make([]turn, len(places))
	for i, at := range places {
		turns[i] = s.turn(at, rank)
	}
	slices.SortFunc(turns, s.compare)
	records := make([]*plan.Record, len(turns))
	for i, t := range turns {
		records[i] = &s.records[t.at]
	}
	return records
}
