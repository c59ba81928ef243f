package treemerge

import (
	"bytes"
	"encoding/hex"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/odb"
)

// Result is a merged tree.
type Result struct {
	Tree     string   // its id; "" for the empty tree. At the paths of overlaps it has the entries of ours
	Overlaps []string // paths that need git: both sides changed them, or a rename may concern them
}

// Merge merges the trees ours and theirs with the merge base's tree base.
func (t *Trees) Merge(base, ours, theirs string) (Result, error) {
	m := merger{trees: t}
	tree, err := m.tree("", base, ours, theirs)
	return Result{tree, m.overlaps}, err
}

// merger merges one triple of trees.
type merger struct {
	trees    *Trees
	overlaps []string
}

// change is an entry of base and what theirs changed it to. A zero entry means that there is none.
type change struct{ base, theirs odb.TreeEntry }

func (m *merger) tree(path, base, ours, theirs string) (string, error) {
	switch {
	case base == theirs, ours == theirs:
		return ours, nil
	case base == ours:
		return theirs, nil
	}
	changes, err := m.changes(base, theirs)
	if err != nil {
		return "", err
	}
	data, err := m.trees.Data(ours)
	if err != nil {
		return "", err
	}
	if path == "" && m.isMoved(base, data, theirs) {
		m.overlaps = append(m.overlaps, ".")
		return ours, nil
	}
	for name, c := range changes {
		mine, _, err := odb.FindEntry(data, name, m.trees.repo.IDSize())
		if err != nil {
			return "", err
		}
		next, err := m.entry(join(path, name), c, mine)
		switch {
		case err != nil:
			return "", err
		case next.Name == nil && mine.Name != nil:
			data = commit.WithoutEntry(data, name, m.trees.repo.IDSize())
		case !same(next, mine):
			data = commit.WithEntry(data, next)
		}
	}
	return m.trees.add(data), nil
}

// entry merges an entry that theirs changed; mine is that of ours.
func (m *merger) entry(path string, c change, mine odb.TreeEntry) (odb.TreeEntry, error) {
	trees := mine.IsTree() && c.theirs.IsTree() && (c.base.IsTree() || c.base.Name == nil)
	switch {
	case same(mine, c.base):
		return c.theirs, nil
	case same(mine, c.theirs) && mine.Name != nil:
		return mine, nil
	case !trees: // two that both removed a file may have renamed it differently
		m.overlaps = append(m.overlaps, path)
		return mine, nil
	}
	id, err := m.tree(path, idOf(c.base), idOf(mine), idOf(c.theirs))
	if err != nil || id == "" {
		return odb.TreeEntry{}, err
	}
	next := mine
	next.ID, err = hex.DecodeString(id)
	return next, err
}

// changes returns the entries of base that theirs changed, added or removed, by name.
func (m *merger) changes(base, theirs string) (map[string]change, error) {
	before, err := m.trees.Data(base)
	if err != nil {
		return nil, err
	}
	after, err := m.trees.Data(theirs)
	if err != nil {
		return nil, err
	}
	before, after = withoutCommonStart(before, after, m.trees.repo.IDSize())
	changed := map[string]change{}
	each(before, m.trees.repo.IDSize(), func(e odb.TreeEntry) { changed[string(e.Name)] = change{base: e} })
	each(after, m.trees.repo.IDSize(), func(e odb.TreeEntry) {
		c := changed[string(e.Name)]
		if c.theirs = e; same(c.base, e) {
			delete(changed, string(e.Name))
			return
		}
		changed[string(e.Name)] = c
	})
	return changed, nil
}

// withoutCommonStart removes the entries that two trees have in common at their beginning.
func withoutCommonStart(a, b []byte, idSize int) ([]byte, []byte) {
	for {
		nul := bytes.IndexByte(a, 0)
		end := nul + 1 + idSize
		if nul < 0 || len(a) < end || len(b) < end || !bytes.Equal(a[:end], b[:end]) {
			return a, b
		}
		a, b = a[end:], b[end:]
	}
}

// isMoved reports whether one side removed every entry of the root, as when everything was moved into a directory. git then also
// moves what the other side added. Below the root, this case is an overlap anyway.
func (m *merger) isMoved(base string, ours []byte, theirs string) bool {
	before, _ := m.trees.Data(base) //nolint:errcheck // it was read before
	after, _ := m.trees.Data(theirs)
	return before != nil && (!m.haveCommon(before, ours) || !m.haveCommon(before, after))
}

// haveCommon reports whether a name of one tree is in the other.
func (m *merger) haveCommon(one, other []byte) (common bool) {
	for rest := one; !common; {
		e, next, ok := odb.NextEntry(rest, m.trees.repo.IDSize())
		if !ok {
			break
		}
		_, common, _ = odb.FindEntry(other, string(e.Name), m.trees.repo.IDSize())
		rest = next
	}
	return common
}

func each(tree []byte, idSize int, do func(odb.TreeEntry)) {
	for {
		e, rest, ok := odb.NextEntry(tree, idSize)
		if !ok {
			return
		}
		do(e)
		tree = rest
	}
}

func same(a, b odb.TreeEntry) bool {
	return bytes.Equal(a.Name, b.Name) && bytes.Equal(a.Mode, b.Mode) && bytes.Equal(a.ID, b.ID)
}

func idOf(e odb.TreeEntry) string { return hex.EncodeToString(e.ID) }

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
