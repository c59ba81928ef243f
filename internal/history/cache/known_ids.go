package cache

import (
	"bytes"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/mmap"
)

// The ids that a history knows stand in a file of their own, for commands that ask nothing else. It is made as an answer is;
// the question is the key, the answer HEAD's commit, those of branches and tags, in a line, and a line for each: id, and " a"
// behind that of an accepted task.
const (
	idsFile  = "ids"
	accepted = " a"
)

// Known are the ids that a history knew when it was read.
type Known struct {
	Head git.Hash
	Tips []git.Hash      // branches and tags, in the order of fold.Input
	IDs  map[string]bool // whether each is that of an accepted task
}

// KeepIDs stores the ids of lives and those that are known already. An error says why it could not, and does no harm.
func KeepIDs(dir string, key Key, k Known, lives []*fold.Life) error {
	ids := idsOf(lives)
	for id, accepted := range k.IDs {
		if _, newer := ids[id]; !newer {
			ids[id] = accepted
		}
	}
	k.IDs = ids
	return k.write(dir, key)
}

func idsOf(lives []*fold.Life) map[string]bool {
	ids := make(map[string]bool, len(lives))
	for _, l := range lives {
		for _, id := range append(l.Former[:len(l.Former):len(l.Former)], l.ID) {
			ids[id] = ids[id] || id == l.ID && l.Status == fold.Accepted
		}
	}
	return ids
}

func (k Known) write(dir string, key Key) error {
	ids := k.IDs
	text := hex.AppendEncode(nil, k.Head[:key.IDSize])
	for _, tip := range k.Tips {
		text = hex.AppendEncode(append(text, ' '), tip[:key.IDSize])
	}
	text = append(text, '\n')
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		text = append(text, id...)
		if ids[id] {
			text = append(text, accepted...)
		}
		text = append(text, '\n')
	}
	if kept, err := mmap.Open(filepath.Join(dir, idsFile)); err == nil {
		defer kept.Close()
		if old, ok := parseAnswer(kept, key.Text()); ok && bytes.Equal(old, text) {
			return nil
		}
	}
	file, err := newAnswer(dir, idsFile, key.Text())
	if err != nil {
		return err
	}
	file.Write(text)
	return file.file.finish()
}

// IDs returns what KeepIDs stored; not ok where there is nothing.
func IDs(dir string, key Key) (k Known, ok bool) {
	data, err := mmap.Open(filepath.Join(dir, idsFile))
	if err != nil {
		return k, false
	}
	defer data.Close()
	text, ok := parseAnswer(data, key.Text())
	first, rest, _ := strings.Cut(string(text), "\n")
	tips := strings.Fields(first)
	if !ok || len(tips) == 0 {
		return k, false
	}
	for i, digits := range tips {
		id, err := git.ParseHash(digits)
		if err != nil {
			return k, false
		}
		if i == 0 {
			k.Head = id
			continue
		}
		k.Tips = append(k.Tips, id)
	}
	k.IDs = map[string]bool{}
	for line := range strings.Lines(rest) {
		id, is := strings.CutSuffix(strings.TrimSuffix(line, "\n"), accepted)
		k.IDs[id] = is
	}
	return k, true
}
