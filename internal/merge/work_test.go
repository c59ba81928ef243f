package merge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A worker changes plans as the commands of the product do.
type worker struct {
	*rand.Rand
	p     *plan.Plan
	clock *int // no two records are made at the same time
}

// job is one mutation, by what it is called in docs.
var jobs = []struct {
	name string
	do   func(w worker) (plan.Change, error)
}{
	{"add", func(w worker) (plan.Change, error) { return w.p.AddTasks(w.tasks(1), w.stamp()) }},
	{"reword", func(w worker) (plan.Change, error) {
		task := w.task("")
		field := w.of("name", "notes", "notes", "accept")
		return w.p.Edit(task.ID(), []jsonl.Member{{Name: field, Value: jsonl.Quote(w.reworded(task.Text(field)))}}, nil)
	}},
	{"field", func(w worker) (plan.Change, error) {
		m := [...]jsonl.Member{
			{Name: "priority", Value: jsonl.Quote(w.of("high", "medium", "low"))},
			{Name: "role", Value: jsonl.Quote(w.of("dev", "test", "lead", "ops"))},
			{Name: "accept"},
			{Name: "parent", Value: jsonl.Quote(w.task("").ID())},
		}[w.IntN(4)]
		return w.p.Edit(w.task("").ID(), []jsonl.Member{m}, nil)
	}},
	{"meta", func(w worker) (plan.Change, error) {
		return w.p.Edit(w.task("").ID(), nil, []jsonl.Member{{Name: w.of("a", "b", "c"), Value: jsonl.Value(w.of(fmt.Sprint(w.Uint64()), fmt.Sprintf(`{"x": %d}`, w.Uint64()), fmt.Sprintf(`{"x": %d, "y": 3}`, w.Uint64()), ""))}})
	}},
	{"deps", func(w worker) (plan.Change, error) {
		task := w.task("p")
		deps := task.Deps()
		if len(deps) > 1 && w.IntN(2) == 0 {
			deps = deps[1:]
		} else {
			deps = append(deps, w.of(w.task("").ID(), w.task("").ID(), w.issue().ID()))
		}
		return w.p.Edit(task.ID(), []jsonl.Member{{Name: "deps", Value: jsonl.List(deps)}}, nil)
	}},
	{"done", func(w worker) (plan.Change, error) {
		head := fmt.Sprintf("%016x%024x", w.Uint64(), 0)
		return w.p.Done([]string{w.task("p").ID()}, plan.DoneOptions{Head: head, Force: true}, w.stamp())
	}},
	{"reject", func(w worker) (plan.Change, error) { return w.p.Reject(w.task("d").ID(), w.words(3)) }},
	{"accept", func(w worker) (plan.Change, error) { return w.p.Accept([]string{w.task("d").ID()}) }},
	{"reopen", func(w worker) (plan.Change, error) {
		return w.p.Edit(w.task("d").ID(), []jsonl.Member{{Name: "s", Value: `"p"`}}, nil)
	}},
	{"cancel", func(w worker) (plan.Change, error) {
		return w.p.Cancel([]string{w.task("p").ID()}, plan.CancelDetach)
	}},
	{"decompose", func(w worker) (plan.Change, error) {
		return w.p.Decompose(w.task("p").ID(), w.tasks(1+w.IntN(2)), w.stamp())
	}},
	{"supersede", func(w worker) (plan.Change, error) {
		return w.p.RejectAndReplace(w.task("d").ID(), w.words(2), w.tasks(1)[0], w.stamp())
	}},
	{"kill", func(w worker) (plan.Change, error) {
		return w.p.Kill(w.task("p").ID(), w.of("timeout", "context"), fmt.Sprintf("%d/1.log", *w.clock))
	}},
	{"issue", func(w worker) (plan.Change, error) {
		return w.p.AddIssues([]jsonl.Object{jsonl.Build([]jsonl.Member{{Name: "desc", Value: jsonl.Quote(fmt.Sprintf("n%d %s", *w.clock, w.words(3)))}})}, w.stamp())
	}},
	{"issue done", func(w worker) (plan.Change, error) { return w.p.CloseIssues([]string{w.issue().ID()}) }},
	{"item", func(w worker) (plan.Change, error) {
		name := jsonl.Quote(fmt.Sprintf("n%d %s", *w.clock, w.words(3)))
		return w.p.AddItems([]jsonl.Object{jsonl.Build([]jsonl.Member{{Name: "name", Value: name}})}, w.stamp())
	}},
	{"item field", func(w worker) (plan.Change, error) {
		item := w.item()
		m := [...]jsonl.Member{
			{Name: "name", Value: jsonl.Quote(w.reworded(item.Text("name")))},
			{Name: "estimate", Value: jsonl.Quote(w.of("XS", "S", "L"))},
			{Name: "files", Value: jsonl.List(append(item.Texts("files"), w.words(1)))},
			{Name: "parent", Value: jsonl.Quote(w.item().ID())},
			{Name: "artifacts", Value: jsonl.Value(w.of(`{"plan": "p.md"}`, `{"plan": "q.md", "research": "r.md"}`))},
		}[w.IntN(5)]
		return w.p.EditItem(item.ID(), []jsonl.Member{m}, nil)
	}},
	{"item move", func(w worker) (plan.Change, error) {
		return w.p.MoveItem(w.item().ID(), w.of(plan.ItemStates()...), w.words(2), w.stamp().Now)
	}},
	{"item block", func(w worker) (plan.Change, error) {
		item := w.item()
		blockers := item.Texts("blocked_by")
		if len(blockers) > 1 && w.IntN(2) == 0 {
			blockers = blockers[1:]
		} else {
			blockers = append(blockers, w.item().ID())
		}
		return w.p.EditItem(item.ID(), []jsonl.Member{{Name: "blocked_by", Value: jsonl.List(blockers)}}, nil)
	}},
	{"spec", func(w worker) (plan.Change, error) { return w.p.SetSpec(w.of("a.md", "b.md", "c.md")) }},
}

// work returns a plan after one job, or the same where there is nothing to do.
func work(data []byte, name string, seed uint64, clock *int) []byte {
	p, _ := plan.Decode(string(data))
	w := worker{rand.New(rand.NewPCG(seed, 7)), p, clock}
	if name == "hand" {
		return w.byHand(data)
	}
	for _, j := range jobs {
		if j.name == name {
			if _, err := j.do(w); err != nil {
				return data
			}
		}
	}
	return p.Encode()
}

// byHand sets or takes away a field that no command knows, or a record.
func (w worker) byHand(data []byte) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	i := w.IntN(len(lines))
	l := parse(strings.TrimSuffix(lines[i], "\n"))
	switch {
	case l.members == nil || l.get("t") == "spec":
		return data
	case w.IntN(6) == 0:
		lines[i] = ""
	default:
		l.set(w.of("x", "y"), jsonl.Value(w.of("1", "2", `"three"`, `{"a": 1}`, `{"a": 2, "b": 1}`, "")))
		lines[i] = plan.MakeRecord(plan.Kind(l.get("t")), l.members).JSON() + "\n"
	}
	return []byte(strings.Join(lines, ""))
}

// stamp returns a time of its own, and few letters, so that ids meet.
func (w worker) stamp() plan.Stamp {
	*w.clock += 10
	n := 0
	return plan.Stamp{
		Now: time.Date(2026, 1, 1, 0, 0, 0, *w.clock*int(time.Millisecond), time.UTC),
		Random: func(limit int) int {
			if n++; n%4 != 0 {
				return 0
			}
			return w.IntN(limit)
		},
	}
}

func (w worker) tasks(n int) []jsonl.Object {
	all := make([]jsonl.Object, n)
	for i := range all {
		all[i] = jsonl.Build([]jsonl.Member{
			{Name: "name", Value: jsonl.Quote(fmt.Sprintf("n%d %s", *w.clock+i, w.words(3)))},
			{Name: "notes", Value: jsonl.Quote(w.words(12))},
		})
	}
	return all
}

// task returns a task in a state, or in any for "".
func (w worker) task(state string) plan.Record {
	var all []plan.Record
	for _, r := range w.p.Of(plan.KindTask) {
		if state == "" || r.Text("s") == state {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return plan.Record{}
	}
	return all[w.IntN(len(all))]
}

func (w worker) issue() plan.Record {
	if all := w.p.Of(plan.KindIssue); len(all) > 0 {
		return all[w.IntN(len(all))]
	}
	return plan.Record{}
}

func (w worker) item() plan.Record {
	if all := w.p.Of(plan.KindItem); len(all) > 0 {
		return all[w.IntN(len(all))]
	}
	return plan.Record{}
}

func (w worker) of(all ...string) string { return all[w.IntN(len(all))] }

// words returns a text of words that are never the same twice.
func (w worker) words(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("w%d", w.IntN(1e6))
	}
	return strings.Join(all, " ")
}

// reworded changes a word of a text.
func (w worker) reworded(text string) string {
	all := strings.Fields(text)
	if len(all) == 0 {
		return w.words(3)
	}
	i := w.IntN(len(all))
	switch w.IntN(3) {
	case 0:
		all = append(all[:i], all[i+1:]...)
	case 1:
		all[i] = w.words(1)
	default:
		all[i] += " " + w.words(2)
	}
	return strings.Join(all, " ")
}
