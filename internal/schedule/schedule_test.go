package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

// decode reads a plan that must be valid.
func decode(t testing.TB, lines ...string) *plan.Plan {
	t.Helper()
	p, problems := plan.Decode(strings.Join(lines, "\n") + "\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

const spec = `{"t": "spec", "spec": "a.md"}`

// task writes a pending task of the current spec with more members.
func task(id string, members ...string) string {
	return record("task", id, append(members, `"s": "p"`)...)
}

func done(id string, members ...string) string {
	return record("task", id, append(members, `"s": "d"`)...)
}

func issue(id string, members ...string) string { return record("issue", id, members...) }

func record(kind, id string, members ...string) string {
	text := fmt.Sprintf(`{"t": %q, "id": %q, "name": "x", "desc": "x"`, kind, id)
	for _, m := range members {
		text += ", " + m
	}
	if !strings.Contains(text, `"spec"`) {
		text += `, "spec": "a.md"`
	}
	return text + "}"
}

func ids(records []*plan.Record) string {
	var all []string
	for _, r := range records {
		all = append(all, r.ID())
	}
	return strings.Join(all, " ")
}

// describe writes a Next as one line: the action, what comes next, and what is
// stalled by what.
func describe(n Next) string {
	text := string(n.Action)
	if n.Item != nil {
		text += " " + n.Item.ID()
	}
	if n.Items != nil {
		text += " [" + ids(n.Items) + "]"
	}
	for _, s := range n.Stalled {
		text += fmt.Sprintf(" %s<%s", s.ID, strings.Join(s.BlockedBy, ","))
	}
	return text
}

// Every row of docs/promises.md, "Stage and next".
func TestNext(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"no record", nil, "PLAN"},
		{"no spec record", []string{task("t-1")}, "PLAN"},
		{"empty spec", []string{`{"t": "spec", "spec": ""}`, task("t-1")}, "PLAN"},
		{"an item alone", []string{`{"t": "item", "id": "w-1", "name": "x"}`}, "PLAN"},
		{"an item and a spec", []string{spec, `{"t": "item", "id": "w-1", "name": "x"}`}, "COMPLETE"},
		{"a task of an item, no spec", []string{`{"t": "task", "id": "t-1", "name": "x", "s": "p", "meta": {"issue_number": 42}}`}, "BUILD t-1"},
		{"unknown records alone", []string{`{"t": "config"}`}, "PLAN"},
		{"nothing left", []string{spec}, "COMPLETE"},
		{"tombstones are nothing", []string{spec, `{"t": "reject", "id": "t-1", "done_at": "a", "reason": "b"}`}, "COMPLETE"},
		{"pending", []string{spec, task("t-1")}, "BUILD t-1"},
		{"pending and done and issue", []string{spec, issue("i-1"), done("t-1"), task("t-2")}, "BUILD t-2"},
		{"an unknown state is neither pending nor done", []string{spec, record("task", "t-1", `"s": "a"`), record("task", "t-2", `"s": ""`)}, "COMPLETE"},
		{"a task that does not say is pending", []string{spec, record("task", "t-1")}, "BUILD t-1"},
		{"a task that says null is pending", []string{spec, record("task", "t-1", `"s": null`), task("t-2", `"deps": ["t-1"]`)}, "BUILD t-1"},
		{"nothing waits for an unknown state", []string{spec, record("task", "t-1", `"s": "a"`), task("t-2", `"deps": ["t-1"]`)}, "BUILD t-2"},
		{"killed", []string{spec, task("t-1", `"kill": "timeout"`)}, "DECOMPOSE t-1"},
		{"killed is not next", []string{spec, task("t-1", `"kill": "timeout"`, `"deps": ["t-2"]`), task("t-2")}, "BUILD t-2"},
		{"killed and not first", []string{spec, task("t-1"), task("t-2", `"kill": "context"`)}, "BUILD t-1"},
		{"null kill", []string{spec, task("t-1", `"kill": null`)}, "BUILD t-1"},
		{"all done", []string{spec, done("t-2"), done("t-1"), issue("i-1")}, "VERIFY [t-2 t-1]"},
		{"issues", []string{spec, issue("i-2"), issue("i-1")}, "INVESTIGATE i-2"},
		{"issue of the current spec first", []string{spec, issue("i-2", `"spec": "b.md"`), issue("i-1")}, "INVESTIGATE i-1"},
		{
			"all wait for an issue",
			[]string{spec, task("t-1", `"deps": ["i-1"]`), done("t-2"), issue("i-1")},
			"INVESTIGATE i-1",
		},
		{
			"all wait for an issue through others",
			[]string{spec, task("t-1", `"deps": ["t-2"]`), task("t-2", `"deps": ["t-3"]`), task("t-3", `"deps": ["i-1"]`), issue("i-1")},
			"INVESTIGATE i-1",
		},
		{
			"one does not wait for an issue",
			[]string{spec, task("t-1", `"deps": ["i-1"]`), task("t-2"), issue("i-1")},
			"BUILD t-2",
		},
		{
			"one waits for a cycle",
			[]string{spec, task("t-1", `"deps": ["i-1"]`), task("t-2", `"deps": ["t-3"]`), task("t-3", `"deps": ["t-2"]`), issue("i-1")},
			"BUILD t-1<i-1 t-2<t-3 t-3<t-2",
		},
		{
			"a cycle that waits for an issue",
			[]string{spec, task("t-2", `"deps": ["t-3"]`), task("t-3", `"deps": ["t-2", "i-1"]`), issue("i-1")},
			"INVESTIGATE i-1",
		},
		{"waits for itself", []string{spec, task("t-1", `"deps": ["t-1"]`)}, "BUILD t-1<t-1"},
		{"the issue is closed", []string{spec, task("t-1", `"deps": ["i-1"]`)}, "BUILD t-1"},
		{"the task is gone", []string{spec, task("t-1", `"deps": ["t-0"]`)}, "BUILD t-1"},
		{"the task is done", []string{spec, task("t-1", `"deps": ["t-0"]`), done("t-0")}, "BUILD t-1"},
		{"priority", []string{spec, task("t-1", `"priority": "low"`), task("t-2", `"priority": "high"`), task("t-3", `"priority": "medium"`)}, "BUILD t-2"},
		{"any priority before none", []string{spec, task("t-1"), task("t-2", `"priority": "low"`)}, "BUILD t-2"},
		{"an unknown priority is none", []string{spec, task("t-1", `"priority": "urgent"`), task("t-2", `"priority": "low"`)}, "BUILD t-2"},
		{"current spec before priority", []string{spec, task("t-1", `"priority": "high"`, `"spec": "b.md"`), task("t-2")}, "BUILD t-2"},
		{"blocked before priority", []string{spec, task("t-1", `"priority": "high"`, `"deps": ["t-2"]`), task("t-2")}, "BUILD t-2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := Of(decode(t, test.lines...))
			next := s.Next()
			if got := describe(next); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if s.Stage() != next.Action {
				t.Errorf("Stage is %s, Next is %s", s.Stage(), next.Action)
			}
		})
	}
}

// A plan whose ids stand twice can still be asked; any of the two that is
// pending holds back.
func TestDuplicateIDs(t *testing.T) {
	p, _ := plan.Decode(strings.Join([]string{spec, done("t-1"), task("t-1", `"deps": ["i-1"]`), task("t-2", `"deps": ["t-1"]`), issue("i-1")}, "\n"))
	s := Of(p)
	if got := ids(s.Pending()) + " / " + ids(s.Done()); got != "t-1 t-2 / t-1" {
		t.Errorf("got %s", got)
	}
	if got := describe(s.Next()); got != "INVESTIGATE i-1" {
		t.Errorf("got %s", got)
	}
}

// Work goes by the time of creation, and among records without one by their
// place in the file, wherever the lines stand.
func TestOrderOfWork(t *testing.T) {
	at := func(second int) string { return fmt.Sprintf(`"created_at": "2026-01-01T00:00:%02d.000Z"`, second) }
	lines := []string{
		task("t-a", at(3)),
		task("t-b"),
		task("t-c", at(1)),
		task("t-d"),
		task("t-e", at(1)),
		task("t-f", `"spec": "b.md"`, `"priority": "high"`),
		task("t-g", `"priority": "low"`, at(9)),
		task("t-h", `"deps": ["t-a"]`, `"priority": "high"`),
		done("t-i", at(2), `"spec": "b.md"`),
		done("t-j", at(5)),
		done("t-k", at(4)),
		record("task", "t-l", `"s": "a"`),
	}
	s := Of(decode(t, append([]string{spec}, lines...)...))
	for _, test := range []struct{ what, got, want string }{
		{"pending", ids(s.Pending()), "t-h t-g t-b t-d t-c t-e t-a t-f"},
		{"done", ids(s.Done()), "t-k t-j t-i"},
		{"all", ids(s.Tasks()), "t-h t-g t-b t-d t-c t-e t-a t-f t-k t-j t-i t-l"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %s, want %s", test.what, test.got, test.want)
		}
	}
	slices.Reverse(lines)
	turned := Of(decode(t, append(lines, spec)...))
	if got, want := ids(turned.Pending()), "t-h t-g t-d t-b t-c t-e t-a t-f"; got != want {
		t.Errorf("reversed lines: got %s, want %s", got, want)
	}
}

func TestBlockedBy(t *testing.T) {
	p := decode(t, spec, task("t-1", `"deps": ["t-2", "t-3", "t-4", "i-1", "i-2"]`), task("t-2"), done("t-3", `"deps": ["t-2"]`), issue("i-1"))
	s := Of(p)
	for id, want := range map[string]string{"t-1": "[t-2 i-1]", "t-2": "[]", "t-3": "[]"} {
		r, _ := p.Task(id)
		if got := fmt.Sprint(s.BlockedBy(&r)); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}

// Asking does not change what the next answer is, nor the plan.
func TestAnswersAreTheCallers(t *testing.T) {
	p := decode(t, spec, task("t-2"), task("t-1"), issue("i-1"))
	before := string(p.Encode())
	s := Of(p)
	slices.Reverse(s.Pending())
	clear(s.Issues())
	if ids(s.Pending()) != "t-2 t-1" || ids(s.Issues()) != "i-1" || string(p.Encode()) != before {
		t.Error("an answer shares memory with the schedule")
	}
}

// The order of work is that of comparing any two records, however the plan spells its times of creation.
func TestOrderIsThatOfComparing(t *testing.T) {
	times := []string{
		`"2026-01-02T03:04:05.000Z"`, `"2026-01-02T03:04:05.001Z"`, `"1999-12-31T23:59:59.999Z"`, `"0000-01-01T00:00:00.000Z"`,
		`"9999-12-31T23:59:59.999Z"`, `""`, `null`, `"2026-01-02T05:04:05+02:00"`, `"some day"`,
	}
	for _, spelled := range []int{7, len(times)} { // without and with times that others spell
		rng := rand.New(rand.NewPCG(1, 2))
		lines := []string{spec}
		for i := range 400 {
			lines = append(lines, task(fmt.Sprintf("t-%03d", rng.IntN(1000)), `"priority": "`+[]string{"", "low", "high", "odd"}[i%4]+`"`,
				`"spec": "`+[]string{"a.md", "b.md"}[i%7/6]+`"`, `"created_at": `+times[rng.IntN(spelled)]))
		}
		p, _ := plan.Decode(strings.Join(lines, "\n"))
		s := Of(p)
		if s.foreign != (spelled == len(times)) {
			t.Errorf("times of others: %t", s.foreign)
		}
		if !slices.IsSortedFunc(s.pending, s.compare) || len(s.pending) != 400 {
			t.Errorf("%d kinds of time: the order is another one", spelled)
		}
	}
}
