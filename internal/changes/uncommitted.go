package changes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// Uncommitted lists what is uncommitted in the worktree when a run ends, by who changed it. The user's changes from before
// the run that are still the same are left out.
type Uncommitted struct {
	Run     []string // left or changed by the run
	Yours   []string // of these, what the user had changed before
	Earlier []string // left by an earlier run, and not changed by this one
}

// After returns what is uncommitted after the run, and the record for the next run: {"users", "left"}.
func (c *Changes) After(ctx context.Context) (Uncommitted, jsonl.Object, error) {
	found, err := c.tree.changes(ctx)
	if err != nil {
		return Uncommitted{}, jsonl.Object{}, err
	}
	paths := make([]string, len(found))
	for i, change := range found {
		paths[i] = change.Path
	}
	now := SignaturesOf(c.tree.Repo.Root(), paths)
	var u Uncommitted
	for _, path := range slices.Compact(paths) { // what is staged and changed again is listed twice
		was, users := c.users[path]
		switch before, earlier := c.earlier[path]; {
		case path == c.tree.Plan, users && was == now[path]:
		case earlier && before == now[path]:
			u.Earlier = append(u.Earlier, path)
		default:
			u.Run = append(u.Run, path)
			if users {
				u.Yours = append(u.Yours, path)
			}
		}
	}
	return u, jsonl.Build(append(c.Record().Members(), jsonl.Member{Name: "left", Value: now.JSON()})), nil
}

// maxListed is how many files Listed names.
const maxListed = 8

// Listed joins the names of files for a message. Of many files it names the first ones and says how many more there are.
func Listed(files []string) string {
	more := ""
	if n := len(files) - maxListed; n > 0 {
		files, more = files[:maxListed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(files, ", ") + more
}
