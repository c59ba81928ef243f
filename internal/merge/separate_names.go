package merge

import (
	"slices"

	"git-ralph/internal/plan"
)

// A newcomer is a side's record of an entry that is another one than the record of the same name in the base or on the other
// side. One that is renamed gets another id.
type newcomer struct {
	entry *entry
	side  int
}

// separateNames gives a new id to one of two different records that have one name (docs/merge.md, "Two tasks with one id"),
// and splits entries in which a record was removed and another one was added under its name.
func (m *merger) separateNames() {
	if all := m.renamedNewcomers(); len(all) > 0 {
		m.renamed = true
		// Records of two kinds may have one id; if both get another one, what refers to it follows the one that comes first here.
		for _, kind := range [...]plan.Kind{plan.KindTask, plan.KindIssue, plan.KindItem} {
			m.rename(one, kind, all)
			m.rename(two, kind, all)
		}
		m.group()
	}
	for _, e := range slices.Clone(m.entries) {
		if newcomer := e.split(); newcomer != nil {
			m.entries = append(m.entries, newcomer)
		}
	}
}

// renamedNewcomers returns the newcomers that get another id. Records of their side that refer to them will follow, and
// count as changed then: a newcomer of the other side beside such a record gets another id too.
func (m *merger) renamedNewcomers() (all []newcomer) {
	type reference struct {
		side int
		id   string
	}
	beside := map[reference][]newcomer{} // newcomers that keep their ids, by what is referred to in the record beside them
	for _, e := range m.entries {
		switch side, kept := e.newcomer(); {
		case side == base:
		case kept == base || e.was[base].rec.JSON() != e.was[kept].rec.JSON():
			all = append(all, newcomer{e, side})
		default:
			for _, id := range references(e.was[kept].rec) {
				at := reference{kept, id}
				beside[at] = append(beside[at], newcomer{e, side})
			}
		}
	}
	seen := map[*entry]bool{}
	for i := 0; i < len(all); i++ {
		for _, n := range beside[reference{all[i].side, all[i].entry.id}] {
			if !seen[n.entry] {
				seen[n.entry] = true
				all = append(all, n)
			}
		}
	}
	return all
}

// newcomer returns the side whose record of an entry is a newcomer beside a record of the other side, or base where there is
// none, and the side that has the base's record, or base where the newcomer of the other side keeps the id.
func (e *entry) newcomer() (side, kept int) {
	b, x, y := &e.was[base], &e.was[one], &e.was[two]
	if !x.there || !y.there {
		return base, base
	}
	oldX, oldY := b.there && same(b.rec, x.rec), b.there && same(b.rec, y.rec)
	switch {
	case oldX && oldY, !oldX && !oldY && sameNew(x.rec, y.rec):
		return base, base
	case oldX:
		return two, one
	case oldY:
		return one, two
	case x.rec.JSON() > y.rec.JSON():
		return one, base
	}
	return two, base
}

// split takes records out of an entry that are not the base's, and returns
// them as an entry of their own, or nil.
func (e *entry) split() *entry {
	if !e.was[base].there {
		return nil
	}
	var other *entry
	for _, side := range [...]int{one, two} {
		v := &e.was[side]
		if !v.there || same(e.was[base].rec, v.rec) {
			continue
		}
		if other == nil {
			other = &entry{kind: e.kind, id: e.id}
		}
		other.was[side], *v = *v, version{}
	}
	return other
}
