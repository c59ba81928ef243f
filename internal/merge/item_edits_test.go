package merge_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// itemDuels are the kinds of edits that both sides make of items, by name.
var itemDuels = [][]string{
	{"add item", "edit item", "remove item"},
	{"files of item"},
	{"move item", "remove item"},
	{"move item", "edit item", "odd item", "set parent of item"},
	{"block item", "block item", "unblock item"},
	{"add item", "edit item", "files of item", "move item", "block item", "odd item", "remove item", "settle item"},
}

// drawItems adds items to a plan, and returns the kinds of edits that both sides make of them.
func drawItems(t *rapid.T, m *model) []edit {
	named := func(names ...string) []edit {
		return slices.DeleteFunc(slices.Clone(itemEdits), func(e edit) bool { return !slices.Contains(names, e.name) })
	}
	for range 1 + number(t, 4) {
		pick(t, named("add item")).do(t, m)
	}
	for range pick(t, []int{0, 2, 6}) {
		pick(t, itemEdits).do(t, m)
	}
	return named(pick(t, itemDuels)...)
}

// itemEdits change the items of a plan.
var itemEdits = []edit{
	{"add item", func(t *rapid.T, m *model) {
		id := fmt.Sprintf("w-%d", number(t, 5))
		if m.has("item", id) {
			return
		}
		l := parse(`{"t": "item", "id": "` + id + `"}`)
		l.set("name", prose(t))
		l.set("state", itemState(t))
		l.set("created_at", created(t, m))
		m.add(l)
		block(t, m, &m.lines[len(m.lines)-1])
	}},
	{"edit item", onItem(func(t *rapid.T, _ *model, l *line) {
		switch pick(t, []string{"name", "number", "estimate", "labels", "artifacts", "meta"}) {
		case "name":
			l.set("name", reworded(t, l.raw("name")))
		case "number":
			l.set("number", pick(t, []jsonl.Value{"1", "2", "42", "42.0", ""}))
		case "estimate":
			l.set("estimate", pick(t, []jsonl.Value{`"XS"`, `"M"`, `"XL"`, `"huge"`, "null", ""}))
		case "labels":
			l.set("labels", pick(t, []jsonl.Value{`["a"]`, `["a", "b"]`, ""}))
		case "artifacts":
			l.set("artifacts", pick(t, []jsonl.Value{`{"research": "r.md"}`, `{"plan": "p.md"}`, `{"plan": "q.md", "n": 1.0}`, ""}))
		default:
			l.set("meta", pick(t, []jsonl.Value{`{"escalation": {"reason": "why"}}`, `{"escalation": {"reason": "how"}, "a": 1}`, ""}))
		}
	})},
	{"files of item", onItem(func(t *rapid.T, _ *model, l *line) {
		l.set("files", pick(t, []jsonl.Value{`["a.go"]`, `["b.go", "a.go"]`, `["c.go"]`, "[]", ""}))
	})},
	{"settle item", onItem(func(_ *rapid.T, _ *model, l *line) { l.set("conflict", "") })},
	{"move item", onItem(func(t *rapid.T, _ *model, l *line) { l.set("state", itemState(t)) })},
	{"block item", onItem(func(t *rapid.T, m *model, l *line) { block(t, m, l) })},
	{"unblock item", onItem(func(_ *rapid.T, _ *model, l *line) {
		if blockers := l.deps(); len(blockers) > 0 {
			l.setDeps(blockers[1:])
		}
	})},
	{"set parent of item", onItem(func(t *rapid.T, m *model, l *line) {
		l.set("parent", jsonl.Quote(m.lines[pick(t, m.of("item"))].get("id")))
	})},
	{"odd item", onItem(func(t *rapid.T, _ *model, l *line) {
		if pick(t, []int{0, 1}) == 0 {
			l.set(pick(t, []string{"x", "deps", "s", "spec", "priority"}), pick(t, []jsonl.Value{`"high"`, `"low"`, `["w-1"]`, `"a.md"`, ""}))
		} else if l.raw("conflict") == "" {
			field := pick(t, []string{"state", "blocked_by", "files", "number", "removed", "id"})
			l.set("conflict", jsonl.Value(`{`+string(jsonl.Quote(field))+`: `+string(pick(t, append(oddValues, `["Done", "Backlog"]`, `[["w-1"], ["w-2"], 3]`)))+`}`))
		}
	})},
	{"remove item", func(t *rapid.T, m *model) {
		if items := m.of("item"); len(items) > 0 {
			m.remove(pick(t, items))
		}
	}},
}

func itemState(t *rapid.T) jsonl.Value {
	state := pick(t, append(plan.ItemStates(), "Someday", "Soon", ""))
	if state == "" {
		return ""
	}
	return jsonl.Quote(state)
}

// block makes an item wait for another one, where that closes no cycle.
func block(t *rapid.T, m *model, l *line) {
	blocker := m.lines[pick(t, m.of("item"))].get("id")
	if !slices.Contains(l.deps(), blocker) && !m.leads(blocker, l.get("id")) {
		l.setDeps(append(l.deps(), blocker))
	}
}

func onItem(do func(t *rapid.T, m *model, l *line)) func(t *rapid.T, m *model) {
	return func(t *rapid.T, m *model) {
		if items := m.of("item"); len(items) > 0 {
			m.lines = slices.Clone(m.lines)
			do(t, m, &m.lines[pick(t, items)])
		}
	}
}
