package commit

import (
	"encoding/hex"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// The commit that HEAD points to is usually recent, so that it and what it changed are loose objects. Reading these few files
// here saves a process; any other case is left to git.

// looseCommit reads the commit that a reference points to; not ok if the reference or the commit is not a file, or if the commit
// may be replaced.
func (t *Tx) looseCommit(ref string) (commit git.Object, ok bool) {
	id, ok := t.repo.LooseReference(ref)
	if !ok || t.repo.HasReplacements() {
		return commit, false
	}
	commit, ok = t.repo.ReadLoose(hex.EncodeToString(id[:t.repo.IDSize()]))
	return commit, ok && commit.Kind == "commit"
}

// looseHead returns the objects that readPath requests from git, if all are loose: the commit, the directories from the root
// down, and the file. If the path does not exist completely, the rest are empty.
func (t *Tx) looseHead(name string) (commit git.Object, objects []git.Object, ok bool) {
	if commit, ok = t.looseCommit(name); !ok {
		return commit, nil, false
	}
	parts := strings.Split(t.path, "/")
	objects = make([]git.Object, len(parts)+1)
	id := git.RootOf(commit.Data)
	for i := range objects {
		if len(id) != hex.EncodedLen(t.repo.IDSize()) {
			return commit, nil, false
		}
		if objects[i], ok = t.repo.ReadLoose(id); !ok {
			return commit, nil, false
		}
		if i == len(parts) || objects[i].Kind != "tree" {
			break
		}
		e, found, _ := odb.FindEntry(objects[i].Data, parts[i], t.repo.IDSize())
		if !found || string(e.Mode) == modeSubmodule {
			break
		}
		id = hex.EncodeToString(e.ID)
	}
	return commit, objects, true
}
