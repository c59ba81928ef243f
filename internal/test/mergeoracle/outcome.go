package mergeoracle

import (
	"fmt"
	"slices"
	"strings"
)

// An outcome is what becomes of a field.
type outcome struct {
	value      value    // "" for none
	candidates []value  // what is recorded of it, sorted; nil for no conflict
	words      []string // instead of a value: those of a text, whatever stands between them
	isSet      bool     // the value is a list whose order is nobody's business
}

func just(v value) []outcome { return []outcome{{value: v}} }

func setOf(elements []value) []outcome { return []outcome{{value: listOf(elements), isSet: true}} }

// recorded is the outcome of values that contradict each other. There is no conflict where they are one.
func recorded(shown value, candidates []value) outcome {
	all := slices.Compact(slices.Sorted(slices.Values(candidates)))
	if len(all) == 1 && all[0] == shown.orNone() {
		return outcome{value: shown}
	}
	return outcome{value: shown, candidates: all}
}

// disagree is the outcome of two values of which neither is better than the other one.
func disagree(x, y value) []outcome {
	return []outcome{recorded(winner([]value{x, y}), []value{x.orNone(), y.orNone()})}
}

// disagreeing is the outcome of one value, or of two of which neither is better than the other one, as candidates spell them.
func disagreeing(all []value) []outcome {
	for i, v := range all {
		if v == none {
			all[i] = ""
		}
	}
	return disagree(all[0], all[len(all)-1])
}

// is reports whether a field became that.
func (o outcome) is(v value, candidates []value) bool {
	if o.isSet && o.value == "[]" && v == "" { // no field is an empty set
		v = o.value
	}
	if isNone(o.candidates, o.value) != isNone(candidates, v) {
		return false
	}
	got, want := withShown(candidates, v), withShown(o.candidates, o.value)
	if o.words != nil {
		want = withShown(o.candidates, v)
	}
	if !isNone(candidates, v) && !slices.Equal(got, want) {
		return false
	}
	switch {
	case o.words != nil:
		return v.isText() && slices.Equal(strings.Fields(v.text()), o.words)
	case o.isSet:
		got, isList := v.list()
		want, _ := o.value.list()
		slices.Sort(got)
		slices.Sort(want)
		return isList && slices.Equal(got, want)
	}
	return v == o.value || len(o.candidates) > 0 && v.orNone() == o.value.orNone()
}

// isNone reports whether candidates are no conflict.
func isNone(all []value, shown value) bool { return len(withShown(all, shown)) == 1 }

// withShown returns candidates, among which is the value that is shown.
func withShown(all []value, shown value) []value {
	return slices.Compact(sorted(append(slices.Clone(all), shown.orNone())))
}

func (o outcome) String() string {
	text := string(o.value.orNone())
	if o.words != nil {
		text = fmt.Sprintf("%q", o.words)
	}
	if o.candidates != nil {
		text += fmt.Sprintf(" of %s", o.candidates)
	}
	return text
}

// A fate is what becomes of a record.
type fate struct {
	isGone bool
	line   string // the whole line, byte for byte; "" where it is merged by fields
	fields map[string][]outcome
	open   map[string]bool // fields that the rules leave open
}

// of makes a fate of fields of one that is a line.
func (f *fate) byFields(r record) {
	if f.line == "" {
		return
	}
	*f = fate{fields: map[string][]outcome{}, open: map[string]bool{}}
	candidates, ok := r.conflict()
	for name, v := range r.fields {
		if name != "conflict" {
			f.fields[name] = []outcome{{value: v, candidates: sorted(candidates[name])}}
		}
	}
	for name, all := range candidates {
		if f.open[name] = !ok; name == "conflict" || r.fields[name] == "" {
			f.fields[name] = []outcome{{candidates: sorted(all)}}
		}
	}
}

func sorted(all []value) []value {
	for i := range all {
		all[i] = value(spelled(string(all[i]), 1))
	}
	return slices.Sorted(slices.Values(all))
}

// differs returns in what a record of the merged plan is not what it must be.
func (f fate) differs(got record) string {
	switch {
	case f.isGone && got.is():
		return "is there: " + got.line
	case f.isGone:
		return ""
	case !got.is():
		return "is gone"
	case f.line != "":
		if got.line != f.line {
			return "is not " + f.line
		}
		return ""
	}
	candidates, ok := got.conflict()
	names := map[string]bool{}
	for name := range f.fields {
		names[name] = true
	}
	for name := range got.fields {
		names[name] = name != "conflict"
	}
	for name := range candidates {
		names[name] = true
	}
	for name := range names {
		v := got.fields[name]
		if name == "conflict" { // what is recorded of it
			v = ""
		}
		if !names[name] || f.open[name] || !ok && v == "" {
			continue
		}
		wanted := f.fields[name]
		if wanted == nil {
			wanted = just("")
		}
		if !slices.ContainsFunc(wanted, func(o outcome) bool { return o.is(v, candidates[name]) }) {
			return fmt.Sprintf("has %s = %s of %s, want %v", name, v.orNone(), candidates[name], wanted)
		}
	}
	return ""
}
