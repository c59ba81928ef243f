package merge

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A version is a record as one input has it.
type version struct {
	rec   plan.Record
	line  int32
	there bool
}

// An entry is one task, issue or item, or the spec: the versions that the inputs
// have, and the result.
type entry struct {
	kind plan.Kind
	id   string
	was  [inputs]version

	out        plan.Record
	alive      bool        // there is a record in the result
	restored   bool        // one side had removed it
	hasDropped bool        // dependencies that an earlier merge dropped are in it again, to be decided about
	before     plan.Record // the record without them
}

// A name is how records name a task, an issue or an item. The spec's has no id.
type name struct {
	kind plan.Kind
	id   string
}

// nameOf returns the name of a record that is merged field by field; others
// have none.
func nameOf(r plan.Record) (name, bool) {
	switch {
	case r.Kind().HasUniqueID():
		return name{r.Kind(), r.ID()}, r.ID() != ""
	case r.Kind() == plan.KindSpec:
		return name{kind: r.Kind()}, true
	}
	return name{}, false
}

// group makes entries and whole lines of the touched records.
func (m *merger) group() {
	byName := map[name]*entry{}
	m.entries, m.wholeLines = nil, map[string]*wholeLine{}
	for i := range m.in {
		for _, t := range m.in[i].touched {
			n, named := nameOf(t.rec)
			if !named {
				m.addWholeLine(i, t)
				continue
			}
			e := byName[n]
			if e == nil {
				e = &entry{kind: n.kind, id: n.id}
				byName[n] = e
				m.entries = append(m.entries, e)
			}
			switch {
			case !e.was[i].there:
				e.was[i] = version{t.rec, t.line, true}
			case n.kind == plan.KindSpec:
				m.addWholeLine(i, t) // the first one is the spec
			default:
				m.repeated(m.in[i].who, n.kind, n.id, t.line)
			}
		}
	}
	slices.SortFunc(m.entries, func(a, b *entry) int {
		return cmp.Or(strings.Compare(a.id, b.id), strings.Compare(string(a.kind), string(b.kind)))
	})
	m.repeatedOutside(byName)
}

// repeatedOutside finds ids that a touched record shares with one that is the
// same everywhere. Most plans are sorted by id, as the entries are, so the
// entry for the next line is mostly the one for the line before, or the next
// one.
func (m *merger) repeatedOutside(byName map[name]*entry) {
	heads := make([]uint64, len(m.entries))
	for i, e := range m.entries {
		heads[i] = head(e.id)
	}
	at := 0
	for i, h := range m.in[base].heads {
		if at < len(heads) && heads[at] < h {
			at++
		}
		if at > 0 && heads[at-1] >= h || at < len(heads) && heads[at] < h {
			at, _ = slices.BinarySearch(heads, h)
		}
		if at < len(heads) && heads[at] == h && m.same[i] {
			m.repeatedAt(&m.in[base].keys[i], byName)
		}
	}
}

// repeatedAt notes that an entry has the id of a line that is the same everywhere,
// if one has.
func (m *merger) repeatedAt(l *plan.SortKey, byName map[name]*entry) {
	e := byName[name{l.Kind, l.ID}]
	if e == nil || l.ID == "" || !l.Kind.HasUniqueID() {
		return
	}
	for i, v := range e.was {
		if v.there {
			m.repeated(m.in[i].who, e.kind, e.id, v.line)
		}
	}
}

// untouched yields the lines of the base that are the same everywhere.
func (m *merger) untouched() iter.Seq2[int32, *plan.SortKey] {
	return func(yield func(int32, *plan.SortKey) bool) {
		keys := m.in[base].keys
		for i, same := range m.same {
			if same && !yield(int32(i), &keys[i]) {
				return
			}
		}
	}
}

// untouchedEntry makes an entry of a line of the base that is the same
// everywhere.
func (m *merger) untouchedEntry(at int32) *entry {
	rec, _ := m.reader.Record(jsonl.Line{Text: m.in[base].keys[at].Text})
	e := &entry{kind: rec.Kind(), id: rec.ID(), out: rec, alive: true}
	for i := range e.was {
		e.was[i] = version{rec, at, i == base}
	}
	m.entries = append(m.entries, e)
	return e
}

// same reports whether a side's record is the base's record of the same name: by
// the time of creation, or by what it is about where the times differ.
func same(base, side plan.Record) bool {
	a, b := base.CreatedAt(), side.CreatedAt()
	return a == "" || b == "" || a == b || wasFormerly(base, side) || wasFormerly(side, base) || alike(base, side)
}

// wasFormerly reports whether the "renamed_from" of r names other.
func wasFormerly(r, other plan.Record) bool {
	return hasFormerName(r, formerName{name{r.Kind(), other.ID()}, other.CreatedAt()})
}

// sameNew is same for two records that the base has not: without times of
// creation, only what they are about can decide.
func sameNew(a, b plan.Record) bool {
	return a.CreatedAt() != "" && a.CreatedAt() == b.CreatedAt() || wasFormerly(a, b) || wasFormerly(b, a) || alike(a, b)
}

func alike(a, b plan.Record) bool {
	return a.Kind() == plan.KindSpec || a.Name() == b.Name() && a.Spec() == b.Spec()
}
