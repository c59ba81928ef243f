package git

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"path/filepath"
	"time"
)

// maxExamined is the size of the largest file of an object whose content is examined.
const maxExamined = 64 << 20

// RemoveDamaged removes loose objects that are empty, and those written since a time whose content is not what their id is the hash
// of, and returns their files. Git would neither read such an object nor, since it has the name, write it again.
func RemoveDamaged(r *Repo, since time.Time) (removed []string) {
	dirs, _ := os.ReadDir(r.ObjectDir()) //nolint:errcheck // what cannot be read is not removed
	for _, dir := range dirs {
		if len(dir.Name()) != 2 {
			continue
		}
		files, _ := os.ReadDir(filepath.Join(r.ObjectDir(), dir.Name())) //nolint:errcheck // see above
		for _, file := range files {
			id := dir.Name() + file.Name()
			path := filepath.Join(r.ObjectDir(), dir.Name(), file.Name())
			if _, isID := r.parseID([]byte(id)); isID && isDamaged(r, path, id, since) && os.Remove(path) == nil {
				removed = append(removed, path)
			}
		}
	}
	return removed
}

func isDamaged(r *Repo, path, id string, since time.Time) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() == 0 {
		return true
	}
	if info.ModTime().Before(since) || info.Size() > maxExamined {
		return false
	}
	packed, err := os.ReadFile(path)
	return err == nil && !isObject(r, packed, id)
}

// isObject reports whether the file of a loose object holds what its id is the hash of.
func isObject(r *Repo, packed []byte, id string) bool {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	content, err := io.ReadAll(z)
	if err != nil {
		return false
	}
	head, data, _ := bytes.Cut(content, []byte{0})
	kind, _, _ := bytes.Cut(head, []byte(" "))
	return r.objectID(string(kind), data) == id
}
