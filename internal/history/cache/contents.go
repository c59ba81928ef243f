package cache

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
	"git-ralph/internal/mmap"
)

// Key is what the contents of a cache were computed for. Contents with another key are not used.
type Key struct {
	IDSize         int      // bytes of a commit's id
	Paths          []string // where plans were looked for
	ProgramVersion string   // who made it: the program and its version
}

// format is raised when files are written in another way, or when the fold takes something else from commits.
const format = 7

// Text is the key as it stands in every file.
func (k Key) Text() string {
	return fmt.Sprintf("%d %d %q %q", format, k.IDSize, k.Paths, k.ProgramVersion)
}

const (
	maxFiles = 12        // in a chain; then it is written anew as one
	maxBytes = 128 << 20 // in a chain; what is larger is not kept
)

// Contents is what the cache has of commits, and of all their ancestors. A commit is identified by its place: how many
// stand before it in the order of walk.Graph, as it would be if no others were there.
type Contents struct {
	Paths []string // where the plan lay: the requested ones, and those that it was moved to or from

	files []file // the oldest first
	bytes int64
}

// open opens a file of the cache. What is taken from a file refers to its content. A mapped one stays in memory as long as the process;
// one that was copied goes with the last reference.
func open(path string, copies bool) ([]byte, error) {
	if copies {
		return mmap.Read(path)
	}
	return mmap.Open(path)
}

// release takes the content of a file out of memory to which nothing refers.
func release(data []byte, copies bool) {
	if !copies {
		mmap.Data(data).Close()
	}
}

// Load reads the contents of a cache directory, nil where there are none. With copies, files are read, not mapped.
func Load(dir string, key Key, copies bool) *Contents {
	k := &Contents{}
	last := link{}
	for n := 0; n < 2*maxFiles; n++ {
		data, err := open(filepath.Join(dir, strconv.Itoa(n)), copies)
		if err != nil {
			break
		}
		f, ok := parse(data, key, last)
		if !ok || n > 0 && (!slices.Equal(f.paths, k.Paths) || f.first != k.Len()) {
			release(data, copies)
			break
		}
		k.Paths, last = f.paths, f.self
		k.files, k.bytes = append(k.files, f), k.bytes+int64(len(data))
	}
	if len(k.files) == 0 {
		return nil
	}
	return k
}

// Len returns how many commits are known.
func (k *Contents) Len() int {
	if len(k.files) == 0 {
		return 0
	}
	last := &k.files[len(k.files)-1]
	return last.first + last.commits
}

// A Window is what is read of the commits that are kept.
type Window struct {
	Free int             // places in front of them that are left free
	Top  int             // how many are read, the newest
	IDs  map[string]bool // of the records that entries are about; nil for all
}

// Fill reads all commits, and what they record, behind so many free places. Parents are positions with these. It is not ok
// where something cannot be read after all.
func (k *Contents) Fill(free int) (g *walk.Graph, entries []*record.Entry, ok bool) {
	w := Window{Free: free, Top: k.Len()}
	var beside sync.WaitGroup
	var fine bool
	beside.Go(func() { entries, fine = k.Entries(w) })
	g, ok = k.Graph(w)
	beside.Wait()
	return g, entries, ok && fine
}

// Graph reads commits. Parents are positions; those that are not read are -1.
func (k *Contents) Graph(w Window) (g *walk.Graph, ok bool) {
	g = &walk.Graph{IDSize: k.files[0].size, Commits: make([]walk.Commit, w.Free+w.Top), Links: make([]int32, 0, 2*(w.Free+w.Top))}
	for i := range k.files {
		if !k.files[i].readCommits(g, k.Len()+w.Free-1, k.Len()-w.Top) {
			return nil, false
		}
	}
	return g, true
}

// Entries reads what commits record; nil stands for nothing.
func (k *Contents) Entries(w Window) (entries []*record.Entry, ok bool) {
	entries = make([]*record.Entry, w.Free+w.Top)
	for i := range k.files {
		if !k.files[i].readEntries(entries, k.Len()+w.Free-1, k.Len()-w.Top, w.IDs) {
			return nil, false
		}
	}
	return entries, true
}

// Heads returns the commits that are no parents of others.
func (k *Contents) Heads() (ids []git.Hash) {
	isParent := make([]bool, k.Len())
	for i := range k.files {
		f := &k.files[i]
		for j := range f.parents {
			isParent[number(f.parentOf, j)] = true
		}
	}
	for i := range k.files {
		f := &k.files[i]
		for j := range f.commits {
			if !isParent[f.first+j] {
				ids = append(ids, f.id(j))
			}
		}
	}
	return ids
}

// Plan returns the plan of a commit, and the number of its path.
func (k *Contents) Plan(place int32) (plan git.Hash, path uint8) {
	n := k.Len() - 1 - int(place)
	for i := range k.files {
		if f := &k.files[i]; n < f.first+f.commits {
			return f.planAt(n - f.first), f.pathOf[n-f.first]
		}
	}
	return plan, 0
}

// Place returns the place of a commit.
func (k *Contents) Place(id git.Hash) (int32, bool) {
	for i := len(k.files) - 1; i >= 0; i-- {
		if n, found := k.files[i].find(id); found {
			return int32(k.Len()-1) - n, true
		}
	}
	return 0, false
}

// Newest returns the latest committer's date.
func (k *Contents) Newest() (newest int64) {
	for i := range k.files {
		for j := range k.files[i].commits {
			newest = max(newest, k.files[i].time(j))
		}
	}
	return newest
}

// Valid reports whether a version of the plan is a valid one, and whether it is known.
func (k *Contents) Valid(plan git.Hash) (valid, known bool) {
	for i := range k.files {
		if valid, known = k.files[i].plan(plan); known {
			return valid, known
		}
	}
	return false, false
}

// find returns the number of a commit of the file. Numbers count from the oldest commit of the chain.
func (f *file) find(id git.Hash) (int32, bool) {
	at, found := sortedSearch(f.sorted, func(n uint32) int { return bytes.Compare(f.ids[int(n)*f.size:][:f.size], id[:f.size]) })
	return int32(f.first) + int32(at), found
}

// plan reports whether a version of the plan is in the file, and whether it can be read.
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
