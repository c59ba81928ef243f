package git

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The commit that HEAD stands at is nearly always young, so that it and what it changed are loose files. Reading these
// few here spares a process; whatever is not as plain as that is left to git.

// maxPackedRefs is the size up to which packed-refs is searched for replacements.
const maxPackedRefs = 1 << 20

// looseRef gives the commit id that a reference file holds; not ok where there is no such file or no plain id in it.
func (r *Repo) looseRef(name string) (string, bool) {
	if r.reftable || r.replaces() {
		return "", false
	}
	dir := r.commonDir
	if name == "HEAD" {
		dir = r.gitDir
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	id := strings.TrimRight(string(data), "\n")
	return id, err == nil && len(id) == r.hexSize() && strings.Trim(id, "0123456789abcdef") == ""
}

// replaces tells whether `git replace` may have put other objects in the place of some.
func (r *Repo) replaces() bool {
	if hasAny(r.environ, []string{"GIT_REPLACE_REF_BASE"}) || isDir(filepath.Join(r.commonDir, "refs", "replace")) {
		return true
	}
	path := filepath.Join(r.commonDir, "packed-refs")
	if info, err := os.Stat(path); err != nil || info.Size() > maxPackedRefs {
		return err == nil
	}
	data, err := os.ReadFile(path)
	return err != nil || bytes.Contains(data, []byte(" refs/replace/"))
}

// readLoose reads a loose object; not ok where it is packed, lives in another repository, or is damaged.
func (r *Repo) readLoose(id string) (object, bool) {
	f, err := os.Open(filepath.Join(r.objectDir(), id[:2], id[2:]))
	if err != nil {
		return object{}, false
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return object{}, false
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return object{}, false
	}
	header, data, ok := bytes.Cut(raw, []byte{0})
	kind, size, _ := strings.Cut(string(header), " ")
	n, err := strconv.Atoi(size)
	return object{id: id, kind: kind, data: data}, ok && err == nil && n == len(data)
}

// looseHead gives the objects that readPath asks git for, if all are loose: the commit, the folders on the way from
// the root, and the file. Where the path ends early the rest are empty.
func (t *Tx) looseHead(name string) (commit object, objects []object, ok bool) {
	id, ok := t.repo.looseRef(name)
	if !ok {
		return commit, nil, false
	}
	if commit, ok = t.repo.readLoose(id); !ok || commit.kind != "commit" {
		return commit, nil, false
	}
	parts := strings.Split(t.path, "/")
	objects = make([]object, len(parts)+1)
	id = rootOf(commit.data)
	for i := range objects {
		if len(id) != t.repo.hexSize() {
			return commit, nil, false
		}
		if objects[i], ok = t.repo.readLoose(id); !ok {
			return commit, nil, false
		}
		if i == len(parts) || objects[i].kind != "tree" {
			break
		}
		e, found := findEntry(objects[i].data, parts[i], t.repo.hexSize()/2)
		if !found || e.mode == modeSubmodule {
			break
		}
		id = hex.EncodeToString(e.id)
	}
	return commit, objects, true
}

// rootOf gives the id of a commit's root folder.
func rootOf(commit []byte) string {
	line, _, _ := bytes.Cut(commit, []byte("\n"))
	return strings.TrimPrefix(string(line), "tree ")
}
