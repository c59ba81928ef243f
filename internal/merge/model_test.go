package merge_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A model is a plan that a test edits: its lines, and how the file is written.
type model struct {
	lines     []line
	mark, end string
	clock     *int // the last time of creation, where no two records may share one
}

// A line is the members of a record, or one odd line as it stands.
type line struct {
	members []jsonl.Member
	odd     string
}

func (m model) clone() model {
	lines := make([]line, len(m.lines))
	for i, l := range m.lines {
		lines[i] = line{slices.Clone(l.members), l.odd}
	}
	return model{lines, m.mark, m.end, m.clock}
}

func (m model) file() []byte {
	var b strings.Builder
	b.WriteString(m.mark)
	for _, l := range m.lines {
		b.WriteString(l.text() + m.end)
	}
	return []byte(b.String())
}

func (l line) text() string {
	if l.members == nil {
		return l.odd
	}
	return jsonl.Build(l.members).Text()
}

func (l line) get(name string) string {
	for _, m := range l.members {
		if m.Name == name {
			s, _ := m.Value.Str()
			return s
		}
	}
	return ""
}

func (l line) raw(name string) jsonl.Value {
	for _, m := range l.members {
		if m.Name == name {
			return m.Value
		}
	}
	return ""
}

// set sets a member to a JSON value; "" removes it.
func (l *line) set(name string, v jsonl.Value) {
	l.members = slices.Clone(l.members)
	for i, m := range l.members {
		if m.Name != name {
			continue
		}
		if v == "" {
			l.members = slices.Delete(l.members, i, i+1)
		} else {
			l.members[i].Value = v
		}
		return
	}
	if v != "" {
		l.members = append(l.members, jsonl.Member{Name: name, Value: v})
	}
}

// waitsField returns the field that lists what the record waits for.
func (l line) waitsField() string {
	if l.get("t") == "item" {
		return "blocked_by"
	}
	return "deps"
}

func (l line) deps() []string {
	deps, _ := l.raw(l.waitsField()).Strings()
	return deps
}

func (l *line) setDeps(deps []string) {
	if len(deps) == 0 {
		l.set(l.waitsField(), "")
		return
	}
	l.set(l.waitsField(), jsonl.List(deps))
}

// of returns the places of records of a kind.
func (m *model) of(kind string) []int {
	var places []int
	for i, l := range m.lines {
		if l.get("t") == kind {
			places = append(places, i)
		}
	}
	return places
}

func (m *model) has(kind, id string) bool {
	return slices.ContainsFunc(m.lines, func(l line) bool { return l.get("t") == kind && l.get("id") == id })
}

func (m *model) remove(i int) { m.lines = slices.Delete(slices.Clone(m.lines), i, i+1) }

func (m *model) add(l line) { m.lines = append(slices.Clone(m.lines), l) }

// sort puts the lines into the canonical order.
func (m *model) sort() {
	m.lines = slices.DeleteFunc(slices.Clone(m.lines), func(l line) bool { return l.members == nil && strings.TrimSpace(l.odd) == "" })
	slices.SortFunc(m.lines, func(a, b line) int { return compare(a.text(), b.text()) })
}

func compare(a, b string) int {
	p, _ := plan.Decode(a)
	q, _ := plan.Decode(b)
	x, y := p.Records()[0].SortKey(), q.Records()[0].SortKey()
	return x.Compare(&y)
}

func parse(text string) line {
	o, err := jsonl.ParseObject(text)
	if err != nil {
		return line{odd: text}
	}
	return line{members: o.Members()}
}

// words that prose is made of: several scripts, signs, and what JSON escapes.
var words = []string{"the", "parser", "100", "ms", "ünï", "日本", "語", "👩‍👩‍👧", "e\u0301", "- item", "\n", "\"q\"", "a\tb", "(x)", "1.5"}

// pick draws one of several. All are as likely, unlike those of SampledFrom,
// which prefers the first: what comes late would hardly ever meet.
func pick[T any](t *rapid.T, from []T) T { return from[number(t, len(from))] }

// number draws a number below n, each as likely.
func number(t *rapid.T, n int) int { return int(rapid.Uint32().Draw(t, "number")*0x9e3779b1>>16) % n }

func prose(t *rapid.T) jsonl.Value {
	n := rapid.IntRange(1, 9).Draw(t, "words")
	var text []string
	for range n {
		text = append(text, pick(t, words))
	}
	return jsonl.Quote(strings.Join(text, " "))
}

// reworded changes some words of a text.
func reworded(t *rapid.T, v jsonl.Value) jsonl.Value {
	s, _ := v.Str()
	all := strings.Split(s, " ")
	i := rapid.IntRange(0, len(all)-1).Draw(t, "word")
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		all[i] = pick(t, words)
	case 1:
		all = slices.Insert(all, i, pick(t, words), pick(t, words))
	default:
		if len(all) > 1 {
			all = slices.Delete(all, i, i+1)
		}
	}
	return jsonl.Quote(strings.Join(all, " "))
}

// values that no field of ours has.
var oddValues = []jsonl.Value{
	"1.0", "1", "12345678901234567890", "1e400", "-0", "null", "true", `"x"`, `"\u0078"`, `"\ud800"`, `[1, {"a": null}]`, "[]", "{}",
	`{"a": 1, "b": {"c": "x", "d": [1]}}`, `{"b": {"c": "y"}, "a": 1.0}`, `{"b": {"d": [2], "e": null}}`, `{ "a":2 }`,
}

func created(t *rapid.T, m *model) jsonl.Value {
	if m.clock != nil {
		*m.clock++
		return jsonl.Quote(fmt.Sprintf("2026-01-01T00:00:00.%03dZ", *m.clock))
	}
	if rapid.IntRange(0, 3).Draw(t, "legacy") == 0 {
		return ""
	}
	return jsonl.Quote(fmt.Sprintf("2026-01-%02dT00:00:00.000Z", rapid.IntRange(1, 9).Draw(t, "day")))
}

// drawTask draws a task with an id of a small pool, so that sides meet.
func drawTask(t *rapid.T, m *model) (line, bool) {
	id := fmt.Sprintf("t-%d", pick(t, []int{0, 1, 2, 3, 4, 5, 6, 7}))
	if m.has("task", id) {
		return line{}, false
	}
	l := parse(`{"t": "task", "id": "` + id + `", "spec": "` + m.spec(t) + `", "s": "p"}`)
	l.set(pick(t, []string{"name", "name", "name", "desc"}), prose(t))
	if rapid.Bool().Draw(t, "notes") {
		l.set("notes", prose(t))
	}
	l.set("created_at", created(t, m))
	if rapid.Bool().Draw(t, "meta") {
		l.set("meta", pick(t, []jsonl.Value{`{"a": 1, "b": {"c": "x"}}`, `{"verdict": "ok"}`, "{}"}))
	}
	if rapid.Bool().Draw(t, "odd") {
		l.set(pick(t, []string{"x", "y\u00e9"}), pick(t, oddValues))
	}
	if tasks := m.of("task"); len(tasks) > 0 && rapid.Bool().Draw(t, "waits") {
		l.setDeps([]string{m.lines[pick(t, tasks)].get("id")})
	}
	return l, true
}

// spec draws the spec of a new record. Where there is a clock, it is its own:
// two records of one name and spec are taken for one.
func (m *model) spec(t *rapid.T) string {
	if m.clock != nil {
		return fmt.Sprintf("%d.md", *m.clock)
	}
	return pick(t, specs)
}

var specs = []string{"a.md", "b.md", "c.md"}

// drawBase draws the plan that both sides start from.
func drawBase(t *rapid.T, clock *int) model {
	m := model{end: "\n", clock: clock}
	if rapid.Bool().Draw(t, "spec") {
		m.add(parse(`{"t": "spec", "spec": "a.md"}`))
	}
	for range pick(t, []int{0, 1, 2, 3, 4, 6}) {
		if l, ok := drawTask(t, &m); ok {
			m.add(l)
		}
	}
	for range pick(t, []int{0, 2, 6, 10, 14}) {
		if clock != nil {
			break // odd lines
		}
		pick(t, edits).do(t, &m)
	}
	return m
}
