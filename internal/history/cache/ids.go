package cache

import (
	"bytes"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// The ids that a history knows stand in a file of their own, for commands that ask nothing else. It is made as an answer is;
// the question is the key, the answer HEAD's commit and a line for each: id, and " a" behind that of an accepted task.
const (
	idsFile  = "ids"
	accepted = " a"
)

// KeepIDs keeps the ids of all lives, where others are kept. The error says why it could not; it does no harm.
func KeepIDs(dir string, key Key, head git.Hash, lives []*fold.Life) error {
	return writeIDs(dir, key, head, idsOf(lives))
}

// AddIDs puts the ids of some lives beside those that are kept, in the place of those that are known.
func AddIDs(dir string, key Key, head git.Hash, lives []*fold.Life) error {
	_, ids := IDs(dir, key)
	if ids == nil {
		return nil
	}
	maps.Copy(ids, idsOf(lives))
	return writeIDs(dir, key, head, ids)
}

func idsOf(lives []*fold.Life) map[string]bool {
	ids := make(map[string]bool, len(lives))
	for _, l := range lives {
		for _, id := range l.Former {
			ids[id] = ids[id]
		}
		ids[l.ID] = ids[l.ID] || l.Status == fold.Accepted
	}
	return ids
}

func writeIDs(dir string, key Key, head git.Hash, ids map[string]bool) error {
	text := append(hex.AppendEncode(nil, head[:]), '\n')
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		text = append(text, id...)
		if ids[id] {
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

// IDs returns the ids that the history knew when it was last read, and whether each is that of an accepted task, with HEAD's
// commit at that time; nil where nothing is kept.
func IDs(dir string, key Key) (head git.Hash, ids map[string]bool) {
	data, err := os.ReadFile(filepath.Join(dir, idsFile))
	if err != nil {
		return head, nil
	}
	text, ok := opened(data, key.Text())
	first, rest, _ := strings.Cut(string(text), "\n")
	if n, err := hex.Decode(head[:], []byte(first)); !ok || err != nil || n != len(head) {
		return head, nil
	}
	ids = map[string]bool{}
	for line := range strings.Lines(rest) {
		id, is := strings.CutSuffix(strings.TrimSuffix(line, "\n"), accepted)
		ids[id] = is
	}
	return head, ids
}
