package walk

import (
	"git-ralph/internal/git/odb"

	"git-ralph/internal/git"
)

// nextCommits are the commits that are stored behind one that was read. Their ids are not stored with them: the parents of
// all are located together, and those that stand where one was read are they.
type nextCommits struct {
	heads []odb.CommitHeader
	at    map[odb.Place]int // where they stand, and their place among heads
	ids   []git.Hash        // of the parents

	read int // so far
	used int // of these, those that the walk came to
}

// Commits are read ahead in groups. So many more than were used are read at most: a pack may hold many that no reference
// leads to any more, or have them in an order that is of no use.
const (
	groupAhead  = 64
	unusedAhead = 256
)

// readAhead reads the commits that are stored behind the last one. git stores them newest first, so that most are
// needed next; together they are located quicker than one by one. A walk that goes on from another one ends soon.
func (w *odbWalk) readAhead() {
	next := &w.next
	if w.request.Known.Has != nil || next.read > next.used+unusedAhead {
		return
	}
	if w.readGroup(); len(next.at) == 0 {
		return
	}
	places := w.reader(0).Locate(next.ids)
	for i := range next.ids {
		head, read := next.at[places[i]]
		if !read {
			continue
		}
		if n := w.intern(&next.ids[i]); !n.parsed && n.graph < 0 {
			w.keep(n, &next.heads[head])
		}
	}
}

// readGroup reads a group of commits, and lists their parents and those of the last one.
func (w *odbWalk) readGroup() {
	next := &w.next
	if next.heads == nil {
		next.heads, next.at = make([]odb.CommitHeader, groupAhead), make(map[odb.Place]int, groupAhead)
	}
	clear(next.at)
	next.ids = append(next.ids[:0], w.head.Parents...)
	for i := range next.heads {
		at, data, ok := w.reader(0).Next()
		if !ok || odb.ParseCommit(data, w.size, &next.heads[i]) != nil {
			return
		}
		next.at[at] = i
		next.ids = append(next.ids, next.heads[i].Parents...)
		next.read++
	}
}

// keep puts what was read of a commit into its node.
func (w *odbWalk) keep(n *node, head *odb.CommitHeader) {
	n.at, n.time, n.parsed = head.Tree, head.Time, true
	parents := w.room(n, len(head.Parents))
	for i := range head.Parents {
		parents[i] = w.intern(&head.Parents[i]).number
	}
}
