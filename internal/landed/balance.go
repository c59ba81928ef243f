package landed

import (
	"errors"
	"maps"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// A balance is how many more of each line some files have after a change. Equal patches have equal balances.
type balance map[string]int

// balanceOf returns the balance of some files between two trees, and whether any of them differs.
func (n *near) balanceOf(before, after git.Hash, paths []string) (b balance, differs bool, err error) {
	b = balance{}
	for _, path := range paths {
		old, err := n.Entry(before, path)
		now, err2 := n.Entry(after, path)
		if err := errors.Join(err, err2); err != nil {
			return nil, false, err
		}
		if string(old.ID) == string(now.ID) && string(old.Mode) == string(now.Mode) {
			continue
		}
		differs = true
		if err := errors.Join(n.count(b, path, old, -1), n.count(b, path, now, 1)); err != nil {
			return nil, false, err
		}
	}
	maps.DeleteFunc(b, func(_ string, by int) bool { return by == 0 })
	return b, differs, nil
}

// count adds the lines of a file to a balance.
func (n *near) count(b balance, path string, e odb.TreeEntry, by int) error {
	if len(e.ID) == 0 || e.IsTree() {
		return nil
	}
	if !e.IsFile() && !e.IsLink() {
		return errNotNear
	}
	data, err := n.Blob(e.Hash())
	for line := range strings.Lines(string(data)) {
		b[path+"\x00"+line] += by
	}
	return err
}

// isOneOf reports whether a balance, or its inverse, is one of some.
func (b balance) isOneOf(some []balance) bool {
	for _, other := range some {
		if len(other) != len(b) {
			continue
		}
		same, inverse := true, true
		for line, by := range b {
			same, inverse = same && other[line] == by, inverse && other[line] == -by
		}
		if same || inverse {
			return true
		}
	}
	return false
}

// noneRepeats returns an error if one of some commits may have the patch of a work, or of one of its commits, or an inverse of it.
func (n *near) noneRepeats(w work, commits []git.Hash) error {
	whole, _, err := n.balanceOfCommits(n.hash(w.base), n.hash(w.done), w.paths)
	if err != nil {
		return err
	}
	b, ok, err := n.Between(n.hash(w.base), n.hash(w.done))
	if err != nil || !ok {
		return errors.Join(err, errNotNear)
	}
	own, err := n.balances(b.Other, w.paths)
	if err != nil {
		return err
	}
	since, err := n.balances(commits, w.paths)
	if err != nil || max(len(own), len(since)) >= maxSearched {
		return errors.Join(err, errNotNear)
	}
	own = append(own, whole)
	for _, b := range since {
		if b.isOneOf(own) {
			return errNotNear
		}
	}
	return nil
}

// balances returns those of the commits, without merges, that change some of the files.
func (n *near) balances(commits []git.Hash, paths []string) (all []balance, err error) {
	for _, id := range commits {
		h, err := n.Commit(id)
		if err != nil {
			return nil, err
		}
		if len(h.Parents) > 1 {
			continue
		}
		parent := git.Hash{}
		if len(h.Parents) == 1 {
			parent = h.Parents[0]
		}
		b, differs, err := n.balanceOfCommits(parent, id, paths)
		if err != nil {
			return nil, err
		}
		if differs {
			all = append(all, b)
		}
	}
	return all, nil
}

// balanceOfCommits is balanceOf for commits; the zero hash is one without files.
func (n *near) balanceOfCommits(before, after git.Hash, paths []string) (balance, bool, error) {
	var from git.Hash
	if !before.IsZero() {
		h, err := n.Commit(before)
		if err != nil {
			return nil, false, err
		}
		from = h.Tree
	}
	h, err := n.Commit(after)
	if err != nil {
		return nil, false, err
	}
	return n.balanceOf(from, h.Tree, paths)
}
