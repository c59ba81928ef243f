package workplan

import (
	"errors"
	"strings"
	"testing"
)

func tasks(statuses ...Status) []Task {
	list := make([]Task, len(statuses))
	for i, s := range statuses {
		list[i] = Task{ID: string(rune('a' + i)), Status: s}
	}
	return list
}

// A workplan is done when every task is, and its frontmatter says so; without a task by its frontmatter alone.
func TestDone(t *testing.T) {
	tests := []struct {
		name string
		file File
		want string // what is missing
	}{
		{"nothing but the frontmatter", File{Status: Done}, ""},
		{"frontmatter not done", File{Status: Active}, "the status in the frontmatter is active, not done"},
		{"paused", File{Status: Paused}, "the status in the frontmatter is paused, not done"},
		{"all done", File{Status: Done, Tasks: tasks(Done, Done)}, ""},
		{"frontmatter missing", File{Status: Active, Tasks: tasks(Done)}, "the status in the frontmatter is active, not done"},
		{"task missing", File{Status: Done, Tasks: tasks(Done, InProgress)}, "1 of 2 tasks are not done: b (in_progress)"},
		{"many missing", File{Status: Done, Tasks: tasks(Todo, Todo, Todo, Todo, Todo, Todo, Done)}, "6 of 7 tasks are not done: a (todo), b (todo), c (todo), d (todo), e (todo), and 1 more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.file.Missing(); got != tt.want {
				t.Errorf("missing %q, want %q", got, tt.want)
			}
			if got := tt.file.Done(); got != (tt.want == "") {
				t.Errorf("done: %v", got)
			}
		})
	}
}

// Next: in progress first, then high, medium, low, none, then the order of the file.
func TestNext(t *testing.T) {
	f := File{Tasks: []Task{
		{ID: "none", Status: Todo},
		{ID: "low", Status: Todo, Priority: "low"},
		{ID: "high", Status: Todo, Priority: "high"},
		{ID: "high2", Status: Todo, Priority: "high"},
		{ID: "begun", Status: InProgress},
		{ID: "medium", Status: Todo, Priority: "medium"},
		{ID: "begun-low", Status: InProgress, Priority: "low"},
	}}
	for _, want := range []string{"begun-low", "begun", "high", "high2", "medium", "low", "none"} {
		next, ok := f.Next()
		if !ok || next.ID != want {
			t.Fatalf("next is %q, want %q", next.ID, want)
		}
		for i := range f.Tasks {
			if f.Tasks[i].ID == want {
				f.Tasks[i].Status = Done
			}
		}
	}
	if next, ok := f.Next(); ok {
		t.Errorf("next is %q, want nothing", next.ID)
	}
}

// The bytes are verified before they are replaced, and several edits are one.
func TestApply(t *testing.T) {
	src := []byte("status: active\nstatus: todo\nstatus: done\n")
	f := &File{Status: Active, StatusAt: Span{Start: 8, End: 14}, Tasks: []Task{
		{ID: "a", Status: Todo, StatusAt: Span{Start: 23, End: 27}},
		{ID: "b", Status: Done, StatusAt: Span{Fixed: "it has a tag"}},
	}}
	got, err := f.Apply(src, Change{"a", InProgress}, Change{"", Paused})
	if want := "status: paused\nstatus: in_progress\nstatus: done\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
	for _, tt := range []struct {
		change Change
		src    string
		want   string
	}{
		{Change{"c", Done}, string(src), `unknown task "c"`},
		{Change{"a", Paused}, string(src), `invalid status "paused" of task a: want todo, in_progress or done`},
		{Change{"", Todo}, string(src), `invalid status "todo" of the workplan: want active, done or paused`},
		{Change{"b", Todo}, string(src), "the status of task b cannot be edited: it has a tag"},
		{Change{"a", Done}, "status: active\nstatus:  todo\n", "the status of task a cannot be edited: its bytes are not where they were parsed"},
		{Change{"a", Done}, "", "the status of task a cannot be edited: its bytes are not where they were parsed"},
	} {
		if _, err := f.Apply([]byte(tt.src), tt.change); err == nil || err.Error() != tt.want {
			t.Errorf("%v: got %v, want %s", tt.change, err, tt.want)
		}
	}
	if _, err := f.Apply(src, Change{"a", Done}, Change{"a", Todo}); err == nil {
		t.Error("two changes of one status were made")
	}
	if _, err := f.Apply(src, Change{"c", Done}); !isUnknown(err, "a", "b") {
		t.Errorf("got %v", err)
	}
}

func isUnknown(err error, ids ...string) bool {
	unknown, ok := errors.AsType[*UnknownTaskError](err)
	return ok && len(unknown.IDs) == len(ids)
}

// TestSlug guards: a suggested file name is made of words of the title, and is never longer than a file system takes.
func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Parse headers, quickly!": "parse-headers-quickly",
		"":                        "",
		"--":                      "",
		"a word that is followed by many others, which are left out": "a-word-that-is-followed-by-many-others",
		strings.Repeat("語", 100):                                     strings.Repeat("語", 40),
		"x " + strings.Repeat("y", 300):                              "x",
	} {
		if got := Slug(title); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
}
