package record

// A Version is a plan as it stood at some commit: the numbers of its lines in a
// LineTable, in their order. Versions of one plan differ little, so all but a few
// are kept as what differs from another one.
type Version struct {
	invalid    int  // lines that are no records
	duplicates bool // an id stands on two lines

	base       *Version // nil where middle is all of it
	head, tail int      // how many lines it has in common with base, at its beginning and its end
	middle     []uint32 // the lines between
	depth      int      // how many bases there are below it
}

// Valid reports whether every line of the version is a record; so it is of no plan.
func (v *Version) Valid() bool { return v == nil || v.invalid == 0 }

// maxBases is how many bases there are below a version, at most.
const maxBases = 32

// common returns how many lines two versions have in common at their beginning,
// and how many of the rest at their end.
func common(a, b []uint32) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	a, b = a[head:], b[head:]
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// linesOf returns the lines of a version, none for nil. They must not be changed.
func (t *LineTable) linesOf(v *Version) []uint32 {
	switch {
	case v == nil:
		return nil
	case v.base == nil:
		return v.middle
	}
	if lines := t.recent.find(v); lines != nil {
		return lines
	}
	lines := make([]uint32, 0, v.len())
	if below := t.recent.find(v.base); below != nil {
		lines = append(append(append(lines, below[:v.head]...), v.middle...), below[len(below)-v.tail:]...)
	} else {
		lines = v.appendTo(lines, 0, v.len())
	}
	t.recent.add(v, lines)
	return lines
}

func (v *Version) len() int { return v.head + len(v.middle) + v.tail }

// appendTo appends the lines from one place to another.
func (v *Version) appendTo(lines []uint32, from, to int) []uint32 {
	if from >= to {
		return lines
	}
	if v.base == nil {
		return append(lines, v.middle[from:to]...)
	}
	end := v.head + len(v.middle) // of the middle
	lines = v.base.appendTo(lines, from, min(to, v.head))
	if a, b := max(from, v.head), min(to, end); a < b {
		lines = append(lines, v.middle[a-v.head:b-v.head]...)
	}
	shift := v.base.len() - v.tail - end
	return v.base.appendTo(lines, max(from, end)+shift, to+shift)
}

// recentLines are the lines of versions that were used last.
type recentLines struct {
	versions [8]*Version
	lines    [8][]uint32
	next     int
}

func (r *recentLines) find(v *Version) []uint32 {
	for i := range r.versions {
		if r.versions[i] == v {
			return r.lines[i]
		}
	}
	return nil
}

func (r *recentLines) add(v *Version, lines []uint32) {
	r.versions[r.next], r.lines[r.next] = v, lines
	r.next = (r.next + 1) % len(r.versions)
}
