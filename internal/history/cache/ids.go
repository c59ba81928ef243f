package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/history/fold"
)

// The ids that a history knows stand in a file of their own, for commands that ask nothing else. It is made as an answer is;
// the question is the key, the answer a line for each: id, and " a" behind that of an accepted task.
const (
	idsFile  = "ids"
	accepted = " a"
)

// KeepIDs keeps the ids of all lives, where others are kept. The error says why it could not; it does no harm.
func KeepIDs(dir string, key Key, lives []*fold.Life) error {
	var text []byte
	for _, l := range lives {
		for _, id := range l.Former {
			text = append(append(text, id...), '\n')
		}
		text = append(text, l.ID...)
		if l.Status == fold.Accepted {
			text = append(text, accepted...)
		}
		text = append(text, '\n')
	}
	if kept, err := os.ReadFile(filepath.Join(dir, idsFile)); err == nil {
		if old, ok := opened(kept, key.Text()); ok && bytes.Equal(old, text) {
			return nil
		}
	}
	file, err := begin(dir, idsFile, key.Text())
	if err != nil {
		return err
	}
	file.Write(text)
	return file.file.finish()
}

// IDs returns the ids that the history knew when it was last read, and whether each is that of an accepted task; nil where
// nothing is kept.
func IDs(dir string, key Key) map[string]bool {
	data, err := os.ReadFile(filepath.Join(dir, idsFile))
	if err != nil {
		return nil
	}
	text, ok := opened(data, key.Text())
	if !ok {
		return nil
	}
	ids := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		id, is := strings.CutSuffix(strings.TrimSuffix(line, "\n"), accepted)
		ids[id] = ids[id] || is
	}
	return ids
}
