package merge

import "git-ralph/internal/jsonl"

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
