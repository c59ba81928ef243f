package cache

import (
	"encoding/binary"
	"sort"

	"git-ralph/internal/history/record"
)

// Marks of an entry and of its events.
const (
	markMessage = 1 << iota
	markUnplanned
	markTrailerOnly
	markRedated
	markInvalid
	markLeft
	markRepeat
	markInferred
	markEvidence
	markRejects
	markDivided
)

// members are the strings of an event, in the order in which they are stored.
func members(t *record.Event) [17]*string {
	return [17]*string{
		(*string)(&t.Name), (*string)(&t.Kind), &t.ID, &t.CreatedAt, &t.Attempt, &t.DoneAt, &t.Reason, &t.Successor,
		&t.At, &t.By, &t.Branch, &t.Title, &t.Spec, &t.Before, &t.After, &t.EarlierCreatedAt, &t.Change,
	}
}

func identityMembers(n *record.Identity) [5]*string {
	return [5]*string{(*string)(&n.Kind), &n.ID, &n.CreatedAt, &n.FormerID, &n.FormerCreatedAt}
}

// marked is a mark where it is to be set.
func marked(is bool, mark uint64) uint64 {
	if is {
		return mark
	}
	return 0
}

// An entryWriter writes entries: every string by its number in a table, each once.
type entryWriter struct {
	data    []byte
	numbers map[string]uint32
	strings []string

	about, aboutEnd, pairs []byte
	invalid                int
}

func (w *entryWriter) number(n uint64) { w.data = binary.AppendUvarint(w.data, n) }

func (w *entryWriter) text(s string) { w.number(uint64(w.place(s))) }

// place returns the number of a string.
func (w *entryWriter) place(s string) uint32 {
	n, known := w.numbers[s]
	if !known {
		n = uint32(len(w.strings))
		w.numbers[s] = n
		w.strings = append(w.strings, s)
	}
	return n
}

// index records which records an entry is about.
func (w *entryWriter) index(n *record.Entry) {
	start := len(w.about)
	for id := range n.IDs() {
		if at := w.place(id); !has(w.about[start:], at) {
			w.about = put(w.about, int(at))
		}
	}
	w.aboutEnd = put(w.aboutEnd, len(w.about)/4)
	for _, name := range n.Identities {
		if name.FormerID != "" {
			w.pairs = put(put(w.pairs, int(w.place(name.ID))), int(w.place(name.FormerID)))
		}
	}
	if n.Err != nil {
		w.invalid++
	}
}

// has reports whether a number is in a column.
func has(column []byte, n uint32) bool {
	for i := range min(len(column)/4, longestIndex) {
		if number(column, i) == n {
			return true
		}
	}
	return false
}

// longestIndex is how many numbers are read before one is stored twice instead.
const longestIndex = 16

func (w *entryWriter) entry(n *record.Entry) {
	w.index(n)
	w.number(marked(n.Message != nil, markMessage) | marked(n.Err != nil, markInvalid))
	if n.Message != nil {
		w.text(n.Message.By)
		w.data = binary.AppendVarint(w.data, n.Message.Time)
		w.data = binary.AppendVarint(w.data, int64(n.Message.Zone))
		w.number(uint64(len(n.Message.Branches)))
		for _, b := range n.Message.Branches {
			w.text(b)
		}
	}
	w.number(uint64(len(n.Identities)))
	for i := range n.Identities {
		for _, s := range identityMembers(&n.Identities[i]) {
			w.text(*s)
		}
	}
	w.number(uint64(len(n.Events)))
	for i := range n.Events {
		t := &n.Events[i]
		w.number(marked(t.Unplanned, markUnplanned) | marked(t.TrailerOnly, markTrailerOnly) | marked(t.Redated, markRedated) |
			marked(t.Left, markLeft) | marked(t.Repeat, markRepeat) | marked(t.Inferred, markInferred) | marked(t.Evidence, markEvidence) |
			marked(t.Rejects, markRejects) | marked(t.Divided, markDivided))
		for _, s := range members(t) {
			w.text(*s)
		}
	}
}

// An entryReader reads what an entryWriter wrote.
type entryReader struct {
	data    []byte
	strings table
	wrong   bool
	events  []record.Event // room
}

func (r *entryReader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	r.pass(size)
	return n
}

func (r *entryReader) signed() int64 {
	n, size := binary.Varint(r.data)
	r.pass(size)
	return n
}

// pass goes on behind a number, of which there is none where it has no size.
func (r *entryReader) pass(size int) {
	if size <= 0 {
		r.wrong, r.data = true, nil
		return
	}
	r.data = r.data[size:]
}

func (r *entryReader) text() string {
	n := r.number()
	if n >= uint64(r.strings.n) {
		r.wrong = true
		return ""
	}
	return r.strings.at(uint32(n))
}

// count reads how many follow: each takes a byte or more.
func (r *entryReader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.wrong = true
		return 0
	}
	return int(n)
}

func (r *entryReader) entry(n *record.Entry, room *record.Message) {
	about := r.number()
	if about&markInvalid != 0 {
		n.Err = record.ErrInvalidPlan
	}
	if about&markMessage != 0 {
		n.Message = room
		*room = record.Message{By: r.text(), Time: r.signed(), Zone: int(r.signed())}
		for range r.count() {
			n.Message.Branches = append(n.Message.Branches, r.text())
		}
	}
	if count := r.count(); count > 0 {
		n.Identities = make([]record.Identity, count)
		for i := range n.Identities {
			for _, s := range identityMembers(&n.Identities[i]) {
				*s = r.text()
			}
		}
	}
	n.Events = r.room(r.count())
	for i := range n.Events {
		t := &n.Events[i]
		m := r.number()
		t.Unplanned, t.TrailerOnly, t.Redated = m&markUnplanned != 0, m&markTrailerOnly != 0, m&markRedated != 0
		t.Left, t.Repeat, t.Inferred, t.Evidence = m&markLeft != 0, m&markRepeat != 0, m&markInferred != 0, m&markEvidence != 0
		t.Rejects, t.Divided = m&markRejects != 0, m&markDivided != 0
		for _, s := range members(t) {
			*s = r.text()
		}
	}
}

const roomSize = 256

// room returns memory for the events of a commit.
func (r *entryReader) room(n int) []record.Event {
	if n == 0 {
		return nil
	}
	if n > len(r.events) {
		r.events = make([]record.Event, max(n, roomSize))
	}
	room := r.events[:n:n]
	r.events = r.events[n:]
	return room
}

// readEntries puts the file's entries on commits from a number on, with what is about some records, where they stand among
// those of a graph in which number 0 stands at last.
func (f *file) readEntries(all []*record.Entry, last, from int, ids map[string]bool) bool {
	first, start := f.firstEntry(from), 0
	if first > 0 {
		start = int(number(f.entryEnd, first-1))
	}
	entries, messages := make([]record.Entry, f.entries-first), make([]record.Message, f.entries-first)
	r := entryReader{strings: f.strings}
	for i := range entries {
		at, end := last-f.first-int(number(f.entryOf, first+i)), int(number(f.entryEnd, first+i))
		if end < start || end > len(f.entryText) || at < 0 || at >= len(all) {
			return false
		}
		r.data = f.entryText[start:end]
		r.entry(&entries[i], &messages[i])
		if r.wrong || len(r.data) > 0 {
			return false
		}
		all[at], start = &entries[i], end
		if ids != nil {
			all[at] = entries[i].Only(ids)
		}
	}
	return true
}

// firstEntry returns the first entry on a commit from a number on.
func (f *file) firstEntry(from int) int {
	return sort.Search(f.entries, func(i int) bool { return f.first+int(number(f.entryOf, i)) >= from })
}
