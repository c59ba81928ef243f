package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// findDecompositions finds what took the place of tasks that were cancelled.
func (f *builder) findDecompositions() error {
	children := map[string][]string{}
	for _, life := range f.result.Lives {
		if parent := life.Record.Text("parent"); parent != "" && life.Kind == plan.KindTask {
			children[parent] = append(children[parent], life.ID)
		}
	}
	for _, life := range f.result.Lives {
		if life.Status != Cancelled || life.Kind != plan.KindTask {
			continue
		}
		if err := f.needWhole(); err != nil {
			return err
		}
		for _, id := range append([]string{life.ID}, life.Former...) {
			life.DecomposedInto = append(life.DecomposedInto, children[id]...)
		}
		slices.Sort(life.DecomposedInto)
		life.DecomposedInto = slices.Compact(life.DecomposedInto)
	}
	return nil
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
