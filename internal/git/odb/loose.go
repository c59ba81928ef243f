package odb

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// readLoose reads an object that has a file of its own.
func (r *Reader) readLoose(id *Hash) (Kind, []byte, error) {
	name := hex.EncodeToString(id[:r.store.size])
	for _, dir := range r.store.dirs {
		path := filepath.Join(dir, name[:2], name[2:])
		packed, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, nil, err
		}
		kind, data, ok := r.inflateLoose(packed)
		if !ok {
			return 0, nil, fmt.Errorf("%s: %w", path, ErrCorrupt)
		}
		return kind, data, nil
	}
	return 0, nil, ErrMissing
}

// looseHead is more than the head of any loose object needs: kind, blank, size in digits, zero byte.
const looseHead = 32

// defaultRatio is the ratio of an object's size to its file's that is enough for nearly all objects.
const defaultRatio = 8

// inflateLoose unpacks a loose object. Its size is in its first bytes, so the memory is first allocated by defaultRatio.
func (r *Reader) inflateLoose(packed []byte) (Kind, []byte, bool) {
	r.own = sized(r.own, looseHead+defaultRatio*len(packed))
	n, whole := r.z.prefix(r.own, packed)
	end := bytes.IndexByte(r.own[:min(n, looseHead)], 0)
	if end < 0 {
		return 0, nil, false
	}
	name, digits, _ := bytes.Cut(r.own[:end], []byte(" "))
	kind, known := kindOf(string(name))
	size, err := strconv.Atoi(string(digits))
	if !known || err != nil || size < 0 || size > maxUnpacked || !plausible(size, len(packed)) {
		return 0, nil, false
	}
	all := end + 1 + size
	if !whole {
		r.own = sized(r.own, all)
		whole, n = r.z.inflate(r.own, packed), all
	}
	return kind, r.own[end+1 : max(n, end+1)], whole && n == all
}
