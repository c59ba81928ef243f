package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/history/fold"
)

// The ids that a history knows stand in a file of their own, for commands that ask nothing else. It holds
//
//	magic, length of the key, key, a line each: id, and " a" behind that of an accepted task; checksum
const (
	idsFile  = "ids"
	idsMagic = "ralphids"
	accepted = " a"
)

// KeepIDs keeps the ids of all lives, where others are kept. The error says why it could not; it does no harm.
func KeepIDs(dir string, key Key, lives []*fold.Life) error {
	data := put([]byte(idsMagic), len(key.Text()))
	data = append(data, key.Text()...)
	for _, l := range lives {
		for _, id := range l.Former {
			data = append(append(data, id...), '\n')
		}
		data = append(data, l.ID...)
		if l.Status == fold.Accepted {
			data = append(data, accepted...)
		}
		data = append(data, '\n')
	}
	data = put(data, int(checksum(data)))
	if kept, err := os.ReadFile(filepath.Join(dir, idsFile)); err == nil && bytes.Equal(kept, data) {
		return nil
	}
	return write(dir, idsFile, data)
}

// IDs returns the ids that the history knew when it was last read, and whether each is that of an accepted task; nil where
// nothing is kept.
func IDs(dir string, key Key) map[string]bool {
	data, err := os.ReadFile(filepath.Join(dir, idsFile))
	head := len(idsMagic) + 4 + len(key.Text())
	if err != nil || len(data) < head+sumSize || string(data[:len(idsMagic)]) != idsMagic {
		return nil
	}
	body := data[:len(data)-sumSize]
	if int(number(data[len(idsMagic):], 0)) != len(key.Text()) || string(data[len(idsMagic)+4:head]) != key.Text() ||
		number(data[len(body):], 0) != checksum(body) {
		return nil
	}
	ids := map[string]bool{}
	for line := range strings.Lines(string(body[head:])) {
		id, is := strings.CutSuffix(strings.TrimSuffix(line, "\n"), accepted)
		ids[id] = ids[id] || is
	}
	return ids
}
