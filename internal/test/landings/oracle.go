package landings

import (
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
	revs := map[string]bool{}
	for _, t := range tasks {
		revs[t.Target], revs[t.Done] = true, true
	}
	args := []string{"grep", "-e", "^" + marker + " of "}
	found := map[string]map[string]bool{}
	for rev := range revs {
		args = append(args, rev)
		found[rev] = map[string]bool{}
	}
	out, _ := r.TryGit(args...) //nolint:errcheck // it fails where nothing is found
	for line := range strings.Lines(out) {
		rev, rest, _ := strings.Cut(line, ":")
		if i := strings.Index(rest, marker+" of "); i >= 0 {
			found[rev][rest[i:]] = true
		}
	}
	truths := make([]Truth, len(tasks))
	for i, t := range tasks {
		truths[i] = t.truth(found)
	}
	return truths
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
