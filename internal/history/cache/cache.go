package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// Key is what the kept was taken for. What was kept for another one is of no use.
type Key struct {
	Size  int      // bytes of a commit's id
	Paths []string // where plans were looked for
	Maker string   // who made it: the program and its version
}

// format is raised when files are written in another way, or when the fold takes something else from commits.
const format = 1

// Text is the key as it stands in every file.
func (k Key) Text() string { return fmt.Sprintf("%d %d %q %q", format, k.Size, k.Paths, k.Maker) }

const (
	mostFiles = 12        // in a chain; then it is written anew as one
	mostBytes = 128 << 20 // in a chain; what is larger is not kept
)

// Kept is what is known of commits from before. Commits come in the order of git.Graph, as they would if no others were
// there, with all their ancestors.
type Kept struct {
	Paths   []string // where the plan lay: those that were asked for, and those that it was moved to or from
	Commits []git.Walked
	Notes   []*fold.Note // by position in Commits
	Silent  *fold.Note   // stands for those that say nothing

	files []file // the oldest first
	bytes int64
}

// Load reads what is kept in a folder, nil where that is nothing.
func Load(dir string, key Key) *Kept {
	k := &Kept{Silent: &fold.Note{}}
	last := link{}
	for n := 0; n < 2*mostFiles; n++ {
		data, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(n)))
		if err != nil {
			break
		}
		f, ok := parse(data, key, last)
		if !ok || n > 0 && (!slices.Equal(f.paths, k.Paths) || f.first != k.total()) {
			break
		}
		k.Paths, last = f.paths, f.self
		k.files, k.bytes = append(k.files, f), k.bytes+int64(len(data))
	}
	for len(k.files) > 0 && !k.fill() {
		k.files = k.files[:len(k.files)-1]
	}
	if len(k.files) == 0 {
		return nil
	}
	return k
}

// fill puts the files' commits together; not ok where the last of them cannot be read.
func (k *Kept) fill() bool {
	total := k.total()
	k.Commits, k.Notes = make([]git.Walked, total), make([]*fold.Note, total)
	for i := range k.Notes {
		k.Notes[i] = k.Silent
	}
	var all sync.WaitGroup
	var wrong [2 * mostFiles]bool
	for i := range k.files {
		f := &k.files[i]
		all.Go(func() { wrong[i] = !f.readNotes(k.Notes, total) })
		if !f.readCommits(k.Commits, total) {
			wrong[i] = true
		}
	}
	all.Wait()
	return !slices.Contains(wrong[:], true)
}

// total returns how many commits the files hold.
func (k *Kept) total() int {
	if len(k.files) == 0 {
		return 0
	}
	last := &k.files[len(k.files)-1]
	return last.first + last.commits
}

// Place returns the position of a commit.
func (k *Kept) Place(id git.Hash) (int32, bool) {
	for i := len(k.files) - 1; i >= 0; i-- {
		if n, found := k.files[i].find(id); found {
			return int32(len(k.Commits)-1) - n, true
		}
	}
	return 0, false
}

// Readable tells whether all lines of a version of the plan could be read, and whether it was at hand.
func (k *Kept) Readable(plan git.Hash) (readable, known bool) {
	for i := range k.files {
		if readable, known = k.files[i].plan(plan); known {
			return readable, known
		}
	}
	return false, false
}

// find returns the number of a commit of the file. Numbers count from the oldest commit of the chain.
func (f *file) find(id git.Hash) (int32, bool) {
	at, found := sortedSearch(f.sorted, func(n uint32) int { return bytes.Compare(f.ids[int(n)*f.size:][:f.size], id[:f.size]) })
	return int32(f.first) + int32(at), found
}

// plan tells whether a version of the plan is in the file, and whether it can be read.
func (f *file) plan(id git.Hash) (readable, known bool) {
	at, known := sortedSearch(f.sortedPlans, func(n uint32) int { return bytes.Compare(f.plans[int(n)*f.size:][:f.size], id[:f.size]) })
	return known && f.readable[at] == 1, known
}

// sortedSearch looks for an entry among numbers that are stored in the order of what they stand for.
func sortedSearch(numbers []byte, compare func(uint32) int) (n uint32, found bool) {
	low, high := 0, len(numbers)/4
	for low < high {
		middle := (low + high) / 2
		n = number(numbers, middle)
		switch c := compare(n); {
		case c == 0:
			return n, true
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false
}
