package merge

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// mergeObjects merges objects member by member. Where members were changed in
// different ways, there are two results: one with x's choice of them, one with
// y's.
func mergeObjects(c *jsonl.Comparer, b, x, y jsonl.Value) (withX, withY jsonl.Value) {
	was, one, two := indexed(object(b)), indexed(object(x)), indexed(object(y))
	var first, second []jsonl.Member
	put := func(all *[]jsonl.Member, name string, v jsonl.Value) {
		if v != "" {
			*all = append(*all, named(name, v, was, one, two))
		}
	}
	differ := false
	for _, name := range allNames(was, one, two) {
		bv, xv, yv := was.get(name), one.get(name), two.get(name)
		if v, ok := unchanged(bv, xv, yv, c.Equal); ok {
			xv, yv = v, v
		} else if isObject(xv) && isObject(yv) {
			xv, yv = mergeObjects(c, bv, xv, yv)
		}
		put(&first, name, xv)
		put(&second, name, yv)
		differ = differ || xv != yv
	}
	withX = jsonl.Value(jsonl.Build(first).Text())
	if !differ {
		return withX, withX
	}
	return withX, jsonl.Value(jsonl.Build(second).Text())
}

// unifyItems returns the "meta" of a task of items with one list of the items that it is for, and one of the files that were written:
// as sets, which two sides may both add to.
func unifyItems(c *jsonl.Comparer, b, x, y jsonl.Value) (jsonl.Value, jsonl.Value) {
	was, one, two := indexed(object(b)), indexed(object(x)), indexed(object(y))
	if one.get("issue_number") == "" || two.get("issue_number") == "" {
		return x, y
	}
	for _, name := range [...]string{"group_members", "artifacts"} {
		first, isList := one.get(name).Elements()
		second, areLists := two.get(name).Elements()
		if !isList || !areLists {
			continue
		}
		before, _ := was.get(name).Elements()
		merged := jsonl.Member{Name: name, Value: array(mergeElements(c, before, first, second))}
		x, y = withMember(x, merged), withMember(y, merged)
	}
	return x, y
}

// mergeElements is mergeLists for elements of any kind.
func mergeElements(c *jsonl.Comparer, b, x, y []jsonl.Value) []jsonl.Value {
	texts := func(values []jsonl.Value) []string {
		all := make([]string, len(values))
		for i, v := range values {
			all[i] = c.Canonical(v)
		}
		return all
	}
	merged := make([]jsonl.Value, 0, len(x))
	for _, text := range mergeLists(texts(b), texts(x), texts(y)) {
		merged = append(merged, jsonl.Value(text))
	}
	return merged
}

func withMember(v jsonl.Value, m jsonl.Member) jsonl.Value {
	all := slices.Clone(object(v))
	all[slices.IndexFunc(all, func(own jsonl.Member) bool { return own.Name == m.Name })] = m
	return jsonl.Value(jsonl.Build(all).Text())
}
