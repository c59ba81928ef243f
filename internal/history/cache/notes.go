package cache

import (
	"encoding/binary"
	"sort"

	"git-ralph/internal/history/fold"
)

// Marks of a note and of what it tells.
const (
	markHeard = 1 << iota
	markLoose
	markTrailer
	markReborn
	markUnread
	markLeft
	markQuiet
	markInferred
)

// members are the strings of what is told, in the order in which they are stored.
func members(t *fold.Told) [17]*string {
	return [17]*string{
		(*string)(&t.Name), (*string)(&t.Kind), &t.ID, &t.Born, &t.Attempt, &t.DoneAt, &t.Reason, &t.Successor,
		&t.At, &t.By, &t.Branch, &t.Title, &t.Spec, &t.Before, &t.After, &t.Earlier, &t.Change,
	}
}

func names(n *fold.Name) [5]*string {
	return [5]*string{(*string)(&n.Kind), &n.ID, &n.Born, &n.FormerID, &n.FormerBorn}
}

// marked is a mark where it is to be set.
func marked(is bool, mark uint64) uint64 {
	if is {
		return mark
	}
	return 0
}

// A noteWriter writes notes: every string by its number in a table, each once.
type noteWriter struct {
	data    []byte
	numbers map[string]uint32
	strings []string

	about, aboutEnd, pairs []byte
	unread                 int
}

func (w *noteWriter) number(n uint64) { w.data = binary.AppendUvarint(w.data, n) }

func (w *noteWriter) text(s string) { w.number(uint64(w.place(s))) }

// place returns the number of a string.
func (w *noteWriter) place(s string) uint32 {
	n, known := w.numbers[s]
	if !known {
		n = uint32(len(w.strings))
		w.numbers[s] = n
		w.strings = append(w.strings, s)
	}
	return n
}

// index notes which records a note is about.
func (w *noteWriter) index(n *fold.Note) {
	start := len(w.about)
	for id := range n.IDs() {
		if at := w.place(id); !has(w.about[start:], at) {
			w.about = put(w.about, int(at))
		}
	}
	w.aboutEnd = put(w.aboutEnd, len(w.about)/4)
	for _, name := range n.Names {
		if name.FormerID != "" {
			w.pairs = put(put(w.pairs, int(w.place(name.ID))), int(w.place(name.FormerID)))
		}
	}
	if n.Unread {
		w.unread++
	}
}

// has tells whether a number is in a column.
func has(column []byte, n uint32) bool {
	for i := range min(len(column)/4, longestIndex) {
		if number(column, i) == n {
			return true
		}
	}
	return false
}

// longestIndex is how many numbers are looked at before one is stored twice instead.
const longestIndex = 16

func (w *noteWriter) note(n *fold.Note) {
	w.index(n)
	w.number(marked(n.Heard, markHeard) | marked(n.Unread, markUnread))
	if n.Heard {
		w.text(n.Speech.By)
		w.data = binary.AppendVarint(w.data, n.Speech.Time)
		w.data = binary.AppendVarint(w.data, int64(n.Speech.Zone))
		w.number(uint64(len(n.Speech.Branches)))
		for _, b := range n.Speech.Branches {
			w.text(b)
		}
	}
	w.number(uint64(len(n.Names)))
	for i := range n.Names {
		for _, s := range names(&n.Names[i]) {
			w.text(*s)
		}
	}
	w.number(uint64(len(n.Told)))
	for i := range n.Told {
		t := &n.Told[i]
		w.number(marked(t.Loose, markLoose) | marked(t.Trailer, markTrailer) | marked(t.Reborn, markReborn) |
			marked(t.Left, markLeft) | marked(t.Quiet, markQuiet) | marked(t.Inferred, markInferred))
		for _, s := range members(t) {
			w.text(*s)
		}
	}
}

// A noteReader reads what a noteWriter wrote.
type noteReader struct {
	data    []byte
	strings table
	wrong   bool
	told    []fold.Told // room
}

func (r *noteReader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	r.pass(size)
	return n
}

func (r *noteReader) signed() int64 {
	n, size := binary.Varint(r.data)
	r.pass(size)
	return n
}

// pass goes on behind a number, of which there is none where it has no size.
func (r *noteReader) pass(size int) {
	if size <= 0 {
		r.wrong, r.data = true, nil
		return
	}
	r.data = r.data[size:]
}

func (r *noteReader) text() string {
	n := r.number()
	if n >= uint64(r.strings.n) {
		r.wrong = true
		return ""
	}
	return r.strings.at(uint32(n))
}

// count reads how many follow: each takes a byte or more.
func (r *noteReader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.wrong = true
		return 0
	}
	return int(n)
}

func (r *noteReader) note(n *fold.Note) {
	about := r.number()
	n.Unread, n.Heard = about&markUnread != 0, about&markHeard != 0
	if n.Heard {
		n.Speech = fold.Speech{By: r.text(), Time: r.signed(), Zone: int(r.signed())}
		for range r.count() {
			n.Speech.Branches = append(n.Speech.Branches, r.text())
		}
	}
	if count := r.count(); count > 0 {
		n.Names = make([]fold.Name, count)
		for i := range n.Names {
			for _, s := range names(&n.Names[i]) {
				*s = r.text()
			}
		}
	}
	n.Told = r.room(r.count())
	for i := range n.Told {
		t := &n.Told[i]
		m := r.number()
		t.Loose, t.Trailer, t.Reborn = m&markLoose != 0, m&markTrailer != 0, m&markReborn != 0
		t.Left, t.Quiet, t.Inferred = m&markLeft != 0, m&markQuiet != 0, m&markInferred != 0
		for _, s := range members(t) {
			*s = r.text()
		}
	}
}

const roomSize = 256

// room gives memory for what a commit tells.
func (r *noteReader) room(n int) []fold.Told {
	if n == 0 {
		return nil
	}
	if n > len(r.told) {
		r.told = make([]fold.Told, max(n, roomSize))
	}
	room := r.told[:n:n]
	r.told = r.told[n:]
	return room
}

// readNotes puts the file's notes on commits from a number on, with what is about some records, where they stand among
// those of a graph in which number 0 stands at last.
func (f *file) readNotes(all []*fold.Note, last, from int, ids map[string]bool) bool {
	first, start := f.firstNote(from), 0
	if first > 0 {
		start = int(number(f.noteEnd, first-1))
	}
	notes := make([]fold.Note, f.notes-first)
	r := noteReader{strings: f.strings}
	for i := range notes {
		at, end := last-f.first-int(number(f.noteOf, first+i)), int(number(f.noteEnd, first+i))
		if end < start || end > len(f.noteText) || at < 0 || at >= len(all) {
			return false
		}
		r.data = f.noteText[start:end]
		r.note(&notes[i])
		if r.wrong || len(r.data) > 0 {
			return false
		}
		all[at], start = &notes[i], end
		if ids != nil {
			all[at] = notes[i].Only(ids)
		}
	}
	return true
}

// firstNote returns the first note on a commit from a number on.
func (f *file) firstNote(from int) int {
	return sort.Search(f.notes, func(i int) bool { return f.first+int(number(f.noteOf, i)) >= from })
}
