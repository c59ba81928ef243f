package cli

import (
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// doneEarliest returns the task whose "done_at" names the oldest commit. Those
// whose commit git does not know come last; between equals the order given
// decides. Git is asked only where there is something to decide.
func doneEarliest(reader git.Reader, done []*plan.Record) *plan.Record {
	var commits []string
	for _, r := range done {
		if at := r.Text("done_at"); isHex(at) && !slices.Contains(commits, at) {
			commits = append(commits, at)
		}
	}
	if len(commits) < 2 && allDoneAt(done, commits) {
		return done[0]
	}
	times := commitTimes(reader, commits)
	return slices.MinFunc(done, func(a, b *plan.Record) int {
		ta, knownA := times[a.Text("done_at")]
		tb, knownB := times[b.Text("done_at")]
		switch {
		case knownA && knownB:
			return int(min(max(ta-tb, -1), 1))
		case knownA:
			return -1
		case knownB:
			return 1
		}
		return 0
	})
}

// allDoneAt tells whether every task was done at the one commit, or none at any.
func allDoneAt(done []*plan.Record, commits []string) bool {
	return len(commits) == 0 || !slices.ContainsFunc(done, func(r *plan.Record) bool { return r.Text("done_at") != commits[0] })
}

// isHex tells whether text can be the id of a commit: what stands in a plan may
// come from anybody, and goes to git.
func isHex(text string) bool {
	return len(text) >= 4 && strings.Trim(text, "0123456789abcdef") == ""
}

// commitTimes returns the committer's date of each commit that git knows, in
// seconds.
func commitTimes(reader git.Reader, commits []string) map[string]int64 {
	defer reader.Close()
	times := make(map[string]int64, len(commits))
	for _, c := range commits {
		if seconds, err := reader.Time(c); err == nil {
			times[c] = seconds
		}
	}
	return times
}
