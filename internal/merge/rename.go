package merge

import (
	"hash/fnv"
	"strconv"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// newNames are the ids that records of one input get, by the ids that they
// have there.
type newNames map[string]name

// rename gives newcomers of a side and a kind new ids, made of their content.
// References to them on that side follow.
func (m *merger) rename(side int, kind plan.Kind, all []newcomer) {
	names := newNames{}
	for _, n := range all {
		if e := n.entry; n.side == side && e.kind == kind {
			names[e.id] = name{kind, m.freshID(e.was[side].rec)}
		}
	}
	if len(names) == 0 {
		return
	}
	in := &m.in[side]
	for i := range in.touched {
		t := &in.touched[i]
		old, created := t.rec.ID(), t.rec.CreatedAt()
		followed := names.follow(t.rec)
		if n, named := nameOf(t.rec); named && names[old].kind == n.kind && n.id != "" {
			followed = addFormer(followed, [2]string{old, created})
		}
		t.rec = followed
	}
}

// freshID makes an id from the content of a record. It grows until no input has
// it, and no other record got it.
func (m *merger) freshID(r plan.Record) string {
	prefix := r.ID()[:min(len("t-"), len(r.ID()))]
	if !plan.ValidID(r.Kind(), prefix+"0") {
		prefix = plan.IDPrefix(r.Kind())
	}
	for length := shortestID; ; length++ {
		id := prefix + digest(r, length)
		if !m.hasID(id) {
			m.known[id] = true
			return id
		}
	}
}

const shortestID = 4

// hasID reports whether any input has an id anywhere, or a record got it.
func (m *merger) hasID(id string) bool {
	if m.known == nil {
		m.known = map[string]bool{}
		for i := range m.in {
			for text := range strings.SplitSeq(m.in[i].data, `"`) {
				if len(text) > 2 && text[1] == '-' {
					m.known[text] = true
				}
			}
			m.steps += len(m.in[i].data)
		}
	}
	return m.known[id]
}

// digest returns a hash of a record in base 36. A shorter one is the beginning
// of a longer one. It is made of what never changes in the record, if possible:
// two clones that rename a record, one of them after an edit, give it the same
// id.
func digest(r plan.Record, length int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	parts := []string{string(r.Kind()), r.ID(), r.CreatedAt()}
	if r.CreatedAt() == "" {
		parts = append(parts, r.Spec(), r.Name())
	}
	var word []byte
	for round := 0; len(word) < length; round++ {
		h := fnv.New128a()
		for _, part := range append(parts, strconv.Itoa(round)) {
			h.Write([]byte(part + "\x00"))
		}
		for _, b := range h.Sum(nil) {
			word = append(word, digits[int(b)%len(digits)])
		}
	}
	return string(word[:length])
}

// follow returns a record with the new names in its id and in its references.
func (names newNames) follow(r plan.Record) plan.Record {
	if !names.mentioned(r) {
		return r
	}
	members := r.Object().Members()
	changed := false
	for i := range members {
		v := names.followField(r.Kind(), members[i])
		changed = changed || v != members[i].Value
		members[i].Value = v
	}
	if !changed {
		return r
	}
	return plan.MakeRecord(r.Kind(), members)
}

func (names newNames) mentioned(r plan.Record) bool {
	return mentions(r.JSON(), func(id string) bool { _, found := names[id]; return found })
}

// mentions reports whether a line contains one of some strings, or may contain
// one because it has an escape.
func mentions(line string, some func(text string) bool) bool {
	if strings.IndexByte(line, '\\') >= 0 {
		return true
	}
	for text := range strings.SplitSeq(line, `"`) {
		if some(text) {
			return true
		}
	}
	return false
}

func (names newNames) followField(kind plan.Kind, m jsonl.Member) jsonl.Value {
	text, _ := m.Value.Str()
	to, found := names[text]
	switch m.Name {
	case "id":
		if found && (kind == to.kind || kind == plan.KindReject && to.kind == plan.KindTask) {
			return jsonl.Quote(to.id)
		}
	case "parent", "created_from", "supersedes":
		if found && kind.HasUniqueID() {
			return jsonl.Quote(to.id)
		}
	case "deps", "blocked_by":
		if kind.HasUniqueID() && (m.Name == "deps" || kind == plan.KindItem) {
			return names.followDeps(m.Value)
		}
	}
	return m.Value
}

// references returns the ids in which follow may change a record, besides its own.
func references(r plan.Record) []string {
	return append(depsOf(r), r.Text("parent"), r.Text("created_from"), r.Text("supersedes"))
}

func (names newNames) followDeps(v jsonl.Value) jsonl.Value {
	deps := elementsOf(v)
	changed := false
	for i, dep := range deps {
		if to, found := names[dep]; found {
			deps[i], changed = to.id, true
		}
	}
	if !changed {
		return v
	}
	return listOf(distinct(deps))
}
