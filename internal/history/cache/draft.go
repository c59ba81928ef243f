package cache

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"git-ralph/internal/git"
)

// A draft is a file that is being prepared.
type draft struct {
	Fresh
	key         Key
	size, first int

	ids, times, planOf, pathOf, parentEnd, parentOf []byte
	sorted                                          []byte
	plans                                           []git.Hash
	planNumbers                                     map[git.Hash]uint32
}

func put(column []byte, n int) []byte { return binary.LittleEndian.AppendUint32(column, uint32(n)) }

func newDraft(key Key, f Fresh) *draft {
	if k := f.Before; k != nil && (len(k.files) == maxFiles || f.New > k.Len()) {
		f.Before = nil
	}
	if f.Before == nil {
		f.New = len(f.Commits)
	}
	d := &draft{Fresh: f, key: key, size: key.IDSize, planNumbers: map[git.Hash]uint32{}}
	if f.Before != nil {
		d.first = f.Before.Len()
	}
	room := func(width int) []byte { return make([]byte, 0, width*f.New) }
	d.ids, d.times, d.planOf, d.pathOf, d.parentEnd, d.parentOf = room(d.size), room(8), room(4), room(1), room(4), room(5)
	for at := f.New - 1; at >= 0; at-- {
		d.commit(at)
	}
	d.sorted = order(d.ids, d.size)
	return d
}

// encode writes the file, but for its checksum; see file for its parts.
func (d *draft) encode(t Recorded, write func([]byte)) {
	entries := entryWriter{numbers: map[string]uint32{}}
	var entryOf, entryEnd, paths, ends []byte
	for at := d.New - 1; at >= 0; at-- {
		if entry := t.Entries[at]; entry != nil {
			entries.entry(entry)
			entryOf, entryEnd = put(entryOf, d.New-1-at), put(entryEnd, len(entries.data))
		}
	}
	for _, p := range d.Paths {
		paths = put(paths, int(entries.place(p)))
	}
	text := 0
	for _, s := range entries.strings {
		text += len(s)
		ends = put(ends, text)
	}
	plans, readable := d.readable(t)
	var before link
	if d.Before != nil {
		before = d.Before.files[len(d.Before.files)-1].self
	}
	head, made := []byte(magic), d.key.Text()
	for _, n := range [counts]int{
		int(before[0]), int(before[1]), d.first, d.New, len(d.parentOf) / 4, len(d.plans), len(entries.strings), text,
		len(entryOf) / 4, len(entries.data), len(paths) / 4, len(made), len(entries.about) / 4, len(entries.pairs) / 8, entries.invalid,
	} {
		head = put(head, n)
	}
	for _, column := range [][]byte{
		head, []byte(made), d.ids, d.times, d.planOf, d.pathOf, d.parentEnd, d.sorted, d.parentOf, plans, readable, order(plans, d.size), ends,
	} {
		write(column)
	}
	for _, s := range entries.strings {
		write([]byte(s))
	}
	for _, column := range [][]byte{entryOf, entryEnd, entries.data, entries.aboutEnd, entries.about, entries.pairs, paths} {
		write(column)
	}
}

// readable makes the columns of the plans.
func (d *draft) readable(t Recorded) (plans, readable []byte) {
	for _, p := range d.plans {
		plans = append(plans, p[:d.size]...)
		if t.Valid(p) {
			readable = append(readable, 1)
		} else {
			readable = append(readable, 0)
		}
	}
	return plans, readable
}

func (d *draft) commit(at int) {
	c := &d.Commits[at]
	d.ids = append(d.ids, c.ID[:d.size]...)
	d.times = binary.LittleEndian.AppendUint64(d.times, uint64(c.Time))
	d.pathOf = append(d.pathOf, c.Path)
	d.planOf = put(d.planOf, d.planNumber(c.Plan))
	for _, p := range d.Parents(at) {
		d.parentOf = put(d.parentOf, d.number(int(p)))
	}
	d.parentEnd = put(d.parentEnd, len(d.parentOf)/4)
}

// number returns the number of a commit in the chain.
func (d *draft) number(at int) int {
	if at < d.New {
		return d.first + d.New - 1 - at
	}
	place, _ := d.Before.Place(d.Commits[at].ID)
	return d.first - 1 - int(place)
}

// planNumber returns 1 + the number of a plan in the file.
func (d *draft) planNumber(plan git.Hash) int {
	if plan.IsZero() {
		return 0
	}
	n, known := d.planNumbers[plan]
	if !known {
		d.plans = append(d.plans, plan)
		n = uint32(len(d.plans))
		d.planNumbers[plan] = n
	}
	return int(n)
}

// order returns the numbers of ids in the order of these.
func order(ids []byte, size int) []byte {
	n := len(ids) / size
	width := min(bits.Len(uint(n)), 16) // ids are evenly spread: of so many first bits, few have the same
	first := func(i int) int { return int(binary.BigEndian.Uint16(ids[i*size:])) >> (16 - width) }
	ends := make([]int32, 1<<width+1)
	for i := range n {
		ends[first(i)+1]++
	}
	for b := range 1 << width {
		ends[b+1] += ends[b]
	}
	all := make([]int32, n)
	for i := range n {
		at := &ends[first(i)]
		all[*at] = int32(i)
		*at++
	}
	compare := func(a, b int32) int { return bytes.Compare(ids[int(a)*size:][:size], ids[int(b)*size:][:size]) }
	start := int32(0)
	for _, end := range ends[:1<<width] {
		slices.SortFunc(all[start:end], compare)
		start = end
	}
	column := make([]byte, 0, 4*n)
	for _, i := range all {
		column = put(column, int(i))
	}
	return column
}
