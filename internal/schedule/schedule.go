package schedule

import (
	"slices"
	"sync"

	"git-ralph/internal/pipeline"
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
	claims  Claims
	foreign bool // a time of creation is not in the form that we write

	notForAgents map[string]bool // see ForAgents; nil in most plans
	itemsDone    bool            // there is no spec, and nothing is left to do for the items
}

// Of returns the schedule of a plan.
func Of(p *plan.Plan) *Schedule {
	s := &Schedule{spec: p.Spec(), records: p.Records()}
	var indexing sync.WaitGroup
	indexing.Go(func() { s.index = p.DepIndex() })
	indexing.Go(func() { s.notForAgents = pipeline.NotForAgents(p) })
	s.itemsDone = s.spec == "" && pipeline.Of(p).AllFinal()
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
	for _, entries := range [...][]sortEntry{s.pending, s.done, s.issues, s.others} {
		s.sort(entries)
	}
	indexing.Wait()
	return s
}

// BlockedBy returns the ids that block a pending task: those of other pending
// tasks and of open issues. A dependency that is not in the plan blocks
// nothing.
func (s *Schedule) BlockedBy(task *plan.Record) []string {
	if !task.Pending() {
		return nil
	}
	return s.index.BlockedBy(task)
}

// ForAgents reports whether an agent may do a pending task, or verify a done one. The last steps of items are finished without any, and what was
// written for them is accepted without being verified.
func (s *Schedule) ForAgents(task *plan.Record) bool { return !s.notForAgents[task.ID()] }

// Ready returns the pending tasks for agents that wait for nothing, in the order of work.
func (s *Schedule) Ready() []*plan.Record {
	return slices.DeleteFunc(s.Pending(), func(r *plan.Record) bool { return !s.ForAgents(r) || s.index.Blocked(r) })
}

// ToVerify returns the done tasks that are to be accepted or rejected, in the order of Done.
func (s *Schedule) ToVerify() []*plan.Record {
	return slices.DeleteFunc(s.Done(), func(r *plan.Record) bool { return !s.ForAgents(r) })
}

// Pending returns the tasks that are to be done, in the order of work: those of
// the current spec first, then by priority, then the oldest.
func (s *Schedule) Pending() []*plan.Record { return s.recordsOf(s.pending) }

// Done returns the tasks that are done, those of the current spec first, then
// the oldest.
func (s *Schedule) Done() []*plan.Record { return s.recordsOf(s.done) }

// Others returns the tasks in a state that we do not know, those of the current
// spec first, then the oldest. They block nothing.
func (s *Schedule) Others() []*plan.Record { return s.recordsOf(s.others) }

// Tasks returns all tasks: the pending, the done, then those in a state that we
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
	const specApart = 1 << 3 // more than there are priorities
	return s.specRank(r)*specApart + plan.PriorityRank(r.Priority())
}

// specRank is 0 for what belongs to the current spec, else 1.
func (s *Schedule) specRank(r *plan.Record) int {
	if r.Spec() == s.spec {
		return 0
	}
	return 1
}

func (s *Schedule) recordsOf(entries []sortEntry) []*plan.Record {
	records := make([]*plan.Record, len(entries))
	for i, e := range entries {
		records[i] = &s.records[e.at]
	}
	return records
}
