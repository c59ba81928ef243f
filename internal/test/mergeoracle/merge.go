package mergeoracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Verdict is what the oracle says of a merged plan.
type Verdict struct {
	Wrong string // in what it is not what the rules say; "" for nothing
	Both  int    // how many records both sides changed, in different ways
	Open  int    // how many records have a field that the oracle does not judge
}

// A merger knows three plans.
type merger struct {
	base, x, y file
	lines      map[string]int  // of the merged plan: those that are not merged by fields
	moved      map[string]bool // ids that are given to several records, or were: references to them follow
	fates      map[string]*fate
	both       int
}

// Check compares a merged plan with what the rules say.
func Check(base, x, y, merged []byte) (v Verdict) {
	if want, ok := oneSided(string(base), string(x), string(y)); ok {
		if string(merged) != want {
			v.Wrong = "only one side changed anything, and it is not as there"
		}
		return v
	}
	m := &merger{base: fileOf(base), x: fileOf(x), y: fileOf(y), moved: map[string]bool{}, fates: map[string]*fate{}}
	m.findMoved()
	m.mergeLines()
	for key := range m.keys() {
		m.fates[key] = m.fateOf(key)
	}
	m.dependencies()
	m.spec()
	return m.compare(fileOf(merged))
}

// keys are those of all records.
func (m *merger) keys() map[string]bool {
	all := map[string]bool{}
	for _, f := range []file{m.base, m.x, m.y} {
		for key := range f.records {
			all[key] = true
		}
	}
	return all
}

// findMoved finds the ids that several records have, and those that records had.
func (m *merger) findMoved() {
	for key := range m.keys() {
		var met []record
		for _, f := range []file{m.base, m.x, m.y} {
			r := f.records[key]
			if !r.is() {
				continue
			}
			for _, o := range met {
				m.moved[r.id] = m.moved[r.id] || !r.isSame(o, !m.base.records[key].is())
			}
			met = append(met, r)
			names, _ := r.fields["renamed_from"].list()
			for _, name := range names {
				m.moved[r.id], m.moved[name.text()] = true, true
			}
		}
	}
}

// mergeLines merges the lines that have no identity: by how often each is there.
func (m *merger) mergeLines() {
	m.lines = map[string]int{}
	for _, f := range []file{m.base, m.x, m.y} {
		for line := range f.lines {
			n := m.base.lines[line]
			a, b := m.x.lines[line]-n, m.y.lines[line]-n
			switch {
			case a > 0 && b > 0:
				n += max(a, b)
			case a < 0 && b < 0:
				n += min(a, b)
			default:
				n += a + b
			}
			m.lines[line] = n
		}
	}
}

// rejects reports whether a tombstone of the merged plan names the attempt of a done task.
func (m *merger) rejects(r record) bool {
	for line, n := range m.lines {
		tomb := recordOf(line)
		if n <= 0 || tomb.kind != "reject" || tomb.id != r.id {
			continue
		}
		a, b := tomb.fields["attempt"].text(), r.fields["attempt"].text()
		at, done := tomb.fields["done_at"].text(), r.fields["done_at"].text()
		if a != "" && b != "" {
			if a == b {
				return true
			}
		} else if at != "" && done != "" && (strings.HasPrefix(at, done) || strings.HasPrefix(done, at)) {
			return true
		}
	}
	return false
}

// fateOf says what becomes of a record; what it waits for is merged later.
func (m *merger) fateOf(key string) *fate {
	b, x, y := m.base.records[key], m.x.records[key], m.y.records[key]
	isMoved := slices.ContainsFunc([]record{b, x, y}, func(r record) bool { return m.moved[r.id] || m.follows(r) })
	if x.line == y.line || x.line == b.line || y.line == b.line {
		if line, _ := oneSided(b.line, x.line, y.line); !isMoved || b.line == x.line && x.line == y.line && !m.moved[b.id] {
			f := &fate{line: line, isGone: line == ""}
			if isRespelled := b.line != x.line || x.line != y.line; isRespelled && b.meaning() == x.meaning() && x.meaning() == y.meaning() { // either spelling may stay
				f.byFields(x)
			}
			return f
		}
	}
	m.both++
	switch {
	case isMoved:
		return nil
	case !x.is():
		return m.removed(b, y)
	case !y.is():
		return m.removed(b, x)
	}
	if !b.is() {
		b = record{kind: x.kind, id: x.id, fields: map[string]value{}}
	}
	return m.mergeFields(b, x, y)
}

// follows reports whether a record points at an id that another record gets.
func (m *merger) follows(r record) bool {
	return slices.ContainsFunc(pointers, func(field string) bool {
		return slices.ContainsFunc(r.pointsAt(field), func(id value) bool { return m.moved[id.text()] })
	})
}

// removed says what becomes of a record that one side removed and the other one changed.
func (m *merger) removed(b, other record) *fate {
	f := &fate{line: other.line}
	isDone := b.kind == "task" && b.done()
	switch {
	case b.saysSame(other):
		return &fate{isGone: true}
	case isDone && m.rejects(b):
		return f
	case isDone && other.done():
		return &fate{isGone: true}
	}
	f.byFields(other)
	was, _ := other.conflict()
	f.fields["removed"] = []outcome{{value: other.fields["removed"], candidates: sorted(append(was["removed"], "true"))}}
	return f
}

// compare compares a merged plan with the fates.
func (m *merger) compare(got file) (v Verdict) {
	v.Both = m.both
	for _, r := range got.records {
		m.moved[r.id] = m.moved[r.id] || r.fields["renamed_from"] != ""
	}
	for _, key := range slices.Sorted(maps.Keys(m.fates)) {
		f := m.fates[key]
		if f == nil {
			v.Open++
			continue
		}
		if slices.Contains(slices.Collect(maps.Values(f.open)), true) {
			v.Open++
		}
		if wrong := f.differs(got.records[key]); wrong != "" {
			v.Wrong = key + " " + wrong
			return v
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got.records)) {
		if _, known := m.fates[key]; !known && !m.moved[got.records[key].id] && len(got.records[key].fields["renamed_from"]) == 0 {
			v.Wrong = "nobody has " + key
		}
	}
	for line := range maps.Keys(merged(m.lines, got.lines)) {
		if isBlank := strings.TrimSpace(line) == ""; isBlank && got.lines[line] == 0 { // canonical
			continue
		}
		if !m.moved[recordOf(line).id] && max(m.lines[line], 0) != got.lines[line] {
			v.Wrong = fmt.Sprintf("%d times the line %s, want %d", got.lines[line], line, m.lines[line])
		}
	}
	return v
}

func merged[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
