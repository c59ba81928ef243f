package git

import (
	"bytes"
	"container/heap"
	"context"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git/odb"
)

// Nearby reads commits around HEAD from git's files, and starts nothing: for what must be quick and may be left out. It
// cannot tell of history that is grafted, shallow or replaced. It is not safe for concurrent use.
type Nearby struct {
	walker *storeWalker
	lookup *lookup
	heads  map[Hash]odb.CommitHead
}

// mostCommits is how many commits Nearby reads in search of an ancestor.
const mostCommits = 1000

// Nearby opens the repository's files, for the file at path; nil where git has to be asked.
func (r *Repo) Nearby(ctx context.Context, path string) *Nearby {
	if !r.plainHistory() || r.replacing() {
		return nil
	}
	w := &storeWalker{repo: r, ctx: ctx}
	if w.open() != nil {
		return nil
	}
	return &Nearby{w, newLookup(w.reader(0), r.hexSize()/2, []string{path}), map[Hash]odb.CommitHead{}}
}

// Close gives the files back.
func (n *Nearby) Close() error { return n.walker.Close() }

// Ref gives the commit that HEAD stands at, or what another file of the git directory names, such as ORIG_HEAD. It is not
// ok where that is no file with an id in it.
func (n *Nearby) Ref(name string) (id Hash, ok bool) {
	r := n.walker.repo
	dir := r.gitDir
	for range 2 {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return Hash{}, false
		}
		text := strings.TrimRight(string(data), "\n")
		branch, isBranch := strings.CutPrefix(text, "ref: refs/heads/")
		if !isBranch {
			id, err := ParseHash(text)
			return id, err == nil && len(text) == r.hexSize()
		}
		dir, name = r.commonDir, "refs/heads/"+branch
	}
	return Hash{}, false
}

// Parents gives a commit's parents; not ok where it is not at hand.
func (n *Nearby) Parents(id Hash) (parents []Hash, ok bool) {
	head, ok := n.head(id)
	return head.Parents, ok
}

func (n *Nearby) head(id Hash) (odb.CommitHead, bool) {
	if head, ok := n.heads[id]; ok {
		return head, true
	}
	var head odb.CommitHead
	kind, data, err := n.walker.reader(0).Object(&id)
	if err != nil || kind != odb.Commit || odb.ParseCommit(data, n.walker.repo.hexSize()/2, &head) != nil {
		return odb.CommitHead{}, false
	}
	n.heads[id] = head
	return head, true
}

// File gives the file in a commit, nil where the commit has none; not ok where that cannot be told.
func (n *Nearby) File(commit Hash) (data []byte, ok bool) {
	head, ok := n.head(commit)
	if !ok {
		return nil, false
	}
	found, err := n.lookup.first(head.Tree)
	if err != nil || found.blind {
		return nil, false
	}
	if found.id.IsZero() {
		return nil, true
	}
	kind, data, err := n.walker.reader(0).Object(&found.id)
	return bytes.Clone(data), err == nil && kind == odb.Blob
}

// Sides of a search, and what lies behind a common ancestor.
const (
	fromFirst = 1 << iota
	fromSecond
	behind
)

// Ancestor gives the last common ancestor of two commits. It is not ok where there is none, or several, or where it lies
// too far back.
func (n *Nearby) Ancestor(a, b Hash) (id Hash, ok bool) {
	marks := map[Hash]int{a: fromFirst}
	marks[b] |= fromSecond
	queue := &byTime{}
	for _, start := range []Hash{a, b} {
		head, ok := n.head(start)
		if !ok {
			return Hash{}, false
		}
		heap.Push(queue, timed{start, head.Time})
	}
	found := map[Hash]bool{}
	for queue.open(marks) {
		next := heap.Pop(queue).(timed).id
		mark := marks[next]
		if mark == fromFirst|fromSecond {
			found[next] = true
			mark |= behind
		}
		for _, parent := range n.heads[next].Parents {
			if marks[parent]|mark == marks[parent] {
				continue
			}
			head, ok := n.head(parent)
			if !ok || len(n.heads) > mostCommits {
				return Hash{}, false
			}
			marks[parent] |= mark
			heap.Push(queue, timed{parent, head.Time})
		}
	}
	for candidate := range found {
		if marks[candidate]&behind != 0 {
			continue
		}
		if ok {
			return Hash{}, false
		}
		id, ok = candidate, true
	}
	return id, ok
}

// timed is a commit in a queue, byTime such a queue: the youngest first.
type timed struct {
	id   Hash
	time int64
}

type byTime []timed

func (q byTime) Len() int           { return len(q) }
func (q byTime) Less(i, j int) bool { return q[i].time > q[j].time }
func (q byTime) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byTime) Push(x any)        { *q = append(*q, x.(timed)) }
func (q *byTime) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// open tells whether anything in the queue may still lead to an ancestor.
func (q byTime) open(marks map[Hash]int) bool {
	for _, t := range q {
		if marks[t.id]&behind == 0 {
			return true
		}
	}
	return false
}
