package fold

import (
	"iter"
	"slices"
	"sync"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A Note is all that the fold takes from one commit. It follows from the commit's plan, those of its parents and its
// message alone, so that it can be kept and used again as long as the commit is.
type Note struct {
	Told   []Told // in the order in which it happened
	Names  []Name // of the records in the commit's plan that are not in its parents' plans
	Unread bool   // the commit's plan cannot be read as a whole
	Gone   bool   // it is not at hand
	Heard  bool   // the message was read:
	Speech Speech // what it says
}

// A Name is what tells a task or issue from others.
type Name struct {
	Kind                 plan.Kind
	ID, Born             string
	FormerID, FormerBorn string // those that it had before a merge gave it another id; "" for none
}

// A Speech is what is kept of a commit's message.
type Speech struct {
	By       string   // author's address
	Time     int64    // author's date: seconds since 1970
	Zone     int      // minutes east of UTC
	Branches []string // that it names: the one that it was made on, and those that it merged, as mergeNames returns them
}

func (s Speech) date() time.Time { return time.Unix(s.Time, 0).In(time.FixedZone("", s.Zone*60)) }

// nameOf returns the name of a record.
func nameOf(r plan.Record) Name {
	n := Name{Kind: r.Kind(), ID: r.ID(), Born: r.CreatedAt()}
	from := r.Texts("renamed_from")
	if len(from) == 2 && from[0] != "" && from[0] != n.ID && from[1] != "" {
		n.FormerID, n.FormerBorn = from[0], from[1]
	}
	return n
}

// Changed returns the commits whose messages are read first: those that brought
// another plan than each of their parents has.
func Changed(in Input) (ids []git.Hash) {
	f := folder{Input: in, commits: in.Graph.Commits}
	for at := range f.commits {
		if f.differs(int32(at)) {
			ids = append(ids, f.commits[at].ID)
		}
	}
	return ids
}

// Take makes the notes that were not handed in, and returns them with those that were.
func Take(in Input) []*Note {
	f := &folder{Input: in, commits: in.Graph.Commits, scratch: &scratch{}, result: &History{}}
	f.take()
	return f.Notes
}

// IDs yields the ids of the records that a note is about, some more than once.
func (n *Note) IDs() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n.Told {
			if !yield(n.Told[i].ID) {
				return
			}
		}
		for _, name := range n.Names {
			if !yield(name.ID) || name.FormerID != "" && !yield(name.FormerID) {
				return
			}
		}
	}
}

// Only returns the note with what is about some records alone.
func (n *Note) Only(ids map[string]bool) *Note {
	some := *n
	some.Told = slices.DeleteFunc(slices.Clone(n.Told), func(t Told) bool { return !ids[t.ID] })
	some.Names = slices.DeleteFunc(slices.Clone(n.Names), func(name Name) bool { return !ids[name.ID] && !ids[name.FormerID] })
	return &some
}

// take makes the notes that were not handed in, those of the oldest commits first, as plans grew out of each other.
func (f *folder) take() {
	if f.Notes == nil {
		f.Notes, f.Silent = make([]*Note, len(f.commits)), &Note{}
		f.takeAll()
	}
	for at := int32(len(f.commits)) - 1; at >= 0; at-- {
		if f.Notes[at] == nil {
			f.Notes[at] = f.note(at)
		}
		if f.Notes[at] != f.Silent {
			f.noted = append(f.noted, at)
		}
	}
}

// takeAll makes all notes, the older half beside the newer one.
func (f *folder) takeAll() {
	half := int32(len(f.commits) / 2)
	older := *f
	older.Book, older.scratch = f.Book.view(), &scratch{}
	var both sync.WaitGroup
	both.Go(func() { older.takeFrom(int32(len(f.commits)), half) })
	f.takeFrom(half, 0)
	both.Wait()
}

func (f *folder) takeFrom(from, to int32) {
	for at := from - 1; at >= to; at-- {
		f.Notes[at] = f.note(at)
	}
}

// note makes the note of a commit.
func (f *folder) note(at int32) *Note {
	if !f.differs(at) {
		return f.Silent
	}
	n := &Note{Names: f.newNames(at)}
	f.Notes[at] = n
	if f.known(at) {
		n.Told = f.tell(at)
	} else if !f.commits[at].Blind {
		_, n.Unread = f.Plans.Readable(f.commits[at].Plan)
		n.Gone = !n.Unread
	}
	if len(n.Told)+len(n.Names) == 0 && !n.Heard && !n.Unread && !n.Gone {
		return f.Silent
	}
	return n
}

// notes yields the notes that say something.
func (f *folder) notes() iter.Seq[*Note] {
	return func(yield func(*Note) bool) {
		for _, at := range f.noted {
			if !yield(f.Notes[at]) {
				return
			}
		}
	}
}

// newNames returns the names in a commit's plan that the plans of its parents do not have. All of them together are those
// of all plans at hand.
func (f *folder) newNames(at int32) []Name {
	version := f.shown(at)
	if version == nil {
		return nil
	}
	lines, old := f.Book.linesOf(version), f.scratch.old[:0]
	for _, p := range f.parents(at) {
		if v := f.shown(p); v != nil {
			before := f.Book.linesOf(v)
			head, tail := common(before, lines)
			before = before[head : len(before)-tail]
			f.scratch.lines = without(f.scratch.lines[:0], lines[head:len(lines)-tail], before)
			lines, old = f.scratch.lines, append(old, before...)
		}
	}
	f.scratch.old = old
	seen := f.scratch.names.reset()
	for _, n := range old {
		seen.place(f.Book.lines[n].name)
	}
	var names []Name
	for _, n := range lines {
		if l := &f.Book.lines[n]; l.lives() && seen.find(l.name) < 0 {
			seen.place(l.name)
			names = append(names, f.Book.names[l.name])
		}
	}
	return names
}

// hear reads a commit's message, and keeps what is asked for later.
func (f *folder) hear(at int32) (text string, ok bool) {
	m, err := f.Message(f.commits[at].ID)
	if err != nil {
		return "", false
	}
	s := Speech{By: m.Author.Address, Time: m.Author.Time, Zone: m.Author.Zone}
	if len(f.parents(at)) > 1 {
		s.Branches = mergeNames(m.Text)
	}
	if f.Notes[at] == f.Silent {
		f.Notes[at] = &Note{}
	}
	f.Notes[at].Heard, f.Notes[at].Speech = true, s
	return m.Text, true
}

// speech returns what is kept of a commit's message.
func (f *folder) speech(at int32) (Speech, bool) {
	if !f.Notes[at].Heard {
		f.hear(at)
	}
	return f.Notes[at].Speech, f.Notes[at].Heard
}

// recordOf reads a record that was read before.
func (f *folder) recordOf(text string) plan.Record {
	record, _ := f.reader.Record(jsonl.Line{Text: text, Number: 1})
	return record
}

// Notes returns what was taken from commits, by their position; Silent stands
// for those that say nothing.
func (h *History) Notes() []*Note { return h.notes }

// Silent is the note of commits that say nothing.
func (h *History) Silent() *Note { return h.silent }
