package markdown

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"testing"

	"git-ralph/internal/workplan"
)

// drawn is how many random files are tried; RALPH_WORKPLANS sets another number.
func drawn(t *testing.T) int {
	t.Helper()
	text := os.Getenv("RALPH_WORKPLANS")
	if text == "" {
		return 200
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// An edit replaces the bytes of one value, and its undo gives the same bytes, in files with all that Markdown and YAML have.
func TestEditAndUndo(t *testing.T) {
	edits, fixed := 0, 0
	for i := range drawn(t) {
		size := 10 + i%60
		if i%1000 == 999 {
			size = 900_000 // about 10 MB
		}
		text, want := draw(uint64(i), size)
		f, err := Parse("w.md", []byte(text))
		if err != nil {
			t.Fatalf("file %d: %v\n%s", i, err, text)
		}
		if got := describe(f); got != describe(&want) {
			t.Fatalf("file %d: got\n%s\nwant\n%s\nof\n%s", i, got, describe(&want), text)
		}
		n := 1 + len(f.Tasks)
		for k := range min(n, 8) { // all of a small file, some of a long one
			id := ""
			at := want.StatusAt
			if t := k * n / min(n, 8); t > 0 {
				id, at = f.Tasks[t-1].ID, want.Tasks[t-1].StatusAt
			}
			if at.Fixed != "" {
				fixed++
				requireFixed(t, f, text, id)
				continue
			}
			edits++
			requireUndo(t, f, text, id)
		}
	}
	if edits < 100 || fixed < 10 {
		t.Errorf("only %d edits and %d refusals were drawn", edits, fixed)
	}
}

// requireFixed checks that a status with an anchor, a tag or the like is not edited.
func requireFixed(t *testing.T, f *workplan.File, text, id string) {
	t.Helper()
	_, err := f.Apply([]byte(text), workplan.Change{Task: id, To: workplan.Done})
	if _, ok := errors.AsType[*workplan.FixedError](err); !ok {
		t.Fatalf("status of %q was edited, or: %v\n%s", id, err, text)
	}
}

// requireUndo sets each other status, and undoes it.
func requireUndo(t *testing.T, f *workplan.File, text, id string) {
	t.Helper()
	from, accepted := f.Status, workplan.FileStatuses()
	if id != "" {
		task, _ := f.Task(id)
		from, accepted = task.Status, workplan.TaskStatuses()
	}
	for _, to := range accepted {
		edited, err := f.Apply([]byte(text), workplan.Change{Task: id, To: to})
		if err != nil {
			t.Fatalf("%q to %s: %v\n%s", id, to, err, text)
		}
		if to == from && !bytes.Equal(edited, []byte(text)) || len(edited) != len(text)+len(to)-len(from) {
			t.Fatalf("%q to %s changed more than the value", id, to)
		}
		again, err := Parse("w.md", edited)
		if err != nil {
			t.Fatalf("%q to %s: %v\n%s", id, to, err, edited)
		}
		requireOnlyChange(t, f, again, workplan.Change{Task: id, To: to})
		undone, err := again.Apply(edited, workplan.Change{Task: id, To: from})
		if err != nil || !bytes.Equal(undone, []byte(text)) {
			t.Fatalf("%q to %s and back: %v: other bytes\n%q\n%q", id, to, err, undone, text)
		}
	}
}

// requireOnlyChange checks that a file says the same after an edit, but for one status.
func requireOnlyChange(t *testing.T, before, after *workplan.File, c workplan.Change) {
	t.Helper()
	want := *before
	want.Tasks = append([]workplan.Task(nil), before.Tasks...)
	if c.Task == "" {
		want.Status = c.To
	}
	for i, it := range want.Tasks {
		if it.ID == c.Task {
			want.Tasks[i].Status = c.To
		}
	}
	if got, want := describe(after), describe(&want); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// FuzzParse parses any bytes, edits what can be edited, and undoes it.
func FuzzParse(f *testing.F) {
	for i := range 30 {
		text, _ := draw(uint64(i), 20)
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		w, err := Parse("w.md", src)
		if err != nil {
			if _, ok := errors.AsType[*workplan.InvalidError](err); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, id := range append([]string{""}, ids(w)...) {
			task, _ := w.Task(id)
			if at := task.StatusAt; at.Fixed == "" && id != "" || id == "" && w.StatusAt.Fixed == "" {
				requireUndo(t, w, string(src), id)
			}
		}
	})
}

func ids(f *workplan.File) []string {
	var list []string
	for _, t := range f.Tasks {
		list = append(list, t.ID)
	}
	return list
}
