package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
)

func TestAddTasks(t *testing.T) {
	tests := []struct {
		name   string
		before []string
		input  []string
		after  []string
		events string
	}{
		{
			"a name alone",
			[]string{specLine},
			[]string{`{"name": " Write it "}`},
			[]string{specLine, `{"t": "task", "id": "t-0123", "spec": "a.md", "name": "Write it", "s": "p", "created_at": "` + now + `"}`},
			`added t-0123 {"name": "Write it", "spec": "a.md"}`,
		},
		{
			"all fields, in our order, unknown ones last and byte for byte",
			[]string{specLine, taskLine("t-1")},
			[]string{`{"x": 1.0,"meta":{"a":1}, "role": "r", "deps": ["t-1"], "n\u0061me": "N", "spec": "b.md", "priority": "low", "y": "\u00e9", "accept": "a", "notes": "\u006e"}`},
			[]string{
				specLine,
				`{"t": "task", "id": "t-0123", "spec": "b.md", "n\u0061me": "N", "notes": "\u006e", "accept": "a", "deps": ["t-1"], "s": "p", "priority": "low", "created_at": "` + now + `", "role": "r", "meta": {"a":1}, "x": 1.0, "y": "\u00e9"}`,
				taskLine("t-1"),
			},
			`added t-0123 {"name": "N", "spec": "b.md"}`,
		},
		{
			"a batch with labels, dependencies forward and back, times a millisecond apart",
			[]string{specLine},
			[]string{`{"id": "second one", "name": "B", "deps": ["t-given"]}`, `{"id": "t-given", "name": "A"}`, `{"name": "C", "deps": ["second one", " t-given", "t-given"]}`},
			[]string{
				specLine,
				`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "B", "deps": ["t-given"], "s": "p", "created_at": "` + now + `"}`,
				`{"t": "task", "id": "t-4567", "spec": "a.md", "name": "C", "deps": ["t-0123", "t-given"], "s": "p", "created_at": "2026-03-04T05:06:07.010Z"}`,
				`{"t": "task", "id": "t-given", "spec": "a.md", "name": "A", "s": "p", "created_at": "2026-03-04T05:06:07.009Z"}`,
			},
			`added t-0123 {"name": "B", "spec": "a.md"}; added t-given {"name": "A", "spec": "a.md"}; added t-4567 {"name": "C", "spec": "a.md"}`,
		},
		{
			"shortened dependencies, on issues too",
			[]string{specLine, issueLine("i-abcd"), taskLine("t-wxyz")},
			[]string{`{"name": "A", "deps": ["t-w", "i-ab"]}`},
			[]string{specLine, issueLine("i-abcd"), `{"t": "task", "id": "t-0123", "spec": "a.md", "name": "A", "deps": ["t-wxyz", "i-abcd"], "s": "p", "created_at": "` + now + `"}`, taskLine("t-wxyz")},
			`added t-0123 {"name": "A", "spec": "a.md"}`,
		},
		{
			"desc is the name where there is none, and stays where there is one",
			[]string{specLine},
			[]string{`{"desc": "old"}`, `{"desc": "long", "name": "short"}`, `{"name": "", "desc": "old"}`},
			[]string{
				specLine,
				`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "old", "s": "p", "created_at": "` + now + `"}`,
				`{"t": "task", "id": "t-4567", "spec": "a.md", "name": "short", "s": "p", "created_at": "2026-03-04T05:06:07.009Z", "desc": "long"}`,
				`{"t": "task", "id": "t-89ab", "spec": "a.md", "name": "old", "s": "p", "created_at": "2026-03-04T05:06:07.010Z"}`,
			},
			`added t-0123 {"name": "old", "spec": "a.md"}; added t-4567 {"name": "short", "spec": "a.md"}; added t-89ab {"name": "old", "spec": "a.md"}`,
		},
		{
			"last in a file that is not canonical",
			[]string{taskLine("t-z"), specLine, ""},
			[]string{`{"name": "A"}`},
			[]string{taskLine("t-z"), specLine, "", `{"t": "task", "id": "t-0123", "spec": "a.md", "name": "A", "s": "p", "created_at": "` + now + `"}`},
			`added t-0123 {"name": "A", "spec": "a.md"}`,
		},
		{
			"superseding a pending task: dependants follow, a tombstone remains",
			[]string{specLine, taskLine("t-a", `"priority": "high"`), taskLine("t-b", `"deps": ["t-c", "t-a"]`), taskLine("t-c")},
			[]string{`{"name": "A", "supersedes": "t-a", "deps": ["t-a", "t-c"]}`},
			[]string{
				specLine,
				`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "A", "deps": ["t-c"], "s": "p", "supersedes": "t-a", "created_at": "` + now + `"}`,
				`{"t": "reject", "id": "t-a", "done_at": "", "reason": "superseded by t-0123"}`,
				taskLine("t-b", `"deps": ["t-c", "t-0123"]`), taskLine("t-c"),
			},
			`added t-0123 {"name": "A", "spec": "a.md"}; superseded t-a {"superseded_by": "t-0123"}; edited t-b`,
		},
		{
			"superseding a task that was rejected before: that tombstone stays",
			[]string{specLine, taskLine("t-a"), `{"t": "reject", "id": "t-a", "done_at": "1", "reason": "no"}`},
			[]string{`{"name": "A", "supersedes": "t-a"}`},
			[]string{
				specLine,
				`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "A", "s": "p", "supersedes": "t-a", "created_at": "` + now + `"}`,
				`{"t": "reject", "id": "t-a", "done_at": "1", "reason": "no"}`,
			},
			`added t-0123 {"name": "A", "spec": "a.md"}; superseded t-a {"superseded_by": "t-0123"}`,
		},
		{
			"superseding a task that was rejected and done again: both attempts have one",
			[]string{specLine, doneLine("t-a", `"attempt": "zzzz"`), `{"t": "reject", "id": "t-a", "done_at": "1", "reason": "no"}`},
			[]string{`{"name": "A", "supersedes": "t-a"}`},
			[]string{
				specLine,
				`{"t": "task", "id": "t-0123", "spec": "a.md", "name": "A", "s": "p", "supersedes": "t-a", "created_at": "` + now + `"}`,
				`{"t": "reject", "id": "t-a", "done_at": "1", "reason": "no"}`,
				`{"t": "reject", "id": "t-a", "done_at": "aaaabbbbcccc", "reason": "superseded by t-0123", "attempt": "zzzz"}`,
			},
			`added t-0123 {"name": "A", "spec": "a.md"}; superseded t-a {"superseded_by": "t-0123"}`,
		},
		{"nothing", []string{specLine}, nil, []string{specLine}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.before...)
			c, err := p.AddTasks(objects(t, test.input...), testStamp())
			if err != nil {
				t.Fatal(err)
			}
			expect(t, p, test.after...)
			if got := eventsText(c); got != test.events {
				t.Errorf("events\n%s\nwant\n%s", got, test.events)
			}
			if problems := Check(p, false).Errors(); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}

// A batch is added whole or not at all, and says which of its tasks is wrong.
func TestAddTasksRefuses(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		input []string
		want  string
	}{
		{"no name", []string{specLine}, []string{`{"notes": "n"}`}, `field "name" is missing`},
		{"blank name", []string{specLine}, []string{`{"name": "A"}`, `{"name": " "}`}, `task 2: field "name" is missing`},
		{"no spec", nil, []string{`{"name": "A"}`}, `no spec is set`},
		{"wrong type", []string{specLine}, []string{`{"name": 7}`}, `field "name" is a number, expected a string`},
		{"deps", []string{specLine}, []string{`{"name": "A", "deps": [1]}`}, `field "deps" holds a number, expected an array of strings`},
		{"kind", []string{specLine}, []string{`{"name": "A", "t": "issue"}`}, `field "t" is "issue", expected "task"`},
		{"priority", []string{specLine}, []string{`{"name": "A", "priority": "urgent"}`}, `field "priority" is "urgent", expected one of high, medium, low`},
		{"state", []string{specLine}, []string{`{"name": "A", "s": "d"}`}, "field \"s\" cannot be set; use `task done`"},
		{"done_at", []string{specLine}, []string{`{"name": "A", "done_at": "1"}`}, "field \"done_at\" cannot be set; use `task done`"},
		{"id in use", []string{specLine, taskLine("t-1")}, []string{`{"name": "A", "id": "t-1"}`}, `field "id" "t-1" is in use`},
		{"id of a tombstone", []string{specLine, `{"t": "reject", "id": "t-1"}`}, []string{`{"name": "A", "id": "t-1"}`}, `field "id" "t-1" is in use`},
		{"label twice", []string{specLine}, []string{`{"name": "A", "id": "x"}`, `{"name": "B", "id": "x"}`}, `task 2: field "id" "x" is used twice in the batch`},
		{
			"unknown dependency",
			[]string{specLine},
			[]string{`{"name": "A"}`, `{"name": "B", "deps": ["t-9"]}`},
			`task 2: field "deps" names "t-9": no such task or issue in the plan`,
		},
		{
			"empty dependency",
			[]string{specLine},
			[]string{`{"name": "B", "deps": [""]}`},
			`field "deps" names "": no such task or issue in the plan`,
		},
		{
			"ambiguous dependency",
			[]string{specLine, taskLine("t-1a"), taskLine("t-1b")},
			[]string{`{"name": "B", "deps": ["t-1"]}`},
			`field "deps" names "t-1", which is the beginning of more than one id: t-1a, t-1b`,
		},
		{"cycle", []string{specLine}, []string{`{"id": "x", "name": "A", "deps": ["y"]}`, `{"id": "y", "name": "B", "deps": ["x"]}`}, `tasks would wait for each other: t-0123 -> t-4567 -> t-0123`},
		{"itself", []string{specLine}, []string{`{"id": "x", "name": "A", "deps": ["x"]}`}, `tasks would wait for each other: t-0123 -> t-0123`},
		{
			"cycle through what is superseded",
			[]string{specLine, taskLine("t-a"), taskLine("t-b", `"deps": ["t-a"]`)},
			[]string{`{"name": "A", "supersedes": "t-a", "deps": ["t-b"]}`},
			`tasks would wait for each other: t-0123 -> t-b -> t-0123`,
		},
		{"supersedes nothing", []string{specLine}, []string{`{"name": "A", "supersedes": "t-9"}`}, `field "supersedes" names no task: no such task in the plan: t-9`},
		{"supersedes itself", []string{specLine}, []string{`{"name": "A", "id": "t-9", "supersedes": "t-9"}`}, `field "supersedes" names the task itself`},
		{"superseded twice", []string{specLine, taskLine("t-a")}, []string{`{"name": "A", "supersedes": "t-a"}`, `{"name": "B", "supersedes": "t-a"}`}, `task 2: field "supersedes" names no task: no such task in the plan: t-a`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.lines...)
			refuses(t, p, func() (Change, error) { return p.AddTasks(objects(t, test.input...), testStamp()) }, test.want)
		})
	}
}

func TestAddTasksErrorsAreTyped(t *testing.T) {
	p := read(t, specLine)
	var field *FieldError
	if _, err := p.AddTasks(objects(t, `{"name": "A"}`, `{}`), testStamp()); !errors.As(err, &field) || field.Where != "task 2" || field.Field != "name" {
		t.Errorf("got %v", err)
	}
	if _, err := new(Plan).AddTasks(objects(t, `{"name": "A"}`), testStamp()); !errors.Is(err, ErrNoSpec) {
		t.Errorf("got %v", err)
	}
}

// A cycle that stands in the plan already does not keep anybody from adding
// another task, not even one that waits for it.
func TestAddBesideACycle(t *testing.T) {
	p := read(t, specLine, taskLine("t-a", `"deps": ["t-b"]`), taskLine("t-b", `"deps": ["t-a"]`))
	if _, err := p.AddTasks(objects(t, `{"name": "A", "deps": ["t-a"]}`), testStamp()); err != nil {
		t.Error(err)
	}
}

// bulk is a batch of n tasks that wait for three others each.
func bulk(t tb, n int) []jsonl.Object {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"id": "l%d", "name": "Task %d", "notes": "%s", "deps": ["l%d", "l%d", "l%d"]}`, i, i, strings.Repeat("n", 200), i/2, i/3, i/5)
	}
	texts[0] = `{"id": "l0", "name": "Task 0"}`
	return objects(t, texts...)
}

// A batch may be as large as a plan.
func TestAddManyTasks(t *testing.T) {
	p := read(t, specLine)
	stamp := testStamp()
	stamp.Random = pseudoRandom()
	c, err := p.AddTasks(bulk(t, 2000), stamp)
	if err != nil || len(c.Records) != 2000 || !p.IsCanonical() {
		t.Fatal(len(c.Records), err)
	}
}

// pseudoRandom returns numbers that look random and are the same every time.
func pseudoRandom() func(n int) int {
	state := uint64(1)
	return func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
}

func BenchmarkAddTasks(b *testing.B) {
	objects := bulk(b, 2000)
	for b.Loop() {
		p := &Plan{}
		p.SetSpec("a.md")
		stamp := testStamp()
		stamp.Random = pseudoRandom()
		if _, err := p.AddTasks(objects, stamp); err != nil {
			b.Fatal(err)
		}
	}
}

// TestBatchesKeepTheirOrder guards: tasks of several batches that are added at the same moment, and tasks added
// one by one after them, are listed in the order in which they were given; a record from a clock that is
// ahead moves nothing.
func TestBatchesKeepTheirOrder(t *testing.T) {
	ahead := `{"t": "task", "id": "t-ahead", "spec": "a.md", "name": "ahead", "s": "p", "created_at": "2099-01-01T00:00:00.000Z"}`
	p := read(t, specLine, ahead)
	stamp := testStamp()
	stamp.Random = pseudoRandom()
	var want []string
	for batch, size := range []int{500, 500, 1, 1} {
		objects := make([]jsonl.Object, size)
		for i := range objects {
			name := fmt.Sprintf("%d-%d", batch, i)
			objects[i] = jsonl.Build([]jsonl.Member{jsonl.TextMember("name", name)})
			want = append(want, name)
		}
		if _, err := p.AddTasks(objects, stamp); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range byAge(p) {
		if r.Kind() == KindTask {
			got = append(got, r.Name())
		}
	}
	if !slices.Equal(got, append(want, "ahead")) {
		t.Errorf("the order is %q", got)
	}
}
