package history

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// moves finds where plans came from, or went, that are not among the paths: a
// commit that removes a plan and adds one elsewhere, with half its ids or more,
// moved it. Only commits are looked at in which a plan comes or goes.
func (r *reader) moves(in *fold.Input, paths []string) ([]string, error) {
	var found []string
	unseen := 0
	commits := in.Graph.Commits
	for at := range commits {
		c := &commits[at]
		parents := in.Graph.Parents(at)
		if in.Cut[c.ID] || len(parents) == 0 || parents[0] < 0 {
			continue
		}
		parent := &commits[parents[0]]
		if c.Plan.IsZero() == parent.Plan.IsZero() || c.Blind || parent.Blind {
			continue
		}
		other, err := r.counterpart(in, parent, c)
		if r.ctx.Err() != nil {
			return nil, err
		}
		if err != nil { // a folder of theirs is not at hand
			unseen++
			continue
		}
		if other != "" && !slices.Contains(paths, other) && !slices.Contains(found, other) {
			found = append(found, other)
		}
	}
	in.Warnings = nil // the last walk meets them all
	if unseen > 0 {
		in.Warnings = []string{fmt.Sprintf("%d commits are not whole; a plan that moved in them is taken for a new one", unseen)}
	}
	return found, nil
}

// counterpart finds the file that a plan was moved to, or from.
func (r *reader) counterpart(in *fold.Input, parent, child *git.Walked) (string, error) {
	added, deleted, err := r.Repo.FilesBetween(r.ctx, parent.ID, child.ID, in.Graph.Size)
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

// follows tells whether a plan that is gone lives on in one elsewhere. They are
// read into a book of their own: a file that is no plan must not become one.
func (r *reader) follows(before, after git.Hash) (bool, error) {
	book := fold.NewBook()
	reader := book.Reader()
	var versions [2]*fold.Version
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
	return book.Moves(versions[0], versions[1]), nil
}
