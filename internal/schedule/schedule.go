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
	pending []sortEntry // in the order of work, like the others
	done    []sortEntry
	issues  []sortEntry
	others  []sortEntry // tasks in an unknown state, which other tools write
}

// Of returns the schedule of a plan.
func Of(p *plan.Plan) *Schedule {
	s := &Schedule{spec: p.Spec(), records: p.Records()}
	var indexing sync.WaitGroup
	indexing.Go(func() { s.index = p.DepIndex() })
	s.pending = make([]sortEntry, 0, len(s.records))
	for i := range s.records {
		r := &s.records[i]
		switch {
		case r.Kind() == plan.KindIssue:
			s.issues = append(s.issues, s.newSortEntry(i, s.specRank(r)))
		case r.Kind() != plan.KindTask:
		case r.Pending():
			s.pending = append(s.pending, s.newSortEntry(i, s.pendingRank(r)))
		case r.Done():
			s.done = append(s.done, s.newSortEntry(i, s.specRank(r)))
		default:
			s.others = append(s.others, s.newSortEntry(i, s.specRank(r)))
		}
	}
	for _, turns := range [...][]sortEntry{s.pending, s.done, s.issues, s.others} {
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

// pendingRank ranks a pending task by spec and priority. The smallest comes first;
// age decides only between equals.
func (s *Schedule) pendingRank(r *plan.Record) int {
	const specApart = 1 << 8 // more than there are priorities
	return s.specRank(r)*specApart + plan.PriorityRank(r.Priority())
}

// specRank is 0 for what belongs to the current spec, else 1.
func (s *Schedule) specRank(r *plan.Record) int {
	if r.Spec() == s.spec {
		return 0
	}
	return 1
}

// A sortEntry holds what the order of work compares of a record. It is small and
// made once for each record, because sorting compares it many times.
type sortEntry struct {
	rank int32
	at   int32  // place among the records
	born uint64 // 0 where plan.Older is needed
}

func (s *Schedule) newSortEntry(at, rank int) sortEntry {
	return sortEntry{rank: int32(rank), at: int32(at), born: s.records[at].CreatedNumber()}
}

func (s *Schedule) compare(a, b sortEntry) int {
	switch {
	case a.rank != b.rank:
		return cmp.Compare(a.rank, b.rank)
	case a.born != b.born && a.born != 0 && b.born != 0:
		return cmp.Compare(a.born, b.born)
	}
	return cmp.Or(plan.Older(&s.records[a.at], &s.records[b.at]), cmp.Compare(a.at, b.at))
}

func (s *Schedule) recordsOf(turns []sortEntry) []*plan.Record {
	records := make([]*plan.Record, len(turns))
	for i, t := range turns {
		records[i] = &s.records[t.at]
	}
	return records
}
