package walk

import (
	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// References implements Walker.
func (w *odbWalker) References() ([]git.Tip, error) { return w.repo.ReferenceFiles() }

// Broken implements Walker: with a broken reference there is no list.
func (w *odbWalker) Broken() []string { return nil }

// maxTags limits chains of tags that point to tags.
const maxTags = 1 << 10

// Tips implements Walker.
func (w *odbWalker) Tips(references []git.Tip) ([]git.Tip, error) {
	if err := w.open(); err != nil {
		return nil, err
	}
	tips := make([]git.Tip, 0, len(references))
	for _, r := range references {
		if id, ok := w.commitOf(r.ID); ok {
			tips = append(tips, git.Tip{Name: r.Name, ID: id, Target: r.Target})
		}
	}
	return tips, nil
}

// commitOf follows tags; not ok where they end at something else than a commit.
func (w *odbWalker) commitOf(id git.Hash) (git.Hash, bool) {
	first := id
	if w.graph != nil {
		if _, ok := w.graph.Find(&id); ok {
			return id, true
		}
	}
	for range maxTags {
		kind, data, err := w.reader(0).Object(&id)
		switch {
		case err != nil:
			return first, true
		case kind == odb.Commit:
			return id, true
		case kind != odb.Tag:
			return id, false
		}
		var ok bool
		if id, ok = odb.TagTarget(data, w.repo.IDSize()); !ok {
			return first, true
		}
	}
	return first, true
}
