package landings

import (
	"fmt"
	"strings"

	"git-ralph/internal/test/gittest"
)

// Truth is what the files of the target say.
type Truth string

const (
	All  Truth = "all"  // every line of the work is there
	Some Truth = "some" // somebody changed the others
	None Truth = "none"
)

// Read reads the files of all targets and of all done commits, and returns what the target of each task has of its work. For work
// without code the target's plan decides: it has or had the task as done.
func Read(r *gittest.Repo, tasks []Task) []Truth {
	found := linesOf(r, tasks)
	truths := make([]Truth, len(tasks))
	for i, t := range tasks {
		truths[i] = t.truth(found)
	}
	return truths
}

// linesOf returns the lines of tasks in the files of all targets and of all done commits.
func linesOf(r *gittest.Repo, tasks []Task) map[string]map[string]bool {
	var names strings.Builder
	var revs []string
	found := map[string]map[string]bool{}
	for _, t := range tasks {
		for _, rev := range []string{t.Target, t.Done} {
			found[rev], revs = map[string]bool{}, append(revs, rev)
			for n := range files {
				fmt.Fprintf(&names, "%s:f%d\n", rev, n)
			}
		}
	}
	n := -1
	for line := range strings.Lines(r.GitIn(names.String(), "cat-file", "--batch")) {
		if strings.Contains(line, " blob ") {
			n++
		}
		if strings.HasPrefix(line, marker+" of ") {
			found[revs[n/files]][line] = true
		}
	}
	return found
}

// truth compares the lines of a task in its own commit with those in the target.
func (t Task) truth(found map[string]map[string]bool) Truth {
	if !t.HasCode {
		if t.Kind == Nothing {
			return None
		}
		return All
	}
	have, want := 0, 0
	for line := range found[t.Done] {
		if strings.HasPrefix(line, marker+" of "+t.ID+" ") {
			want++
			if found[t.Target][line] {
				have++
			}
		}
	}
	switch have {
	case want:
		return All
	case 0:
		return None
	}
	return Some
}
