package plan

import (
	"errors"
	"testing"

	"git-ralph/internal/jsonl"
)

func TestDone(t *testing.T) {
	tests := []struct {
		name   string
		before []string
		ids    []string
		opts   DoneOptions
		after  []string
		events string
	}{
		{
			"plain",
			[]string{specLine, taskLine("t-a", `"x": 1.0`), taskLine("t-b")},
			[]string{"t-a"},
			DoneOptions{Head: head},
			[]string{
				specLine,
				`{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a", "s": "d", "done_at": "0123456789ab", "attempt": "0123", "x": 1.0}`,
				taskLine("t-b"),
			},
			`done t-a {"attempt": "0123"}`,
		},
		{
			"a task that waits for one before it, with a reason to be rejected and a kill",
			[]string{`{"s":"p", "t":"task","id":"t-b","kill":"timeout","kill_log":"1/2.log","reject":"no","deps":["t-a"]}`, taskLine("t-a")},
			[]string{"t-a", "t-b"},
			DoneOptions{Head: "abc"},
			[]string{
				`{"t": "task", "id": "t-b", "deps": ["t-a"], "s": "d", "done_at": "abc", "reject": "no", "attempt": "4567"}`,
				`{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a", "s": "d", "done_at": "abc", "attempt": "0123"}`,
			},
			`done t-a {"attempt": "0123"}; done t-b {"attempt": "4567"}`,
		},
		{
			"by force, with meta: other members of it keep their bytes",
			[]string{taskLine("t-a", `"deps": ["i-1"]`, `"meta": {"n":1.0, "old":"x"}`), issueLine("i-1")},
			[]string{"t-a"},
			DoneOptions{Head: head, Force: true, Meta: []jsonl.Member{{Name: "old"}, {Name: "new", Value: `{"a":1}`}}},
			[]string{
				`{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a", "deps": ["i-1"], "s": "d", "done_at": "0123456789ab", "meta": {"n": 1.0, "new": {"a":1}}, "attempt": "0123"}`,
				issueLine("i-1"),
			},
			`done t-a {"attempt": "0123"}`,
		},
		{
			"the last of meta",
			[]string{taskLine("t-a", `"meta": {"old":"x"}`)},
			[]string{"t-a"},
			DoneOptions{Head: head, Meta: []jsonl.Member{{Name: "old"}}},
			[]string{`{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a", "s": "d", "done_at": "0123456789ab", "attempt": "0123"}`},
			`done t-a {"attempt": "0123"}`,
		},
		{
			"a recorded conflict of what done decides is settled",
			[]string{taskLine("t-a", `"conflict": {"kill": ["timeout"], "name": ["a", "b"]}`)},
			[]string{"t-a"},
			DoneOptions{Head: head},
			[]string{`{"t": "task", "id": "t-a", "spec": "a.md", "name": "Do t-a", "s": "d", "done_at": "0123456789ab", "attempt": "0123", "conflict": {"name": ["a", "b"]}}`},
			`done t-a {"attempt": "0123"}`,
		},
		{"nothing", []string{specLine}, nil, DoneOptions{Head: head}, []string{specLine}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.before...)
			c, err := p.Done(test.ids, test.opts, testStamp())
			if err != nil {
				t.Fatal(err)
			}
			expect(t, p, test.after...)
			if got := eventsText(c); got != test.events || len(c.Records) != len(test.ids) {
				t.Errorf("events %s of %s, want %s", got, idsOf(c.Records), test.events)
			}
		})
	}
}

func TestDoneRefuses(t *testing.T) {
	tests := []struct {
		name string
		ids  []string
		opts DoneOptions
		want string
	}{
		{"no commit yet", []string{"t-a"}, DoneOptions{}, "there is no commit yet that a task could be done at"},
		{"waits", []string{"t-a", "t-b"}, DoneOptions{Head: head}, "t-b waits for t-c, i-1"},
		{"done already", []string{"t-d"}, DoneOptions{Head: head, Force: true}, "t-d is done, not pending"},
		{"twice", []string{"t-a", "t-a"}, DoneOptions{Head: head}, "t-a is done, not pending"},
		{"another state", []string{"t-x"}, DoneOptions{Head: head, Force: true}, `t-x is in the unknown state "a", not pending`},
		{"unknown", []string{"t-9"}, DoneOptions{Head: head}, `no such task in the plan: t-9`},
		{"an issue", []string{"i-1"}, DoneOptions{Head: head}, `no such task in the plan: i-1`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, specLine, issueLine("i-1"), taskLine("t-a"), taskLine("t-b", `"deps": ["t-c", "t-d", "i-1", "t-9"]`), taskLine("t-c"), doneLine("t-d"), stateLine("t-x", "a"))
			refuses(t, p, func() (Change, error) { return p.Done(test.ids, test.opts, testStamp()) }, test.want)
		})
	}
}

func TestAccept(t *testing.T) {
	tomb := `{"t": "reject", "id": "t-a", "done_at": "1", "reason": "no"}`
	p := read(t, specLine, doneLine("t-a", `"attempt": "zzzz"`), tomb, taskLine("t-b", `"deps": ["t-a"]`), doneLine("t-c"))
	c, err := p.Accept([]string{"t-a", "t-c"})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p, specLine, tomb, taskLine("t-b", `"deps": ["t-a"]`))
	if got, want := eventsText(c), `accepted t-a {"attempt": "zzzz"}; accepted t-c`; got != want || idsOf(c.Removed) != "t-a t-c" {
		t.Errorf("events %s, removed %s", got, idsOf(c.Removed))
	}
	refuses(t, p, func() (Change, error) { return p.Accept([]string{"t-b"}) }, "t-b is pending, not done")
	refuses(t, p, func() (Change, error) { return p.Accept([]string{"t-a"}) }, `no such task in the plan: t-a`)
	all := read(t, doneLine("t-a"), doneLine("t-b"), taskLine("t-c"))
	refuses(t, all, func() (Change, error) { return all.Accept([]string{"t-a", "t-c", "t-b"}) }, "t-c is pending, not done")
}

func TestKill(t *testing.T) {
	p := read(t, specLine, taskLine("t-a", `"kill": "context"`, `"kill_log": "0/0.log"`), taskLine("t-b"), doneLine("t-c"))
	c, err := p.Kill("t-a", "timeout", "12/3.log")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kill("t-b", "context", ""); err != nil {
		t.Fatal(err)
	}
	expect(
		t, p, specLine,
		taskLine("t-a", `"kill": "timeout"`, `"kill_log": "12/3.log"`), taskLine("t-b", `"kill": "context"`), doneLine("t-c"),
	)
	if got, want := eventsText(c), `killed t-a {"kill": "timeout"}`; got != want {
		t.Errorf("events %s", got)
	}
	refuses(t, p, func() (Change, error) { return p.Kill("t-a", "boredom", "") }, `field "kill" is "boredom", expected "timeout" or "context"`)
	refuses(t, p, func() (Change, error) { return p.Kill("t-c", "timeout", "") }, "t-c is done, not pending")
	refuses(t, p, func() (Change, error) { return p.Kill("t-a", "timeout", "12/3.log") }, ErrNothing.Error())
	for _, path := range []string{"/tmp/x.log", "../x.log", "a/../../x.log", `a\b.log`, "C:/x.log"} {
		_, err := p.Kill("t-a", "timeout", path)
		var field *FieldError
		if !errors.As(err, &field) || field.Field != "kill_log" {
			t.Errorf("%s: got %v", path, err)
		}
	}
}
