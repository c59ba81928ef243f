package merge

import (
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An inheritance is who replaced the removed tasks.
type inheritance struct {
	heirs map[string][]heir       // of each removed task: the tasks that name it in "parent" or "supersedes", sorted
	alone [inputs]map[string]bool // the removed tasks that a side replaced by itself, by all of these heirs
}

// An heir is a task of the result that replaced a removed one.
type heir struct {
	id string
	e  *entry       // nil for a task that is the same everywhere
	on [inputs]bool // the versions in which it names the removed task
}

// followHeirs moves new dependencies on a removed task to its heirs, the tasks
// that replaced it: those that name it in "parent" or "supersedes". It reports
// whether there were any. Beyond maxInherited, all stay as they are.
func (m *merger) followHeirs() bool {
	in := inheritance{heirs: m.heirs()}
	if len(in.heirs) == 0 {
		return false
	}
	for _, side := range [...]int{one, two} {
		in.alone[side] = m.replacedBy(side, in.heirs)
	}
	moved, n := map[*entry]map[string]bool{}, 0
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive {
			moved[e] = in.moved(e)
			for dep := range moved[e] {
				n += len(in.heirs[dep])
			}
		}
	}
	if n > maxInherited {
		return false
	}
	for e, deps := range moved {
		e.inherit(deps, in.heirs)
	}
	return true
}

// maxInherited is the maximum number of dependencies on heirs. Many tasks that
// wait for one with many heirs would make a plan as large as the product of
// both.
const maxInherited = 1 << 16

// heirs returns the heirs of the tasks that others miss, by their ids.
func (m *merger) heirs() map[string][]heir {
	heirs, gone := map[string][]heir{}, m.missed()
	add := func(r plan.Record, e *entry, names func(in int, link string) bool) {
		for _, link := range linksOf(r) {
			if gone[link] {
				h := heir{id: r.ID(), e: e}
				for in := range h.on {
					h.on[in] = names(in, link)
				}
				heirs[link] = append(heirs[link], h)
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive {
			add(e.out, e, func(in int, link string) bool {
				return e.was[in].there && slices.Contains(linksOf(e.was[in].rec), link)
			})
		}
	}
	for _, l := range m.untouched() {
		if l.Kind == plan.KindTask {
			r, _ := m.reader.Record(jsonl.Line{Text: l.Text})
			add(r, nil, func(int, string) bool { return true })
		}
	}
	for _, all := range heirs {
		slices.SortFunc(all, func(a, b heir) int { return strings.Compare(a.id, b.id) })
	}
	return heirs
}

// missed returns the tasks that are in an input and not in the result, and that a task newly waits for.
func (m *merger) missed() map[string]bool {
	gone, missed := map[string]bool{}, map[string]bool{}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && !e.alive {
			gone[e.id] = true
		}
	}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.alive {
			delete(gone, e.id)
		}
	}
	for _, e := range m.entries {
		if len(gone) == 0 || e.kind != plan.KindTask || !e.alive {
			continue
		}
		for _, dep := range e.added() {
			if gone[dep] {
				missed[dep] = true
			}
		}
	}
	return missed
}

// linksOf returns the tasks that a task replaces.
func linksOf(r plan.Record) []string {
	return distinct([]string{r.Text("parent"), r.Text("supersedes")})
}

// replacedBy returns the removed tasks that a side has not, while it has all
// their heirs.
func (m *merger) replacedBy(side int, heirs map[string][]heir) map[string]bool {
	replaced := map[string]bool{}
	for id, all := range heirs {
		replaced[id] = !slices.ContainsFunc(all, func(h heir) bool { return !h.on[side] })
	}
	for _, e := range m.entries {
		if e.kind == plan.KindTask && e.was[side].there {
			delete(replaced, e.id)
		}
	}
	return replaced
}

// moved returns the new dependencies of a task that its heirs take over. A side
// that has one on a task that it replaced by itself wants it so: it stays,
// unless the other side added it as well.
func (in inheritance) moved(e *entry) map[string]bool {
	added := slices.DeleteFunc(e.added(), func(dep string) bool { return len(in.heirs[dep]) == 0 })
	if len(added) == 0 {
		return nil
	}
	moved, wanted := plan.SetOf(added), map[string]bool{}
	for _, side := range [...]int{one, two} {
		for _, dep := range depsOf(e.was[side].rec) {
			isWanted, found := wanted[dep]
			wanted[dep] = in.alone[side][dep] && (isWanted || !found)
		}
	}
	maps.DeleteFunc(moved, func(dep string, _ bool) bool { return wanted[dep] })
	return moved
}

// inherit moves dependencies of one task to heirs.
func (e *entry) inherit(moved map[string]bool, heirs map[string][]heir) {
	if len(moved) == 0 {
		return
	}
	var deps []string
	seen := map[string]bool{}
	add := func(dep string) {
		if !seen[dep] {
			seen[dep] = true
			deps = append(deps, dep)
		}
	}
	for _, dep := range depsOf(e.out) {
		if !moved[dep] {
			add(dep)
			continue
		}
		for _, h := range heirs[dep] {
			if h.e != e {
				add(h.id)
			}
		}
	}
	e.out = setDeps(e.out, deps)
}
