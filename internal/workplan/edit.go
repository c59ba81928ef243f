package workplan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Change sets one status: that of a task, or that of the workplan where Task is "".
type Change struct {
	Task string
	To   Status
}

// A FixedError says that a status cannot be edited in place.
type FixedError struct {
	Task string // "" for the workplan's own
	Why  string
}

func (e *FixedError) Error() string {
	return fmt.Sprintf("the status of %s cannot be edited: %s", subject(e.Task), e.Why)
}

// An UnknownTaskError says that a workplan has no task of an id.
type UnknownTaskError struct {
	Task string
	IDs  []string // those that it has
}

func (e *UnknownTaskError) Error() string { return "unknown task " + Quoted(e.Task) }

// maxIDs is how many ids a hint names.
const maxIDs = 10

// Hint returns the ids that there are.
func (e *UnknownTaskError) Hint() string {
	var ids []string
	for _, id := range e.IDs[:min(len(e.IDs), maxIDs)] {
		ids = append(ids, Shown(id))
	}
	switch n := len(e.IDs); {
	case n == 0:
		return "the workplan has no tasks"
	case n > maxIDs:
		return fmt.Sprintf("its tasks are %s and %d more", strings.Join(ids, ", "), n-maxIDs)
	}
	return "its tasks are " + strings.Join(ids, ", ")
}

func subject(task string) string {
	if task == "" {
		return "the workplan"
	}
	return "task " + Shown(task)
}

// Apply returns src, the bytes that f was parsed from, with the values of some statuses replaced, and nothing else changed.
func (f *File) Apply(src []byte, changes ...Change) ([]byte, error) {
	edits := make([]edit, 0, len(changes))
	for _, c := range changes {
		e, err := f.edit(src, c)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.at.Start - b.at.Start })
	var out []byte
	end := 0
	for _, e := range edits {
		if e.at.Start < end {
			return nil, fmt.Errorf("two changes of the status of %s", subject(e.task))
		}
		out = append(append(out, src[end:e.at.Start]...), e.to...)
		end = e.at.End
	}
	return append(out, src[end:]...), nil
}

// An edit is a change, and where it is made.
type edit struct {
	at   Span
	to   Status
	task string
}

// edit finds where a change is made, and verifies the bytes that are there.
func (f *File) edit(src []byte, c Change) (edit, error) {
	at, from, accepted := f.StatusAt, f.Status, FileStatuses()
	if c.Task != "" {
		t, ok := f.Task(c.Task)
		if !ok {
			return edit{}, &UnknownTaskError{c.Task, f.ids()}
		}
		at, from, accepted = t.StatusAt, t.Status, TaskStatuses()
	}
	switch {
	case !slices.Contains(accepted, c.To):
		return edit{}, fmt.Errorf("invalid status %q of %s: want %s", c.To, subject(c.Task), OneOf(accepted))
	case at.Fixed != "":
		return edit{}, &FixedError{c.Task, at.Fixed}
	case at.Start < 0 || at.End < at.Start || at.End > len(src) || !bytes.Equal(src[at.Start:at.End], []byte(from)):
		return edit{}, &FixedError{c.Task, "its bytes are not where they were parsed"}
	}
	return edit{at, c.To, c.Task}, nil
}

// ids returns the ids of the tasks.
func (f *File) ids() []string {
	ids := make([]string, len(f.Tasks))
	for i, t := range f.Tasks {
		ids[i] = t.ID
	}
	return ids
}

// OneOf lists accepted values: a, b or c.
func OneOf[S ~string](values []S) string {
	text := ""
	for i, v := range values {
		switch {
		case i == 0:
		case i == len(values)-1:
			text += " or "
		default:
			text += ", "
		}
		text += string(v)
	}
	return text
}

// With returns what the file says after some changes; its spans are those of before.
func (f *File) With(changes ...Change) *File {
	now := *f
	now.Tasks = slices.Clone(f.Tasks)
	for _, c := range changes {
		if c.Task == "" {
			now.Status = c.To
		}
		for i := range now.Tasks {
			if c.Task != "" && now.Tasks[i].ID == c.Task {
				now.Tasks[i].Status = c.To
			}
		}
	}
	return &now
}

// Unknown returns the error of an id that no task has.
func (f *File) Unknown(id string) error { return &UnknownTaskError{id, f.ids()} }
