package fold

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// edited tells whether anything of a record changed but its state.
func edited(was, is plan.Record) bool {
	if was.JSON() == is.JSON() {
		return false
	}
	old, now := contents(was), contents(is)
	if len(old) != len(now) || stateWord(was) != stateWord(is) && !(plainState(was) && plainState(is)) {
		return true
	}
	for name, v := range old {
		if other, found := now[name]; !found || !sameValue(v, other) {
			return true
		}
	}
	return false
}

func stateWord(r plan.Record) string { return r.Text("s") }

// plainState tells whether a record's state is one that events tell of.
func plainState(r plan.Record) bool { return r.Pending() || r.Done() }

// contents returns the fields of a record that say what it is, not how it
// stands. A known field that holds null is none.
func contents(r plan.Record) map[string]jsonl.Value {
	o := r.Object()
	fields := make(map[string]jsonl.Value, o.Len())
	for _, m := range o.Members() {
		if !isState(r.Kind(), m.Name) && !(m.Value == "null" && plan.IsKnown(r.Kind(), m.Name)) {
			fields[m.Name] = m.Value
		}
	}
	return fields
}

func isState(kind plan.Kind, name string) bool {
	if kind != plan.KindTask {
		return false
	}
	switch name {
	case "s", "done_at", "attempt", "reject", "kill", "kill_log":
		return true
	}
	return false
}

// sameValue tells whether two values mean the same: strings by what they say,
// numbers by how they are spelled, objects whatever the order of their members.
func sameValue(a, b jsonl.Value) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonl.String:
		x, _ := a.Str()
		y, _ := b.Str()
		return x == y
	case jsonl.Array:
		return sameElements(a, b)
	case jsonl.Map:
		return sameMembers(a, b)
	}
	return false
}

func sameElements(a, b jsonl.Value) bool {
	x, _ := a.Elements()
	y, _ := b.Elements()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !sameValue(x[i], y[i]) {
			return false
		}
	}
	return true
}

func sameMembers(a, b jsonl.Value) bool {
	x, _ := jsonl.ParseObject(string(a))
	y, _ := jsonl.ParseObject(string(b))
	if x.Len() != y.Len() {
		return false
	}
	for _, m := range x.Members() {
		if other, found := y.Get(m.Name); !found || !sameValue(m.Value, other) {
			return false
		}
	}
	return true
}
