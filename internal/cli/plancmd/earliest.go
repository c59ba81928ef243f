package plancmd

import (
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// doneEarliest returns the task whose "done_at" names the oldest commit, by the
// committer's date; between commits of one date an ancestor is the older, since
// dates count seconds. Tasks whose commit git does not know come last, and the
// age of the tasks decides the rest. Git is used only where the tasks were done at
// different commits.
func doneEarliest(reader *git.Reader, done []*plan.Record) *plan.Record {
	done = slices.Clone(done)
	slices.SortStableFunc(done, plan.CompareAge)
	if !doneApart(done) {
		return done[0]
	}
	defer reader.Close()
	known := commitsOf(reader, done)
	best := 0
	for i := range known {
		if known[i].before(known[best], reader) {
			best = i
		}
	}
	return done[best]
}

// doneApart reports whether tasks were done at different commits.
func doneApart(done []*plan.Record) bool {
	return slices.ContainsFunc(done, func(r *plan.Record) bool { return r.Text("done_at") != done[0].Text("done_at") })
}

// A doneCommit is the commit that a task was done at.
type doneCommit struct {
	id   string // "" where git does not know it
	time int64  // the committer's date, in seconds
}

// before reports whether a commit is known to be older than another.
func (c doneCommit) before(other doneCommit, reader *git.Reader) bool {
	switch {
	case c.id == "" || c.id == other.id:
		return false
	case other.id == "" || c.time != other.time:
		return other.id == "" || c.time < other.time
	}
	older, err := reader.IsAncestor(c.id, other.id)
	return older && err == nil
}

// commitsOf returns the commit of each task.
func commitsOf(reader *git.Reader, done []*plan.Record) []doneCommit {
	commits := make([]doneCommit, len(done))
	resolved := make(map[string]doneCommit, len(done))
	for i, r := range done {
		at := r.Text("done_at")
		if _, again := resolved[at]; !again {
			resolved[at] = commitAt(reader, at)
		}
		commits[i] = resolved[at]
	}
	return commits
}

func commitAt(reader *git.Reader, at string) doneCommit {
	if !isHex(at) {
		return doneCommit{}
	}
	id, err := reader.Resolve(at)
	if err != nil {
		return doneCommit{}
	}
	seconds, err := reader.Time(id)
	if err != nil {
		return doneCommit{}
	}
	return doneCommit{id, seconds}
}

// isHex reports whether text can be the id of a commit. It comes from a plan, so perhaps from a stranger, and is
// passed to git.
func isHex(text string) bool {
	return len(text) >= 4 && strings.Trim(text, "0123456789abcdef") == ""
}
