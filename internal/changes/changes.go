package changes

import (
	"context"
	"maps"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
)

// A Worktree is where a run works.
type Worktree struct {
	Repo *git.Repo
	Plan string // the plan's path, whose changes do not count
}

// Changes are the files that differed from HEAD when a run began, by who changed them.
type Changes struct {
	tree    Worktree
	users   Signatures // as they were before the run
	tracked Signatures // of the users', those that git tracks, as they were after the last iteration: never committed
	earlier Signatures // left by the run before
}

// Before returns the uncommitted changes at the beginning of a run. Last is the record of the last run, an empty object if
// there is none.
func Before(ctx context.Context, tree Worktree, last jsonl.Object) (*Changes, error) {
	found, err := tree.changes(ctx)
	if err != nil {
		return nil, err
	}
	past := readPastRun(last)
	c := &Changes{tree, Signatures{}, Signatures{}, Signatures{}}
	for _, change := range found {
		now := signatureOf(tree.Repo.Root(), change.Path)
		switch {
		case past.left(change.Path, now):
			c.earlier[change.Path] = now
			continue
		case !change.Untracked && change.Path != tree.Plan:
			c.tracked[change.Path] = now
		}
		c.users[change.Path] = now
	}
	return c, nil
}

// changes lists the files that differ from HEAD, and submodules with changes in them, which git does not count as changed.
func (t Worktree) changes(ctx context.Context) ([]git.Change, error) {
	found, err := t.Repo.Changes(ctx)
	if err != nil {
		return nil, err
	}
	inside, err := t.Repo.DirtySubmodules(ctx)
	for _, path := range inside {
		found = append(found, git.Change{Path: path, Untracked: true})
	}
	return found, err
}

// UserFiles lists the tracked files that the user has changed, except the plan.
func (c *Changes) UserFiles() []string { return slices.Sorted(maps.Keys(c.tracked)) }

// ChangedUserFiles lists those of UserFiles that changed since the last call.
func (c *Changes) ChangedUserFiles() []string {
	var changed []string
	for _, path := range c.UserFiles() {
		if now := signatureOf(c.tree.Repo.Root(), path); now != c.tracked[path] {
			c.tracked[path] = now
			changed = append(changed, path)
		}
	}
	return changed
}

// Record returns the record of a run that has not ended, for the next run: {"users"}.
func (c *Changes) Record() jsonl.Object {
	return jsonl.Build([]jsonl.Member{{Name: "users", Value: c.users.JSON()}})
}

// A pastRun is what the run before recorded.
type pastRun struct {
	known bool       // it recorded something
	ended bool       // normally, and not by a kill
	users Signatures // when it began
	files Signatures // uncommitted when it ended
}

func readPastRun(record jsonl.Object) pastRun {
	left, ended := record.Get("left")
	users, known := record.Get("users")
	if !known || users.Kind() != jsonl.Array || ended && left.Kind() != jsonl.Array {
		return pastRun{}
	}
	return pastRun{known: true, ended: ended, users: ReadSignatures(record, "users"), files: ReadSignatures(record, "left")}
}

// left reports whether agents of the past run left a change. If the run was killed, that is everything that was not the
// user's when it began.
func (p pastRun) left(path string, now signature) bool {
	if p.users.contains(path) || !p.known {
		return false
	}
	was, found := p.files[path]
	return !p.ended || found && was == now
}
