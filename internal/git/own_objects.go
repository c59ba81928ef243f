package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"

	"git-ralph/internal/git/config"
	"git-ralph/internal/git/odb"
)

// ownObjects reads objects in this process, from the repository's files. What it does not know, git may know all the same: objects
// of a partial clone, replacements, names in other spellings.
type ownObjects struct {
	ctx   context.Context
	repo  *Repo
	store *odb.Store
	*odb.Reader
}

// openOwn opens the files; nil where git may show something else than they hold.
func openOwn(ctx context.Context, r *Repo) *ownObjects {
	if _, moved := config.Getenv(r.git.Env, "GIT_ALTERNATE_OBJECT_DIRECTORIES"); moved || !showsOwnObjects(r) {
		return nil
	}
	store, err := odb.Open(r.ObjectDir(), r.IDSize(), nil)
	if err != nil {
		return nil
	}
	return &ownObjects{ctx: ctx, repo: r, store: store, Reader: store.Reader()}
}

// showsOwnObjects reports whether git shows each object as it is.
func showsOwnObjects(r *Repo) bool {
	return config.HasAny(r.git.Env, []string{"GIT_NO_REPLACE_OBJECTS"}) || !r.HasReplacements()
}

// ask returns the object of an id, of a reference, or of a path in a commit: "<id>:<path>".
func (f *ownObjects) ask(name string) (Object, bool) {
	id, ok := name, true
	if commit, path, inCommit := strings.Cut(name, ":"); inCommit {
		id, ok = f.idInCommit(commit, path)
	} else if _, isID := f.repo.parseID([]byte(name)); !isID {
		id, ok = f.idOfReference(name)
	}
	if !ok {
		return Object{}, false
	}
	kind, data, ok := f.object(id)
	return Object{ID: strings.ToLower(id), Kind: kind, Data: bytes.Clone(data)}, ok
}

// idOfReference returns the id that HEAD, a full name or the short name of a branch refers to, if that is a file. Where git would take a
// short name for another reference, it is not for us to say.
func (f *ownObjects) idOfReference(name string) (id string, ok bool) {
	if name == "" || name == "@" {
		return "", false
	}
	full := name
	if name != "HEAD" && !strings.HasPrefix(name, "refs/") {
		full = "refs/heads/" + name
		if _, err := f.repo.ReadReference(name); !errors.Is(err, fs.ErrNotExist) {
			return "", false
		}
		for _, first := range []string{"refs/", "refs/tags/"} {
			if other, err := ReferenceID(f.ctx, f.repo, first+name); other != "" || err != nil {
				return "", false
			}
		}
	}
	hash, ok := f.repo.LooseReference(full)
	return hex.EncodeToString(hash[:f.repo.IDSize()]), ok
}

// idInCommit returns the id of what a commit has at a path; ok is false as well where it has nothing there.
func (f *ownObjects) idInCommit(commit, path string) (id string, ok bool) {
	id, ok = f.lookup(commit, path)
	return id, ok && id != ""
}

// lookup returns the id of what a commit has at a path, "" for nothing. It is not ok where only git can say.
func (f *ownObjects) lookup(commit, path string) (id string, ok bool) {
	kind, data, ok := f.object(commit)
	if !ok || kind != "commit" || path != "" && !IsPlain(path) {
		return "", false
	}
	id = RootOf(data)
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		if kind, data, ok = f.object(id); !ok || kind != "tree" {
			return "", false
		}
		entry, found, err := odb.FindEntry(data, name, f.repo.IDSize())
		if !found {
			return "", err == nil
		}
		if id = hex.EncodeToString(entry.ID); path != "" && !entry.IsTree() {
			return "", true
		}
	}
	return id, true
}

// pathsIn is Repo.PathsIn for a commit of an id.
func (f *ownObjects) pathsIn(commit string, paths []string) (found []string, ok bool) {
	for _, path := range paths {
		id, ok := f.lookup(commit, path)
		if !ok {
			return nil, false
		}
		if id != "" {
			found = append(found, path)
		}
	}
	return found, true
}

// object returns the object of an id; its data is valid until the next call.
func (f *ownObjects) object(id string) (kind string, data []byte, ok bool) {
	hash, ok := f.repo.parseID([]byte(id))
	if !ok {
		return "", nil, false
	}
	is, data, err := f.Object(&hash)
	return is.String(), data, err == nil
}

// maxFirstParents is how many commits of a branch are looked at for another one.
const maxFirstParents = 256

// follows is Reader.Follows for two commits.
func (f *ownObjects) follows(ancestor, descendant string) bool {
	want, ok := f.repo.parseID([]byte(ancestor))
	at, known := f.repo.parseID([]byte(descendant))
	if !ok || !known || !f.repo.PlainHistory() {
		return false
	}
	var head odb.CommitHeader
	for range maxFirstParents {
		kind, data, err := f.Object(&at)
		if err != nil || kind != odb.Commit || odb.ParseCommit(data, f.repo.IDSize(), &head) != nil {
			return false
		}
		for _, parent := range head.Parents {
			if parent == want {
				return true
			}
		}
		if len(head.Parents) == 0 {
			return false
		}
		at = head.Parents[0]
	}
	return false
}

// line is Reader.Line for two commits.
func (f *ownObjects) line(ancestor, descendant string) (commits []Object, ok bool) {
	if !f.repo.PlainHistory() {
		return nil, false
	}
	var head odb.CommitHeader
	for at := descendant; at != ancestor; at = hex.EncodeToString(head.Parents[0][:f.repo.IDSize()]) {
		kind, data, ok := f.object(at)
		if !ok || kind != "commit" || len(commits) == maxFirstParents || odb.ParseCommit(data, f.repo.IDSize(), &head) != nil || len(head.Parents) != 1 {
			return nil, false
		}
		commits = append(commits, Object{ID: at, Kind: kind, Data: bytes.Clone(data)})
	}
	return commits, true
}
