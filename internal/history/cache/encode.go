package cache

import (
	"bytes"
	"encoding/binary"
	"slices"

	"git-ralph/internal/git"
)

// An encoder makes the columns of a file.
type encoder struct {
	Fresh
	size, first int

	ids, times, planOf, pathOf, parentEnd, parentOf []byte
	plans                                           []git.Hash
	planNumbers                                     map[git.Hash]uint32
	noteOf, noteEnd                                 []byte
	notes                                           noteWriter
}

func put(column []byte, n int) []byte { return binary.LittleEndian.AppendUint32(column, uint32(n)) }

// encode makes the file of the new commits; see file for its parts.
func (f Fresh) encode(key Key) []byte {
	e := encoder{Fresh: f, size: key.Size, planNumbers: map[git.Hash]uint32{}, notes: noteWriter{numbers: map[string]uint32{}}}
	var before link
	if f.Before != nil {
		e.first, before = len(f.Before.Commits), f.Before.files[len(f.Before.files)-1].self
	}
	for at := f.New - 1; at >= 0; at-- {
		e.commit(at)
		if note := f.Notes[at]; note != f.Silent {
			e.notes.note(note)
			e.noteOf, e.noteEnd = put(e.noteOf, f.New-1-at), put(e.noteEnd, len(e.notes.data))
		}
	}
	var paths, ends, text, plans, readable []byte
	for _, p := range f.Paths {
		paths = put(paths, int(e.notes.place(p)))
	}
	for _, s := range e.notes.strings {
		text = append(text, s...)
		ends = put(ends, len(text))
	}
	for _, p := range e.plans {
		plans = append(plans, p[:e.size]...)
		is, _ := f.Readable(p)
		if is {
			readable = append(readable, 1)
		} else {
			readable = append(readable, 0)
		}
	}
	data, made := []byte(magic), key.Text()
	for _, n := range [counts]int{
		int(before[0]), int(before[1]), e.first, f.New, len(e.parentOf) / 4, len(e.plans), len(e.notes.strings), len(text),
		len(e.noteOf) / 4, len(e.notes.data), len(paths) / 4, len(made),
	} {
		data = put(data, n)
	}
	data = append(data, made...)
	for _, column := range [...][]byte{
		e.ids, e.times, e.planOf, e.pathOf, e.parentEnd, order(e.ids, e.size), e.parentOf, plans, readable, order(plans, e.size),
		ends, text, e.noteOf, e.noteEnd, e.notes.data, paths,
	} {
		data = append(data, column...)
	}
	return put(data, int(checksum(data)))
}

func (e *encoder) commit(at int) {
	c := &e.Commits[at]
	e.ids = append(e.ids, c.ID[:e.size]...)
	e.times = binary.LittleEndian.AppendUint64(e.times, uint64(c.Time))
	e.pathOf = append(e.pathOf, c.Path)
	e.planOf = put(e.planOf, e.planNumber(c.Plan))
	for _, p := range c.Parents {
		e.parentOf = put(e.parentOf, e.number(int(p)))
	}
	e.parentEnd = put(e.parentEnd, len(e.parentOf)/4)
}

// number returns the number of a commit in the chain.
func (e *encoder) number(at int) int {
	if at < e.New {
		return e.first + e.New - 1 - at
	}
	place, _ := e.Before.Place(e.Commits[at].ID)
	return e.first - 1 - int(place)
}

// planNumber returns 1 + the number of a plan in the file.
func (e *encoder) planNumber(plan git.Hash) int {
	if plan.IsZero() {
		return 0
	}
	n, known := e.planNumbers[plan]
	if !known {
		e.plans = append(e.plans, plan)
		n = uint32(len(e.plans))
		e.planNumbers[plan] = n
	}
	return int(n)
}

// order returns the numbers of ids in the order of these.
func order(ids []byte, size int) []byte {
	numbers := make([]uint32, len(ids)/size)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	slices.SortFunc(numbers, func(a, b uint32) int {
		return bytes.Compare(ids[int(a)*size:][:size], ids[int(b)*size:][:size])
	})
	column := make([]byte, 0, 4*len(numbers))
	for _, n := range numbers {
		column = put(column, int(n))
	}
	return column
}
