package merge

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// objects returns the values that are objects; others returns the rest.
func objects(values []jsonl.Value) []jsonl.Value {
	return slices.DeleteFunc(slices.Clone(values), func(v jsonl.Value) bool { return !isObject(v) })
}

func others(values []jsonl.Value) []jsonl.Value {
	return slices.DeleteFunc(slices.Clone(values), isObject)
}

func isObject(v jsonl.Value) bool { return v != "" && v[0] == '{' }

// A meeting is a merge of sets of objects. It goes member by member: what a
// member can be is a set as well, so that a conflict in one member is met alike
// whatever happens in another.
type meeting struct {
	all   [][]jsonl.Member       // the objects of all versions
	names []string               // of their members
	can   map[string]outcome     // what each member can be
	left  map[string]jsonl.Value // values of members that no object of the result has yet
	out   outcome
}

// mergeObjects merges sets of objects. Each object of either side stays one,
// with what else was changed; what another one has wholly is left out.
func mergeObjects(b, x, y []jsonl.Value) outcome {
	was, xs, ys := spread(b), spread(x), spread(y)
	mt := meeting{all: slices.Concat(was, xs, ys), can: map[string]outcome{}, left: map[string]jsonl.Value{}, out: newOutcome(sameValue)}
	mt.names = allNames(mt.all...)
	for _, name := range mt.names {
		can := mergeSets(sameValue, each(was, name), each(xs, name), each(ys, name))
		mt.can[name] = can
		for _, v := range can.all {
			mt.left[name+"="+string(v)] = v
		}
	}
	sides := slices.Concat(x, y)
	slices.Sort(sides)
	news := slices.ContainsFunc(sides, func(v jsonl.Value) bool { return !slices.Contains(b, v) })
	empty := news || pick(len(b) > 0, len(x) > 0, len(y) > 0) // an object without members may be left
	for _, stale := range [...]bool{false, true} {
		for _, source := range slices.Compact(sides) {
			mt.meet(source, stale, empty)
		}
	}
	return mt.out
}

// meet adds what became of one object. Stale ones have values that changed
// since into one of several: they come in only where they have something that
// no other object has.
func (mt *meeting) meet(source jsonl.Value, stale, empty bool) {
	var members []jsonl.Member
	was, isStale, brings := object(source), false, false
	var keys []string
	for _, name := range mt.names {
		can := mt.can[name]
		v, found := can.of(get(was, name))
		if !found {
			v = slices.Min(can.all)
			isStale = isStale || len(can.all) > 1
		}
		key := name + "=" + string(v)
		_, missing := mt.left[key]
		brings = brings || missing && found
		keys = append(keys, key)
		if v != "" {
			members = append(members, named(name, v, mt.all...))
		}
	}
	if isStale != stale || stale && !brings || len(members) == 0 && !empty {
		return
	}
	for _, key := range keys {
		delete(mt.left, key)
	}
	mt.out.put(source, jsonl.Value(jsonl.Build(members).Text()))
}

// spread reads objects.
func spread(values []jsonl.Value) [][]jsonl.Member {
	all := make([][]jsonl.Member, len(values))
	for i, v := range values {
		all[i] = object(v)
	}
	return all
}

// each returns what a member is in several objects.
func each(objects [][]jsonl.Member, name string) []jsonl.Value {
	vs := values{same: sameValue}
	for _, o := range objects {
		vs.add(get(o, name))
	}
	if len(objects) == 0 {
		vs.add("")
	}
	return vs.all
}

// An outcome is the values that a merge of sets leaves, and what became of
// those that went into it.
type outcome struct {
	values
	became map[jsonl.Value]jsonl.Value
}

func newOutcome(same func(a, b jsonl.Value) bool) outcome {
	return outcome{values{same: same}, map[jsonl.Value]jsonl.Value{}}
}

// put adds what became of a value.
func (o *outcome) put(from, to jsonl.Value) {
	o.add(to)
	o.became[from] = to
}

// of returns what became of a value, and whether it is there still.
func (o *outcome) of(v jsonl.Value) (jsonl.Value, bool) {
	if to, found := o.became[v]; found {
		return to, true
	}
	for _, w := range o.all {
		if o.same(v, w) {
			return w, true
		}
	}
	return "", false
}
