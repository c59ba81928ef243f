package git

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// BrokenBelow lists the references whose full names begin with prefix, which ends in a slash, and whose files hold neither an id nor
// the name of another one, as after a power cut. Git neither reads nor changes nor deletes these.
func BrokenBelow(r *Repo, prefix string) (names []string) {
	filepath.WalkDir(r.ReferencePath(prefix), func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // what cannot be read is not broken
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // see above
		}
		relative, err := filepath.Rel(r.commonDir, path)
		if name := filepath.ToSlash(relative); err == nil && isReferenceName(name) && isBroken(r, name) {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// isBroken reports whether nothing in the file of a reference is one. It accepts whatever git does.
func isBroken(r *Repo, name string) bool {
	data, err := os.ReadFile(r.ReferencePath(name))
	if err != nil || r.reftable || bytes.HasPrefix(data, []byte("ref:")) {
		return false
	}
	size := hex.EncodedLen(r.IDSize())
	_, isID := r.parseID(data[:min(size, len(data))])
	return !isID
}

// RemoveBroken removes the files of references that are broken, under git's locks. A packed value then counts again. Whoever has the
// lock of one is left to change it.
func RemoveBroken(r *Repo, names []string) (failed error) {
	for _, name := range names {
		lock := r.ReferencePath(name) + ".lock"
		f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			f.Close()
			if isBroken(r, name) {
				err = os.Remove(r.ReferencePath(name))
			}
			err = errors.Join(err, os.Remove(lock))
		}
		if errors.Is(err, fs.ErrExist) {
			err = nil
		}
		failed = errors.Join(failed, err)
	}
	return failed
}
