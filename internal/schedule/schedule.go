package schedule

import (
	"cmp"
	"slices"
	"sync"

	"git-ralph/internal/plan"
)

// A Schedule answers questions about the order of work of one plan, as the
// plan was when the schedule was made. The records that it returns are the
// plan's own, and must not be changed.
type Schedule struct {
	spec    string
	index   *plan.DepIndex
	records []plan.Record
	pending []turn // in the order of work, like the others
	done    []turn
	issues  []turn
	others  []turn // tasks of a state that we do not know: other tools write such plans
}

// Of reads a plan's schedule.
func Of(p *plan.Plan) *Schedule {
	s := &Schedule{spec: p.Spec(), records: p.Records()}
	var indexing sync.WaitGroup
	indexing.Go(func() { s.index = p.DepIndex() })
	s.pending = make([]turn, 0, len(s.records))
	for i := range s.records {
		r := &s.records[i]
		switch {
		case r.Kind() == plan.KindIssue:
			s.issues = append(s.issues, s.turn(i, s.distance(r)))
		case r.Kind() != plan.KindTask:
		case r.Pending():
			s.pending = append(s.pending, s.turn(i, s.urgency(r)))
		case r.Done():
			s.done = append(s.done, s.turn(i, s.distance(r)))
		default:
			s.others = append(s.others, s.turn(i, s.distance(r)))
		}
	}
	for _, turns := range [...][]turn{s.pending, s.done, s.issues, s.others} {
		slices.SortFunc(turns, s.compare)
	}
	indexing.Wait()
	return s
}

// BlockedBy returns the ids that hold a pending task back: other pending tasks
// and open issues. A dependency that is not in the plan holds nothing back.
func (s *Schedule) BlockedBy(task *plan.Record) []string {
	if !task.Pending() {
		return nil
	}
	return s.index.BlockedBy(*task)
}

// Pending returns the tasks that are to be done, in the order of work: those of
// the current spec first, then by priority, then the oldest.
func (s *Schedule) Pending() []*plan.Record { return s.recordsOf(s.pending) }

// Done returns the tasks that are done, those of the current spec first, then
// the oldest.
func (s *Schedule) Done() []*plan.Record { return s.recordsOf(s.done) }

// Others returns the tasks of a state that we do not know, those of the current
// spec first, then the oldest. They hold nothing back.
func (s *Schedule) Others() []*plan.Record { return s.recordsOf(s.others) }

// Tasks returns all tasks: the pending, the done, then those of a state that we
// do not know.
func (s *Schedule) Tasks() []*plan.Record {
	return slices.Concat(s.Pending(), s.Done(), s.Others())
}

// Issues returns the open issues, those of the current spec first, then the
// oldest.
func (s *Schedule) Issues() []*plan.Record { return s.recordsOf(s.issues) }

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
	born uint64 // 0 where plan.Older is needed
}

func (s *Schedule) turn(at, rank int) turn {
	return turn{rank: int32(rank), at: int32(at), born: s.records[at].CreatedNumber()}
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

func (s *Schedule) recordsOf(turns []turn) []*plan.Record {
	records := make([]*plan.Record, len(turns))
	for i, t := range turns {
		records[i] = &s.records[t.at]
	}
	return records
}
