package workplan

import (
	"fmt"
	"strings"
)

// Counts are how many tasks of a workplan have each status.
type Counts struct{ Done, InProgress, Todo, Total int }

// Counts counts the tasks.
func (f *File) Counts() Counts {
	c := Counts{Total: len(f.Tasks)}
	for _, t := range f.Tasks {
		switch t.Status {
		case Done:
			c.Done++
		case InProgress:
			c.InProgress++
		default:
			c.Todo++
		}
	}
	return c
}

// Done reports whether the workplan is done: every task is, and the frontmatter says so. One without tasks is done by its
// frontmatter alone.
func (f *File) Done() bool { return f.Missing() == "" }

// maxMissing is how many tasks Missing names.
const maxMissing = 5

// Missing returns the one fact that keeps the workplan from being done, "" where it is done.
func (f *File) Missing() string {
	if open := f.Unfinished(); len(open) > 0 {
		names := make([]string, 0, maxMissing)
		for _, t := range open[:min(len(open), maxMissing)] {
			names = append(names, fmt.Sprintf("%s (%s)", Shown(t.ID), t.Status))
		}
		if more := len(open) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("and %d more", more))
		}
		return fmt.Sprintf("%d of %d tasks are not done: %s", len(open), len(f.Tasks), strings.Join(names, ", "))
	}
	if f.Status != Done {
		return fmt.Sprintf("the status in the frontmatter is %s, not done", f.Status)
	}
	return ""
}

// Unfinished returns the tasks that are not done, in the order of the file.
func (f *File) Unfinished() []Task {
	var open []Task
	for _, t := range f.Tasks {
		if t.Status != Done {
			open = append(open, t)
		}
	}
	return open
}
