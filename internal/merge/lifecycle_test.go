package merge_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
)

func done(t *rapid.T, m *model, l *line) {
	if l.get("s") != "p" {
		return
	}
	n := rapid.IntRange(1, 4).Draw(t, "attempt")
	l.set("s", `"d"`)
	l.set("done_at", jsonl.Quote(fmt.Sprintf("%012d", n)))
	l.set("kill", "")
	l.set("kill_log", "")
	if n%2 == 0 {
		l.set("attempt", jsonl.Quote(fmt.Sprintf("at%02d", n)))
	}
}

func tombstone(task line, reason jsonl.Value) line {
	l := parse(`{"t": "reject", "id": "` + task.get("id") + `"}`)
	l.set("done_at", jsonl.Quote(task.get("done_at")))
	l.set("reason", reason)
	l.set("attempt", task.raw("attempt"))
	return l
}

func removeTask(t *rapid.T, m *model, state string, supersede bool) {
	for _, i := range m.of("task") {
		l := m.lines[i]
		if l.get("s") != state || l.get("id") == "" {
			continue
		}
		m.remove(i)
		if state == "p" {
			m.redirect(l.get("id"), nil)
		}
		if !supersede {
			return
		}
		m.add(tombstone(l, `"superseded"`))
		if heir, ok := drawTask(t, m); ok {
			heir.set("supersedes", jsonl.Quote(l.get("id")))
			heir.setDeps(nil)
			m.add(heir)
			m.redirect(l.get("id"), []string{heir.get("id")})
		}
		return
	}
}

func decompose(t *rapid.T, m *model) {
	tasks := m.of("task")
	if len(tasks) == 0 {
		return
	}
	i := pick(t, tasks)
	old := m.lines[i]
	if old.get("s") != "p" || old.get("id") == "" {
		return
	}
	m.remove(i)
	var children []string
	for range rapid.IntRange(1, 2).Draw(t, "children") {
		if child, ok := drawTask(t, m); ok && child.get("id") != old.get("id") {
			child.set("parent", jsonl.Quote(old.get("id")))
			child.setDeps(slices.DeleteFunc(old.deps(), func(dep string) bool { return dep == child.get("id") || m.leads(dep, child.get("id")) }))
			m.add(child)
			children = append(children, child.get("id"))
		}
	}
	m.redirect(old.get("id"), children)
}

// redirect makes what waits for a task wait for others.
func (m *model) redirect(id string, to []string) {
	for i := range m.lines {
		l := &m.lines[i]
		deps := l.deps()
		if at := slices.Index(deps, id); at >= 0 && l.get("t") == "task" {
			rest := slices.Delete(slices.Clone(deps), at, at+1)
			for _, heir := range to {
				if !slices.Contains(rest, heir) && heir != l.get("id") && !m.leads(heir, l.get("id")) {
					rest = append(rest, heir)
				}
			}
			l.setDeps(rest)
		}
	}
}

// leads reports whether a task is another one, or waits for it.
func (m *model) leads(from, to string) bool {
	deps := map[string][]string{}
	for _, i := range slices.Concat(m.of("task"), m.of("item")) {
		deps[m.lines[i].get("id")] = m.lines[i].deps()
	}
	seen := map[string]bool{}
	var search func(id string) bool
	search = func(id string) bool {
		if id == to {
			return true
		}
		if seen[id] {
			return false
		}
		seen[id] = true
		return slices.ContainsFunc(deps[id], search)
	}
	return search(from)
}

func setSpec(t *rapid.T, m *model) {
	spec := jsonl.Quote(pick(t, specs))
	if at := m.of("spec"); len(at) > 0 {
		if rapid.IntRange(0, 5).Draw(t, "remove") == 0 {
			m.remove(at[0])
			return
		}
		m.lines[at[0]].set("spec", spec)
		return
	}
	l := parse(`{"t": "spec"}`)
	l.set("spec", spec)
	m.add(l)
}
