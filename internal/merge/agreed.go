package merge

import (
	"cmp"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/sha256"
)

// agreedName is the member of an item's "meta" that says what the item and its issue at GitHub agreed on: when, and the fields; of the
// description a hash.
const agreedName = "github"

// agreedHash is how many digits of a hash there are.
const agreedHash = 32

// unifyAgreed returns the "meta" of an item with the newer of two records of what the item and its issue at GitHub agreed on.
func unifyAgreed(x, y jsonl.Value) (jsonl.Value, jsonl.Value) {
	first, second := indexed(object(x)).get(agreedName), indexed(object(y)).get(agreedName)
	if !isObject(first) || !isObject(second) {
		return x, y
	}
	newer := jsonl.Member{Name: agreedName, Value: first}
	if cmp.Or(cmp.Compare(agreedAt(first), agreedAt(second)), cmp.Compare(first, second)) < 0 {
		newer.Value = second
	}
	return withMember(x, newer), withMember(y, newer)
}

func agreedAt(v jsonl.Value) string { text, _ := indexed(object(v)).get("at").Str(); return text }

// followIssue makes a field of an item unchanged on the side that has an older version of the issue at GitHub, and no change of its own: the newer
// version came after it, and is no contradiction.
func (r *fieldMerger) followIssue() {
	first, second := agreedOf(r.one), agreedOf(r.two)
	old, agreed, held := r.one, first, r.heldX
	switch order := cmp.Compare(agreedAt(first), agreedAt(second)); {
	case order == 0 || !isObject(first) || !isObject(second):
		return
	case order > 0:
		old, agreed, held = r.two, second, r.heldY
	}
	was := r.was.all[:len(r.was.all):len(r.was.all)]
	for _, name := range [...]string{"name", "desc", "state", "estimate"} {
		if v := old.get(name); len(held.of(name).all) == 0 && isAgreed(name, v, indexed(object(agreed)).get(name)) {
			was = setMember(was, jsonl.Member{Name: name, Value: v})
		}
	}
	r.was = indexed(was)
}

func agreedOf(in index) jsonl.Value { return indexed(object(in.get("meta"))).get(agreedName) }

// isAgreed reports whether a field has what the issue has. An issue without a state is in the backlog.
func isAgreed(name string, v, agreed jsonl.Value) bool {
	text, _ := v.Str()
	with, _ := agreed.Str()
	switch {
	case name == "desc" && text != "":
		return sha256.Hex(text)[:agreedHash] == with
	case name == "state" && with == "":
		return text == "" || text == plan.StateBacklog
	}
	return text == with
}

// setMember returns members with one set; a value of "" removes it.
func setMember(members []jsonl.Member, m jsonl.Member) []jsonl.Member {
	out := make([]jsonl.Member, 0, len(members)+1)
	for _, own := range members {
		if own.Name != m.Name {
			out = append(out, own)
		}
	}
	if m.Value != "" {
		out = append(out, m)
	}
	return out
}
