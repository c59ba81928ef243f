package history

import (
	"errors"
	"path"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/record"
)

// findMoves finds where plans came from, or went, that are not among the paths: a
// commit that removes a plan and adds one elsewhere, with half its ids or more,
// moved it. Only commits in which a plan comes or goes are read.
func (r *repository) findMoves(in *fold.Input, paths []string) ([]string, error) {
	var found []string
	unseen := 0
	commits := in.Graph.Commits
	for at := range commits {
		c := &commits[at]
		parents := in.Graph.Parents(at)
		if in.Boundary[c.ID] || len(parents) == 0 || parents[0] < 0 {
			continue
		}
		parent := &commits[parents[0]]
		after, err := c.PlanID()
		before, beforeErr := parent.PlanID()
		if err != nil || beforeErr != nil || after.IsZero() == before.IsZero() {
			continue
		}
		other, err := r.counterpart(in, parent, c)
		if err != nil && r.ctx.Err() != nil {
			return nil, err
		}
		if err != nil { // a tree of theirs is missing
			unseen++
			continue
		}
		if other != "" && !slices.Contains(paths, other) && !slices.Contains(found, other) {
			found = append(found, other)
		}
	}
	in.Warnings = nil // the last walk meets them all
	if unseen > 0 {
		in.Warnings = []string{fold.CountText(unseen,
			"1 commit is not whole; a plan that moved in it is taken for a new one",
			"%d commits are not whole; a plan that moved in them is taken for a new one")}
	}
	return found, nil
}

// counterpart finds the file that a plan was moved to, or from.
func (r *repository) counterpart(in *fold.Input, parent, child *walk.Commit) (string, error) {
	added, deleted, err := walk.FilesBetween(r.ctx, r.Repo, parent.ID, child.ID, in.Graph.IDSize)
	if err != nil {
		return "", err
	}
	known, candidates, came := parent.Plan, added, true
	if known.IsZero() {
		known, candidates, came = child.Plan, deleted, false
	}
	for _, file := range candidates {
		if path.Ext(file.Path) != path.Ext(r.Paths[0]) {
			continue
		}
		before, after := known, file.ID
		if !came {
			before, after = after, before
		}
		if moved, err := r.follows(before, after); moved || err != nil {
			return file.Path, err
		}
	}
	return "", nil
}

// follows reports whether a plan that was removed lives on in one elsewhere. They are read into a table of their own: a file
// that is no plan must not become one.
func (r *repository) follows(before, after git.Hash) (bool, error) {
	lines := record.NewLineTable()
	reader := lines.Reader()
	var versions [2]*record.Version
	err := r.walker.Blobs([]git.Hash{before, after}, 1, func(_, i int, data []byte, err error) error {
		if err == nil {
			versions[i] = reader.Read(data)
		}
		if errors.Is(err, git.ErrMissing) {
			return nil
		}
		return err
	})
	if err != nil || versions[0] == nil || versions[1] == nil {
		return false, err
	}
	return lines.Moves(versions[0], versions[1]), nil
}
