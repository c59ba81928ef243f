package merge_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An edit changes a model as people and commands change a plan.
type edit struct {
	name string
	do   func(t *rapid.T, m *model)
}

var edits = []edit{
	{"add task", func(t *rapid.T, m *model) {
		if l, ok := drawTask(t, m); ok {
			m.add(l)
		}
	}},
	{"insert task", func(t *rapid.T, m *model) {
		if l, ok := drawTask(t, m); ok {
			m.lines = slices.Insert(slices.Clone(m.lines), rapid.IntRange(0, len(m.lines)).Draw(t, "at"), l)
		}
	}},
	{"reword", onTask(func(t *rapid.T, m *model, l *line) {
		field := pick(t, []string{"name", "desc", "notes", "accept"})
		if l.raw(field) == "" {
			if field != "desc" {
				l.set(field, prose(t))
			}
			return
		}
		l.set(field, reworded(t, l.raw(field)))
	})},
	{"take notes away", onTask(func(t *rapid.T, m *model, l *line) { l.set("notes", pick(t, []jsonl.Value{"", "null"})) })},
	{"use an id again", onTask(func(t *rapid.T, m *model, l *line) {
		l.set("name", prose(t))
		l.set("created_at", created(t, m))
	})},
	{"name a legacy task", onTask(func(t *rapid.T, m *model, l *line) {
		if l.raw("name") == "" && l.raw("desc") != "" {
			name := l.raw("desc")
			l.set("desc", "")
			l.set("name", name)
		}
	})},
	{"priority", onTask(func(t *rapid.T, m *model, l *line) {
		l.set("priority", pick(t, []jsonl.Value{`"high"`, `"medium"`, `"low"`, `"urgent"`, `"soon"`, ""}))
	})},
	{"done", onTask(done)},
	{"done", onTask(done)},
	{"kill", onTask(func(t *rapid.T, m *model, l *line) {
		if l.get("s") == "p" {
			l.set("kill", pick(t, []jsonl.Value{`"timeout"`, `"context"`}))
			l.set("kill_log", jsonl.Quote(fmt.Sprintf("%d/1.log", rapid.IntRange(1, 3).Draw(t, "run"))))
		}
	})},
	{"accept", func(t *rapid.T, m *model) { removeTask(t, m, "d", false) }},
	{"cancel", func(t *rapid.T, m *model) { removeTask(t, m, "p", false) }},
	{"supersede", func(t *rapid.T, m *model) { removeTask(t, m, "d", true) }},
	{"reject", func(t *rapid.T, m *model) {
		for _, i := range m.of("task") {
			if l := &m.lines[i]; l.get("s") == "d" {
				reason := prose(t)
				tomb := tombstone(*l, reason)
				l.set("s", `"p"`)
				l.set("done_at", "")
				l.set("attempt", "")
				l.set("reject", reason)
				m.add(tomb)
				return
			}
		}
	}},
	{"reopen", onTask(func(t *rapid.T, m *model, l *line) {
		if l.get("s") == "d" {
			l.set("s", `"p"`)
			l.set("done_at", "")
			l.set("attempt", "")
		}
	})},
	{"decompose", decompose},
	{"wait for", onTask(func(t *rapid.T, m *model, l *line) {
		dep := m.lines[pick(t, m.of("task"))].get("id")
		if !slices.Contains(l.deps(), dep) && !m.leads(dep, l.get("id")) {
			l.setDeps(append(l.deps(), dep))
		}
	})},
	{"wait for", onTask(func(t *rapid.T, m *model, l *line) {
		dep := m.lines[pick(t, m.of("task"))].get("id")
		if !slices.Contains(l.deps(), dep) && !m.leads(dep, l.get("id")) {
			l.setDeps(append(l.deps(), dep))
		}
	})},
	{"wait no more", onTask(func(t *rapid.T, m *model, l *line) {
		if deps := l.deps(); len(deps) > 0 {
			l.setDeps(deps[1:])
		}
	})},
	{"odd field", onTask(func(t *rapid.T, m *model, l *line) {
		l.set(pick(t, []string{"x", "x", "y\u00e9", "z"}), pick(t, append(oddValues, "")))
	})},
	{"meta", onTask(func(t *rapid.T, m *model, l *line) {
		l.set("meta", pick(t, []jsonl.Value{`{"a": 1, "b": {"c": "z"}}`, `{"a": 2, "b": {"c": "x"}, "n": "new"}`, `{"b": {}}`, `{"verdict": "no"}`, ""}))
	})},
	{"role", onTask(func(t *rapid.T, m *model, l *line) { l.set("role", pick(t, []jsonl.Value{`"dev"`, `"test"`, ""})) })},
	{"respell", onTask(func(t *rapid.T, m *model, l *line) {
		l.members = rapid.Permutation(l.members).Draw(t, "members")
	})},
	{"stamp", onTask(func(t *rapid.T, m *model, l *line) {
		if l.raw("created_at") == "" {
			l.set("created_at", created(t, m))
		}
	})},
	{"add issue", func(t *rapid.T, m *model) {
		id := fmt.Sprintf("i-%d", rapid.IntRange(0, 4).Draw(t, "id"))
		if !m.has("issue", id) {
			l := parse(`{"t": "issue", "id": "` + id + `", "spec": "` + m.spec(t) + `"}`)
			l.set("desc", prose(t))
			l.set("created_at", created(t, m))
			m.add(l)
		}
	}},
	{"edit issue", func(t *rapid.T, m *model) {
		if issues := m.of("issue"); len(issues) > 0 {
			l := &m.lines[pick(t, issues)]
			l.set("desc", reworded(t, l.raw("desc")))
			l.set("labels", pick(t, []jsonl.Value{`["a"]`, `["a", "b"]`, ""}))
		}
	}},
	{"close issue", func(t *rapid.T, m *model) {
		if issues := m.of("issue"); len(issues) > 0 {
			m.remove(pick(t, issues))
		}
	}},
	{"set spec", setSpec},
	{"odd line", func(t *rapid.T, m *model) {
		m.add(parse(pick(t, []string{
			`{"t": "accept", "id": "t-1"}`, `{"t": "stage"}`, `{"n": 1.0}`, `{"n":1}`, `{"t": null}`, "", " ", `{"t": "task", "spec": "a.md"}`,
		})))
	}},
	{"odd line away", func(t *rapid.T, m *model) {
		for i, l := range m.lines {
			if l.members == nil || l.get("id") == "" && l.get("t") != "spec" || l.get("t") == "reject" || l.get("t") == "accept" {
				m.remove(i)
				return
			}
		}
	}},
	{"settle", onTask(func(t *rapid.T, m *model, l *line) {
		o, err := jsonl.ParseObject(string(l.raw("conflict")))
		if err != nil || o.Len() == 0 {
			return
		}
		field := o.At(0)
		if candidates, ok := field.Value.Elements(); ok && len(candidates) > 0 && field.Name != "deps" {
			if v := pick(t, candidates); v != "null" && plan.CanHold(plan.KindTask, field.Name, v) {
				l.set(field.Name, v)
			}
		}
		rest := o.Members()[1:]
		if len(rest) == 0 {
			l.set("conflict", "")
		} else {
			l.set("conflict", jsonl.Value(jsonl.Build(rest).Text()))
		}
	})},
	{"conflict", onTask(func(t *rapid.T, m *model, l *line) {
		if l.raw("conflict") == "" && l.raw("notes") == "" {
			a, b := prose(t), prose(t)
			l.set("notes", max(a, b))
			l.set("conflict", jsonl.Value(`{"notes": [`+string(min(a, b))+`, `+string(max(a, b))+`]}`))
		}
	})},
	{"odd conflict", onTask(func(t *rapid.T, m *model, l *line) {
		if l.raw("conflict") == "" {
			field := pick(t, []string{"conflict", "id", "t", "s", "notes", "name", "meta", "deps", "x", "", "removed", "created_at"})
			l.set("conflict", jsonl.Value(`{`+string(jsonl.Quote(field))+`: `+string(pick(t, append(oddValues, `[1, 2]`, `["a", 12345678]`, `[["t-1"], ["t-2"], 3]`, `["\ud800"]`)))+`}`))
		}
	})},
	{"nest", onTask(func(t *rapid.T, m *model, l *line) {
		depth := pick(t, []int{3, 63, 64, 65, 200})
		leaf := fmt.Sprint(number(t, 3))
		l.set("x", jsonl.Value(strings.Repeat(`{"a": `, depth)+leaf+strings.Repeat("}", depth)))
	})},
	{"long notes", onTask(func(t *rapid.T, m *model, l *line) {
		all := draftOf(t)
		if s, _ := l.raw("notes").Str(); len(s) > 200 {
			all = strings.SplitAfter(s, ". ")
			i, j := number(t, len(all)), number(t, len(all))
			switch pick(t, []string{"move", "swap", "drop", "add", "edit"}) {
			case "move":
				moved := all[i]
				all = slices.Insert(slices.Delete(all, i, i+1), min(j, len(all)-1), moved)
			case "swap":
				all[i], all[j] = all[j], all[i]
			case "drop":
				all = slices.Delete(all, i, i+1)
			case "add":
				all = slices.Insert(all, i, "One more of it. ")
			default:
				all[i] = "And " + all[i]
			}
		}
		l.set("notes", jsonl.Quote(strings.Join(all, "")))
	})},
	{"half a character", onTask(func(t *rapid.T, m *model, l *line) {
		l.set("deps", pick(t, []jsonl.Value{`["\ud800"]`, `["\ud800", "\udc01"]`, `["\ud801", "t-1"]`}))
	})},
	{"sort", func(t *rapid.T, m *model) { m.sort() }},
	{"shuffle", func(t *rapid.T, m *model) { m.lines = rapid.Permutation(m.lines).Draw(t, "lines") }},
	{"endings", func(t *rapid.T, m *model) { m.end = pick(t, []string{"\n", "\r\n"}) }},
	{"mark", func(t *rapid.T, m *model) { m.mark = pick(t, []string{"", "\ufeff"}) }},
}

func onTask(do func(t *rapid.T, m *model, l *line)) func(t *rapid.T, m *model) {
	return func(t *rapid.T, m *model) {
		if tasks := m.of("task"); len(tasks) > 0 {
			if l := &m.lines[pick(t, tasks)]; l.get("id") != "" {
				do(t, m, l)
			}
		}
	}
}

// duels are kinds of edits that seldom meet by chance, by name.
var duels = [][]string{
	{"accept", "priority", "reword"},
	{"accept", "reopen"},
	{"add issue", "close issue", "edit issue"},
	{"done", "reject"},
	{"done", "reject", "kill"},
	{"settle", "reword"},
	{"settle", "conflict", "reword"},
	{"supersede", "priority"},
	{"odd line", "odd line away"},
	{"add task", "stamp"},
	{"long notes"},
	{"odd conflict", "settle", "reword", "odd field"},
	{"nest", "odd field"},
	{"half a character", "wait for"},
	{"use an id again", "wait for", "reword"},
}

// draftOf draws a long text of sentences, the same few for all.
func draftOf(t *rapid.T) []string {
	var all []string
	for i := range 10 + number(t, 20) {
		all = append(all, fmt.Sprintf("Sentence %d says\nwhat %s is. ", i, words[i%len(words)]))
	}
	return all
}

// drawKinds draws the kinds of edits that both sides make. They are few, so
// that they meet.
func drawKinds(t *rapid.T) []edit {
	if duel := pick(t, append(duels, nil, nil, nil, nil, nil, nil)); duel != nil {
		return slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return !slices.Contains(duel, e.name) })
	}
	kinds := make([]edit, pick(t, []int{1, 2, 4, 8, 40}))
	for i := range kinds {
		kinds[i] = pick(t, edits)
	}
	return kinds
}

// drawSides draws what two sides made of a base, at times the same.
func drawSides(t *rapid.T) (base, x, y model) {
	few := drawKinds(t)
	base = drawBase(t, nil)
	if pick(t, []int{0, 1, 2, 3}) == 3 {
		few = drawItems(t, &base)
	}
	x, y = base.clone(), base.clone()
	for range pick(t, []int{1, 2, 4, 8, 12}) {
		pick(t, few).do(t, &x)
	}
	if pick(t, []int{0, 1, 2, 3}) == 3 {
		y = x.clone()
	}
	for range pick(t, []int{1, 2, 4, 8, 12}) {
		pick(t, few).do(t, &y)
	}
	return base, x, y
}
