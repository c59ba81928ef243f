package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// findDecompositions finds the cancellations of tasks that others took the place of: the message says so, or the commit adds one of
// them, or the task ended with it and some of them had not left the plan before.
func (f *builder) findDecompositions() error {
	children := map[string][]*Life{}
	for _, life := range f.result.Lives {
		if parent := life.Record.Text("parent"); parent != "" && life.Kind == plan.KindTask {
			children[parent] = append(children[parent], life)
		}
	}
	for _, life := range f.result.Lives {
		if !slices.ContainsFunc(life.Events, func(e *Event) bool { return e.Name == plan.EventCancelled }) {
			continue
		}
		if err := f.needWhole(); err != nil {
			return err
		}
		of := children[life.ID]
		for _, id := range life.Former {
			of = append(slices.Clip(of), children[id]...)
		}
		for _, e := range life.Events {
			e.decomposes = e.Name == plan.EventCancelled && f.isDecomposition(e, of)
		}
		if life.Status == Cancelled {
			life.DecomposedInto = f.remaining(of, life.Outcome)
			life.Outcome.decomposes = life.Outcome.decomposes || len(life.DecomposedInto) > 0
		}
	}
	return nil
}

// isDecomposition reports whether a commit that records a cancellation says that others took the task's place, or brings one of them.
func (f *builder) isDecomposition(e *Event, children []*Life) bool {
	return slices.ContainsFunc(e.copies, func(t occurrence) bool {
		return f.recorded(t).Divided || slices.ContainsFunc(children, func(child *Life) bool {
			return f.some(child, func(b occurrence) bool { return b.at == t.at && f.recorded(b).Begins() })
		})
	})
}

// remaining returns the ids of those tasks that had not left the plan before an event.
func (f *builder) remaining(tasks []*Life, e *Event) (ids []string) {
	var above []bool
	isBefore := func(t occurrence) bool {
		if t.at > e.at && above == nil {
			above = f.Graph.Reached(e.at)
		}
		return t.at > e.at && above[t.at]
	}
	for _, task := range tasks {
		left := f.some(task, func(t occurrence) bool {
			return f.recorded(t).Ends() && isBefore(t) && !slices.ContainsFunc(f.undone[t], func(b occurrence) bool { return b.at == e.at || isBefore(b) })
		})
		if !left {
			ids = append(ids, task.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// some reports whether a condition holds for some commit's report of an event of a life.
func (f *builder) some(l *Life, is func(occurrence) bool) bool {
	return slices.ContainsFunc(l.Events, func(e *Event) bool { return slices.ContainsFunc(e.copies, is) })
}

// findLastRecords finds the last record of lives that no event has one of: those that
// were there before all commits of the graph and that a merge dropped.
func (f *builder) findLastRecords(lives *registry) error {
	wanted := map[*Life]bool{}
	for _, life := range lives.all {
		if life.Record.JSON() == "" && slices.ContainsFunc(life.members, func(n int) bool { return lives.written[n] }) {
			wanted[life] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if err := f.needWhole(); err != nil {
		return err
	}
	for at := 0; at < len(f.commits) && len(wanted) > 0; at++ {
		if !f.changedByID(at) {
			continue
		}
		records, err := f.recordsAt(int32(at), lives)
		if err != nil {
			return err
		}
		for life, record := range records {
			if wanted[life] {
				life.Record, life.Name, life.Spec = record, record.Name(), record.Spec()
				delete(wanted, life)
			}
		}
	}
	return nil
}

// changedByID reports whether a commit has another plan than its first parent.
func (f *builder) changedByID(at int) bool {
	parents := f.Parents(int32(at))
	return len(parents) == 0 || parents[0] < 0 || f.commits[parents[0]].Plan != f.commits[at].Plan
}
