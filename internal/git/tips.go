package git

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git/odb"
)

// tipFolders hold the references that are tips.
var tipFolders = [...]string{"refs/heads/", "refs/remotes/", "refs/tags/"}

// reference is one as it is written down.
type reference struct {
	id     Hash
	target string // of a symbolic one
}

// referenceFiles reads references that are stored as files.
type referenceFiles struct {
	dir  string // common git folder
	size int
	all  map[string]reference
	odd  []string // files of which it is not understood what they stand for
}

// ErrBrokenReference: git cannot tell what a reference stands for, as after a power cut.
var ErrBrokenReference = errors.New("is broken: nothing can be read from its file; `git reflog` may tell what it stood for")

// errOddReference: a file does not hold a reference that we understand.
var errOddReference = errors.New("unexpected reference")

// References implements Walker.
func (w *storeWalker) References() ([]Tip, error) {
	f := w.repo.referenceFiles()
	if err := f.read(w.repo.gitDir); err != nil {
		return nil, err
	}
	if f.odd != nil {
		return nil, errOddReference
	}
	return f.list()
}

// Broken implements Walker: with a broken reference there is no list.
func (w *storeWalker) Broken() []string { return nil }

func (r *Repo) referenceFiles() *referenceFiles {
	return &referenceFiles{dir: r.commonDir, size: r.hexSize() / 2, all: map[string]reference{}}
}

func (f *referenceFiles) read(gitDir string) error {
	for _, folder := range tipFolders {
		if err := f.readFolder(folder); err != nil {
			return err
		}
	}
	return f.readHead(gitDir)
}

// readHead reads HEAD, and the packed references. A branch that was made since the files were read may be HEAD's already.
func (f *referenceFiles) readHead(gitDir string) error {
	data, err := os.ReadFile(filepath.Join(gitDir, "HEAD"))
	if err != nil {
		return err
	}
	head, ok := f.parse(data)
	if !ok {
		return errOddReference
	}
	if err := f.readPacked(); err != nil {
		return err
	}
	f.all["HEAD"] = head
	if _, known := f.all[head.target]; known || !isTip(head.target) || !isReferenceName(head.target) {
		return nil
	}
	return f.readFile(head.target)
}

// readPacked reads packed-refs: a line with id and name a reference, for a tag a further one with what it stands for. It
// comes after the files, which go before it: git packs a reference before it removes the file.
func (f *referenceFiles) readPacked() error {
	data, err := os.ReadFile(filepath.Join(f.dir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	last := "" // reference that is taken from here
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == '^' {
			id, ok := f.id(line[1:])
			if !ok {
				return errOddReference
			}
			if r, wanted := f.all[last]; wanted {
				r.id = id
				f.all[last] = r
			}
			continue
		}
		hexID, name, ok := bytes.Cut(line, []byte(" "))
		id, good := f.id(hexID)
		if !ok || !good {
			return errOddReference
		}
		last = ""
		if _, known := f.all[string(name)]; !known && isTip(string(name)) {
			last = string(name)
			f.all[last] = reference{id: id}
		}
	}
	return nil
}

// readFolder reads the references that are files. One that is gone by now was removed or packed.
func (f *referenceFiles) readFolder(folder string) error {
	root := filepath.Join(f.dir, filepath.FromSlash(folder))
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // as a folder that became empty
		}
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(f.dir, path)
		name := filepath.ToSlash(relative)
		if err != nil || !isReferenceName(name) {
			return err
		}
		return f.readFile(name)
	})
}

// readFile reads a reference that is a file, if it still is.
func (f *referenceFiles) readFile(name string) error {
	data, err := os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r, ok := f.parse(data)
	if !ok {
		f.odd = append(f.odd, name)
		return nil
	}
	f.all[name] = r
	return nil
}

// broken gives the references that are files of which git cannot tell what they stand for either, given those that it told
// of: it leaves them out.
func (r *Repo) broken(told []Tip) []string {
	if r.reftable {
		return nil
	}
	f := r.referenceFiles()
	f.read(r.gitDir) //nolint:errcheck // what cannot be read at all, git says
	return slices.DeleteFunc(f.odd, func(name string) bool {
		return slices.ContainsFunc(told, func(t Tip) bool { return t.Name == name })
	})
}

func (f *referenceFiles) parse(data []byte) (reference, bool) {
	text := strings.TrimRight(string(data), " \t\r\n")
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		return reference{target: strings.TrimLeft(target, " \t")}, true
	}
	id, ok := f.id([]byte(text))
	return reference{id: id}, ok
}

func (f *referenceFiles) id(text []byte) (id Hash, ok bool) {
	if len(text) != 2*f.size {
		return id, false
	}
	_, err := hex.Decode(id[:], text)
	return id, err == nil
}

// mostLinks is how many symbolic references may point to each other in a row.
const mostLinks = 5

// follow gives what a reference stands for in the end; not ok where that is nothing.
func (f *referenceFiles) follow(r reference) (Hash, bool) {
	for range mostLinks {
		if r.target == "" {
			return r.id, true
		}
		var ok bool
		if r, ok = f.all[r.target]; !ok {
			return Hash{}, false
		}
	}
	return Hash{}, false
}

// list gives the references that stand for something.
func (f *referenceFiles) list() ([]Tip, error) {
	all := make([]Tip, 0, len(f.all))
	for name, r := range f.all {
		if r.target != "" && !isTip(r.target) {
			return nil, errOddReference
		}
		if id, ok := f.follow(r); ok {
			all = append(all, Tip{name, id, r.target})
		}
	}
	sortTips(all)
	return all, nil
}

// mostTags is how many tags may stand for each other in a row.
const mostTags = 1 << 10

// Tips implements Walker.
func (w *storeWalker) Tips(references []Tip) ([]Tip, error) {
	if err := w.open(); err != nil {
		return nil, err
	}
	tips := make([]Tip, 0, len(references))
	for _, r := range references {
		if id, ok := w.commitOf(r.ID); ok {
			tips = append(tips, Tip{r.Name, id, r.Target})
		}
	}
	return tips, nil
}

// commitOf follows tags; not ok where they end at something else than a commit.
func (w *storeWalker) commitOf(id Hash) (Hash, bool) {
	first := id
	if w.graph != nil {
		if _, ok := w.graph.Find(&id); ok {
			return id, true
		}
	}
	for range mostTags {
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
		if id, ok = odb.TagTarget(data, w.repo.hexSize()/2); !ok {
			return first, true
		}
	}
	return first, true
}

// sortTips sorts by name, HEAD first.
func sortTips(tips []Tip) {
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
	for _, folder := range tipFolders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}

// isReferenceName leaves out files that git does not take for references, such as its locks.
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
