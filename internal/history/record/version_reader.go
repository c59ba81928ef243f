package record

import (
	"bytes"
	"slices"
)

// A VersionReader adds versions to a line table. Most differ in a few lines from the one that was read before, and only
// these are read. It is for one goroutine; a table may have several.
type VersionReader struct {
	table   *LineTable
	data    []byte // the version that was read last
	starts  []int  // where its lines begin that have a number
	lines   []uint32
	version *Version // nil before the first

	invalid    int     // lines of it that are no records
	counts     []int32 // by the number of a key: its lines
	duplicates int     // how many lines more there are than keys
}

// Reader returns a reader that adds versions to the table.
func (t *LineTable) Reader() *VersionReader {
	return &VersionReader{table: t}
}

// Read reads the content of a plan file. It does not hold on to data.
func (r *VersionReader) Read(data []byte) *Version {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	from, oldTo, to := changed(r.data, data)
	first, _ := slices.BinarySearch(r.starts, from)
	behind, _ := slices.BinarySearch(r.starts, oldTo)
	lines, starts := r.change(data, from, to, r.lines[first:behind])

	tail := len(r.lines) - behind
	r.lines = slices.Replace(r.lines, first, behind, lines...)
	r.starts = slices.Replace(r.starts, first, behind, starts...)
	for i := len(r.starts) - tail; i < len(r.starts); i++ {
		r.starts[i] += to - oldTo
	}
	r.data = append(r.data[:0], data...)
	r.version = r.keep(first, tail, lines)
	return r.version
}

// changed returns which part of a text is another one than in a former text: the lines from one place to another, in the
// former text up to oldTo.
func changed(old, now []byte) (from, oldTo, to int) {
	from = bytes.LastIndexByte(now[:commonPrefix(old, now)], '\n') + 1
	same := commonSuffix(old[from:], now[from:])
	oldTo, to = len(old)-same, len(now)-same
	for !(beginsLine(old, oldTo) && beginsLine(now, to)) {
		next := bytes.IndexByte(now[to:], '\n') + 1
		if next == 0 {
			return from, len(old), len(now)
		}
		oldTo, to = oldTo+next, to+next
	}
	return from, oldTo, to
}

func beginsLine(text []byte, at int) bool { return at == 0 || at == len(text) || text[at-1] == '\n' }

// change numbers the lines of a part of a version, in the place of those that stood there before.
func (r *VersionReader) change(data []byte, from, to int, old []uint32) (lines []uint32, starts []int) {
	r.table.reading.Lock()
	defer r.table.reading.Unlock()
	for _, n := range old {
		r.count(&r.table.lines[n], -1)
	}
	for at := from; at < to; {
		end := to
		if n := bytes.IndexByte(data[at:to], '\n'); n >= 0 {
			end = at + n
		}
		if n, found := r.table.number(data[at:end]); found {
			lines, starts = append(lines, n), append(starts, at)
			r.count(&r.table.lines[n], 1)
		}
		at = end + 1
	}
	return lines, starts
}

// count notes a line that came, or one that went.
func (r *VersionReader) count(l *line, by int32) {
	if l.invalid {
		r.invalid += int(by)
	}
	if !l.isWork() {
		return
	}
	for int(l.key) >= len(r.counts) {
		r.counts = append(r.counts, 0)
	}
	n := &r.counts[l.key]
	if max(*n, *n+by) > 1 {
		r.duplicates += int(by)
	}
	*n += by
}

// keep makes the version of the present lines: what differs from the one before, where that is little.
func (r *VersionReader) keep(head, tail int, changed []uint32) *Version {
	v := &Version{invalid: r.invalid, duplicates: r.duplicates > 0, middle: changed}
	if r.version != nil && r.version.depth < maxBases && len(changed) < len(r.lines)-len(r.lines)/4 {
		v.base, v.head, v.tail, v.depth = r.version, head, tail, r.version.depth+1
		return v
	}
	if len(changed) < len(r.lines) {
		v.middle = slices.Clone(r.lines)
	}
	return v
}

// stride is how many bytes are compared at once.
const stride = 128

func commonPrefix(a, b []byte) int {
	at, n := 0, min(len(a), len(b))
	for at+stride <= n && bytes.Equal(a[at:at+stride], b[at:at+stride]) {
		at += stride
	}
	for at < n && a[at] == b[at] {
		at++
	}
	return at
}

func commonSuffix(a, b []byte) int {
	at, n := 0, min(len(a), len(b))
	for at+stride <= n && bytes.Equal(a[len(a)-at-stride:len(a)-at], b[len(b)-at-stride:len(b)-at]) {
		at += stride
	}
	for at < n && a[len(a)-1-at] == b[len(b)-1-at] {
		at++
	}
	return at
}
