package store

import "bytes"

// file is the content of a file that may not exist.
type file struct {
	data   []byte
	exists bool
}

func newFile(data []byte, exists bool, err error) (file, error) {
	return file{data: data, exists: exists}, err
}

// same reports whether two files are equal except for their line endings, which
// git may convert between the worktree and its objects.
func (f file) same(other file) bool {
	if f.exists != other.exists {
		return false
	}
	return bytes.Equal(f.data, other.data) || bytes.Equal(unixLines(f.data), unixLines(other.data))
}

func unixLines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
