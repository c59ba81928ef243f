package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// TipDirectories hold the references that are tips.
var TipDirectories = [...]string{"refs/heads/", "refs/remotes/", "refs/tags/"}

// Tip is where a walk begins: a full reference name, or "HEAD", and the commit that it points to. A tag is followed to its
// commit; references to other objects are no tips. A tip whose object is missing has that object's id.
type Tip struct {
	Name   string
	ID     Hash
	Target string // full name of the reference that this one points to, as HEAD does to a branch; "" for none
}

// referenceFiles reads references that are stored as files.
type referenceFiles struct {
	repo *Repo
	all  map[string]Reference
	odd  []string // files that are not understood
}

// ErrBrokenReference: git cannot resolve a reference, as after a power cut.
var ErrBrokenReference = errors.New("is broken: its file cannot be read as a reference; `git reflog` may show where it pointed")

// ReferenceFiles lists the references that are files or packed, HEAD first. The error is ErrUnexpectedReference if one of them
// is not understood.
func (r *Repo) ReferenceFiles() ([]Tip, error) {
	f := newReferenceFiles(r)
	if err := f.read(); err != nil {
		return nil, err
	}
	if f.odd != nil {
		return nil, ErrUnexpectedReference
	}
	return f.list()
}

func newReferenceFiles(r *Repo) *referenceFiles {
	return &referenceFiles{repo: r, all: map[string]Reference{}}
}

func (f *referenceFiles) read() error {
	for _, dir := range TipDirectories {
		if err := f.readDirectory(dir); err != nil {
			return err
		}
	}
	return f.readHead()
}

// readHead reads HEAD and the packed references. HEAD may already be on a branch that was created after the files were read.
func (f *referenceFiles) readHead() error {
	head, err := f.repo.ReadReference("HEAD")
	if err != nil {
		return err
	}
	if err := f.readPacked(); err != nil {
		return err
	}
	f.all["HEAD"] = head
	if _, known := f.all[head.Target]; known || !isTip(head.Target) || !isReferenceName(head.Target) {
		return nil
	}
	return f.readFile(head.Target)
}

// readPacked reads packed-refs: a line with id and name for each reference, and for a tag another line with the object that it
// points to. It is read after the files, which take precedence: git packs a reference before it removes the file.
func (f *referenceFiles) readPacked() error {
	data, err := os.ReadFile(filepath.Join(f.repo.commonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	last := "" // the reference of the previous line, if it was added
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == '^' {
			id, ok := f.repo.parseID(line[1:])
			if !ok {
				return ErrUnexpectedReference
			}
			if r, wanted := f.all[last]; wanted {
				r.ID = id
				f.all[last] = r
			}
			continue
		}
		hexID, name, ok := bytes.Cut(line, []byte(" "))
		id, good := f.repo.parseID(hexID)
		if !ok || !good {
			return ErrUnexpectedReference
		}
		last = ""
		if _, known := f.all[string(name)]; !known && isTip(string(name)) {
			last = string(name)
			f.all[last] = Reference{ID: id}
		}
	}
	return nil
}

// readDirectory reads the references that are files. One that is gone by now was deleted or packed.
func (f *referenceFiles) readDirectory(dir string) error {
	root := filepath.Join(f.repo.commonDir, filepath.FromSlash(dir))
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // as a directory that became empty
		}
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(f.repo.commonDir, path)
		name := filepath.ToSlash(relative)
		if err != nil || !isReferenceName(name) {
			return err
		}
		return f.readFile(name)
	})
}

// readFile reads a reference that is a file, if it still is.
func (f *referenceFiles) readFile(name string) error {
	ref, err := f.repo.ReadReference(name)
	switch {
	case err == nil:
		f.all[name] = ref
	case errors.Is(err, ErrUnexpectedReference):
		f.odd = append(f.odd, name)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// BrokenReferences returns the references whose files are not understood and that git, which made listed, leaves out too.
func BrokenReferences(r *Repo, listed []Tip) []string {
	if r.reftable {
		return nil
	}
	f := newReferenceFiles(r)
	f.read() //nolint:errcheck // what cannot be read at all, git reports
	return slices.DeleteFunc(f.odd, func(name string) bool {
		return slices.ContainsFunc(listed, func(t Tip) bool { return t.Name == name })
	})
}

// follow returns the id that a reference resolves to; not ok if there is none.
func (f *referenceFiles) follow(r Reference) (Hash, bool) {
	for range maxLinks {
		if r.Target == "" {
			return r.ID, true
		}
		var ok bool
		if r, ok = f.all[r.Target]; !ok {
			return Hash{}, false
		}
	}
	return Hash{}, false
}

// list returns the references that resolve to an id.
func (f *referenceFiles) list() ([]Tip, error) {
	all := make([]Tip, 0, len(f.all))
	for name, r := range f.all {
		if r.Target != "" && !isTip(r.Target) {
			return nil, ErrUnexpectedReference
		}
		if id, ok := f.follow(r); ok {
			all = append(all, Tip{name, id, r.Target})
		}
	}
	SortTips(all)
	return all, nil
}

// SortTips sorts by name, HEAD first.
func SortTips(tips []Tip) {
	slices.SortFunc(tips, func(a, b Tip) int {
		if a.Name == "HEAD" || b.Name == "HEAD" {
			return boolOrder(a.Name == "HEAD") - boolOrder(b.Name == "HEAD")
		}
		return strings.Compare(a.Name, b.Name)
	})
}

func boolOrder(first bool) int {
	if first {
		return 0
	}
	return 1
}

func isTip(name string) bool {
	for _, dir := range TipDirectories {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

// isReferenceName reports whether git takes a file of that name for a reference. A lock file is none.
func isReferenceName(name string) bool {
	if strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return strings.IndexFunc(name, func(r rune) bool { return r < ' ' }) < 0
}
