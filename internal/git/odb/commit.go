package odb

import (
	"bytes"
	"encoding/hex"
	"math"
)

// CommitHeader is what a walk needs of a commit.
type CommitHeader struct {
	Tree    Hash
	Parents []Hash
	Time    int64 // committer's date, seconds since 1970; 0 where it cannot be read
}

// ParseCommit reads a commit object. size is that of an id. Parents are appended to h.Parents[:0].
func ParseCommit(data []byte, size int, h *CommitHeader) error {
	h.Parents = h.Parents[:0]
	ok := false
	if h.Tree, data, ok = idLine(data, "tree ", size); !ok {
		return ErrCorrupt
	}
	for bytes.HasPrefix(data, []byte("parent ")) {
		var parent Hash
		if parent, data, ok = idLine(data, "parent ", size); !ok {
			return ErrCorrupt
		}
		h.Parents = append(h.Parents, parent)
	}
	h.Time = committed(data)
	return nil
}

// idLine takes a line off data that holds a word and an id.
func idLine(data []byte, word string, size int) (id Hash, rest []byte, ok bool) {
	n := len(word) + 2*size
	if len(data) <= n || string(data[:len(word)]) != word || data[n] != '\n' {
		return id, nil, false
	}
	_, err := hex.Decode(id[:], data[len(word):n])
	return id, data[n+1:], err == nil
}

// committed reads the date behind the address in the committer's line, which follows the author's.
func committed(data []byte) int64 {
	if !bytes.HasPrefix(data, []byte("author ")) {
		return 0
	}
	end := bytes.IndexByte(data, '\n')
	if end < 0 || !bytes.HasPrefix(data[end+1:], []byte("committer ")) {
		return 0
	}
	line := data[end+1:]
	if end = bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	line = bytes.TrimLeft(line[bytes.LastIndexByte(line, '>')+1:], " \t")
	seconds := int64(0)
	for _, c := range line {
		if c < '0' || c > '9' {
			break
		}
		if seconds > (math.MaxInt64-9)/10 {
			return math.MaxInt64
		}
		seconds = seconds*10 + int64(c-'0')
	}
	return seconds
}

// TagTarget returns the object that a tag object points to.
func TagTarget(data []byte, size int) (Hash, bool) {
	id, _, ok := idLine(data, "object ", size)
	return id, ok
}
