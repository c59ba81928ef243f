package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// relate says what took the place of tasks that are gone.
func (f *folder) relate() {
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
		f.short()
		for _, id := range append([]string{life.ID}, life.Former...) {
			life.DecomposedInto = append(life.DecomposedInto, children[id]...)
		}
		slices.Sort(life.DecomposedInto)
		life.DecomposedInto = slices.Compact(life.DecomposedInto)
	}
}

// forgotten finds the last record of lives that no event has one of: those that
// were there before all commits at hand and that a merge dropped.
func (f *folder) forgotten(lives *registry) {
	wanted := map[*Life]bool{}
	for _, life := range lives.all {
		if life.Record.JSON() == "" && slices.ContainsFunc(life.members, func(n int) bool { return lives.written[n] }) {
			wanted[life] = true
		}
	}
	if len(wanted) > 0 {
		f.short()
	}
	for at := 0; at < len(f.commits) && len(wanted) > 0; at++ {
		if !f.changedByID(at) {
			continue
		}
		for life, record := range f.recordsAt(int32(at), lives) {
			if wanted[life] {
				life.Record, life.Name, life.Spec = record, record.Name(), record.Spec()
				delete(wanted, life)
			}
		}
	}
}
