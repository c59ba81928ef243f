package merge

import (
	"maps"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A choice is what a version says of a field: the value that it shows, and all
// that the field could have. These are one and the same unless a conflict is
// recorded. "" is no value.
type choice struct {
	shown jsonl.Value
	all   []jsonl.Value // no two the same; the shown one among them
}

// choice reads a field of a version.
func (r *record) choice(name string, from []jsonl.Member, held candidates) choice {
	c := choice{shown: get(from, name)}
	if isAbsent(r.kind, name, c.shown) {
		c.shown = ""
	}
	for _, v := range held[name] {
		if v == "null" && c.shown != "null" {
			v = ""
		}
		c.all = append(c.all, v)
	}
	if !r.has(name, c.all, c.shown) {
		c.all = append(c.all, c.shown)
	}
	return c
}

// union returns the elements of all candidates, which are lists, in the order
// of one that holds them all.
func (c choice) union() []string {
	var all, longest []string
	for _, v := range append([]jsonl.Value{c.shown}, c.all...) {
		elements, _ := v.Strings()
		all = append(all, elements...)
		if len(elements) > len(longest) {
			longest = elements
		}
	}
	if all = distinct(all); len(longest) == len(all) {
		return longest
	}
	return all
}

func (r *record) same(name string) func(a, b jsonl.Value) bool {
	return func(a, b jsonl.Value) bool { return sameField(r.kind, name, a, b) }
}

func (r *record) has(name string, values []jsonl.Value, v jsonl.Value) bool {
	return slices.ContainsFunc(values, func(w jsonl.Value) bool { return sameField(r.kind, name, v, w) })
}

func (r *record) sameSet(name string, a, b []jsonl.Value) bool {
	misses := func(v jsonl.Value) bool { return !r.has(name, b, v) }
	return len(a) == len(b) && !slices.ContainsFunc(a, misses)
}

// spelled returns values of which another version has the same, each in the
// lesser spelling.
func spelled(values, others []jsonl.Value) []jsonl.Value {
	values = slices.Clone(values)
	for i, v := range values {
		for _, w := range others {
			if sameValue(v, w) {
				values[i] = min(v, w)
			}
		}
	}
	return values
}

// mergeChoices merges what a field can be.
func (r *record) mergeChoices(name string, b, x, y []jsonl.Value) []jsonl.Value {
	switch {
	case r.kind != plan.KindSpec && isProse(name):
		return r.mergeTexts(name, b, x, y)
	case r.kind != plan.KindSpec && name == "priority":
		return r.highest(name, mergeSets(r.same(name), b, x, y).all)
	}
	return mergeSets(r.same(name), b, x, y).all
}

// mergeSets merges sets of values: what all versions have, and what either side
// has newly. A value that a side settled on, of several, is new as well.
func mergeSets(same func(a, b jsonl.Value) bool, b, x, y []jsonl.Value) outcome {
	merged := newOutcome(same)
	was, xs, ys := others(b), others(x), others(y)
	merged.addSide(was, xs, ys)
	merged.addSide(was, ys, xs)
	if slices.ContainsFunc(x, isObject) || slices.ContainsFunc(y, isObject) {
		met := mergeObjects(objects(b), objects(x), objects(y))
		merged.add(met.all...)
		maps.Copy(merged.became, met.became)
	}
	if len(merged.all) == 0 { // all that either side has, the other one removed
		merged.add(x...)
		merged.add(y...)
	}
	return merged
}

// addSide adds what one side has of a merge of sets.
func (vs *values) addSide(b, side, other []jsonl.Value) {
	has := func(set []jsonl.Value, v jsonl.Value) bool {
		return slices.ContainsFunc(set, func(w jsonl.Value) bool { return vs.same(v, w) })
	}
	for _, v := range side {
		if !has(b, v) || has(other, v) || len(side) < len(b) {
			vs.add(v)
		}
	}
}

// mergeTexts is mergeSets for prose. A new text is a change of the base's that
// it is like most; as far as it can be merged by words, it holds for what the
// other side made of that one, too.
func (r *record) mergeTexts(name string, b, x, y []jsonl.Value) []jsonl.Value {
	merged := values{same: r.same(name)}
	if len(x) < len(b) && len(y) < len(b) { // settled in two ways
		merged.add(x...)
		merged.add(y...)
		return merged.all
	}
	for _, sides := range [...][2][]jsonl.Value{{x, y}, {y, x}} {
		side, other := sides[0], sides[1]
		for _, v := range side {
			switch {
			case !r.has(name, b, v):
				merged.add(r.meet(name, b, other, v)...)
			case r.has(name, other, v), len(side) < len(b) && !r.further(name, b, v, other):
				merged.add(v)
			}
		}
	}
	return merged.all
}

// further tells whether a side has a text that is a change of one of the base's.
func (r *record) further(name string, b []jsonl.Value, v jsonl.Value, side []jsonl.Value) bool {
	return len(side) == len(b) && slices.ContainsFunc(side, func(w jsonl.Value) bool {
		return !r.has(name, b, w) && sameField(r.kind, name, nearest(b, w), v)
	})
}

// meet brings a new text of one side together with what the other side made of
// the one that it comes from, or settled on instead.
func (r *record) meet(name string, b, other []jsonl.Value, v jsonl.Value) []jsonl.Value {
	near := nearest(b, v)
	var met, open []jsonl.Value
	if r.has(name, other, near) {
		met = append(met, v) // the other side left it, and may have added others of its kind
	}
	for _, w := range other {
		if r.has(name, b, w) || nearest(b, w) != near && (len(met) > 0 || len(other) >= len(b)) {
			continue
		}
		if withV, withW, _ := mergeProse(near, v, w); withV == withW {
			met = append(met, withV)
		} else {
			open = append(open, withV)
		}
	}
	switch {
	case len(met) > 0:
		return met
	case len(open) > 0:
		return open
	}
	return []jsonl.Value{v}
}

func isProse(field string) bool {
	switch field {
	case "name", "notes", "accept", "desc", "reason":
		return true
	}
	return false
}

// nearest returns the value that has most in common with another one at its
// beginning and its end.
func nearest(values []jsonl.Value, v jsonl.Value) jsonl.Value {
	var best jsonl.Value
	most := -1
	for _, w := range values {
		if n := common(w, v); n > most || n == most && w < best {
			best, most = w, n
		}
	}
	return best
}

// common counts the bytes that two values share at their beginning and their
// end.
func common(a, b jsonl.Value) int {
	n := min(len(a), len(b))
	front := 0
	for front < n && a[front] == b[front] {
		front++
	}
	back := 0
	for back < n-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return front + back
}
