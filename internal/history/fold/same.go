package fold

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A change is a field of a record before and after; each "" where the record does not have it.
type change struct {
	name    string
	was, is jsonl.Value
}

// changes returns what of a record changed but its state, sorted by name.
func changes(was, is plan.Record) []change {
	if was.JSON() == is.JSON() {
		return nil
	}
	var all []change
	old, now := contents(was), contents(is)
	for name, v := range old {
		if other, found := now[name]; !found || !sameValue(v, other) {
			all = append(all, change{name, v, other})
		}
	}
	for name, v := range now {
		if _, found := old[name]; !found {
			all = append(all, change{name, "", v})
		}
	}
	if x, y := stateWord(was), stateWord(is); x != y && !(plainState(was) && plainState(is)) {
		all = append(all, change{"s", jsonl.Quote(x), jsonl.Quote(y)})
	}
	slices.SortFunc(all, func(a, b change) int { return strings.Compare(a.name, b.name) })
	return all
}

// digest returns a short text that is the same for the same changes, however their values are spelled.
func digest(all []change) string {
	h := fnv.New64a()
	for _, c := range all {
		fmt.Fprintf(h, "%q %s %s\n", c.name, canonical(c.was), canonical(c.is))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// canonical returns the one spelling of values that mean the same, "" for none.
func canonical(v jsonl.Value) string {
	if v == "" {
		return ""
	}
	switch v.Kind() {
	case jsonl.String:
		text, _ := v.Str()
		return strconv.Quote(text)
	case jsonl.Array:
		elements, _ := v.Elements()
		texts := make([]string, len(elements))
		for i := range elements {
			texts[i] = canonical(elements[i])
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case jsonl.Map:
		object, _ := jsonl.ParseObject(string(v))
		var texts []string
		for _, m := range object.Members() {
			texts = append(texts, strconv.Quote(m.Name)+": "+canonical(m.Value))
		}
		slices.Sort(texts)
		return "{" + strings.Join(texts, ", ") + "}"
	}
	return string(v)
}

// inBoth returns the changes that are among others too, before which another value stood.
func inBoth(all, others []change) []change {
	return slices.DeleteFunc(slices.Clone(all), func(c change) bool {
		return !slices.ContainsFunc(others, func(o change) bool { return o.name == c.name })
	})
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
