package merge

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A layout puts the lines of the result in order (docs/merge.md, "The order of
// lines").
type layout struct {
	m     *merger
	slots map[int32]plan.SortKey // lines that take the place of lines of the base
	added []addition
	sides [inputs][]int32 // of each line of a side, the used slot at or before it, or -1
}

// An addition is a line that the base lacks. It follows a slot.
type addition struct {
	after int32
	keys  [1]plan.SortKey
}

// write puts the lines of the result into order and returns the file in pieces.
func (m *merger) write() [][]byte {
	all := m.layOut().stretches()
	if !inOrder(all) && (m.isCanonical(one) || m.isCanonical(two)) {
		if keys := slices.Concat(all...); !m.lacksCreatedAt(keys) {
			keys = slices.DeleteFunc(keys, func(k plan.SortKey) bool { return plan.IsBlank(k.Text) })
			slices.SortFunc(keys, func(a, b plan.SortKey) int { return a.Compare(&b) })
			all = slices.Collect(slices.Chunk(keys, 1))
		}
	}
	return m.encode(all)
}

// A stretch is one line of the result, or several that follow each other in the
// base and are in the canonical order.
type stretch = []plan.SortKey

func inOrder(all []stretch) bool {
	for i := range all[min(1, len(all)):] {
		if all[i][len(all[i])-1].Compare(&all[i+1][0]) > 0 {
			return false
		}
	}
	return true
}

// isCanonical reports whether the lines of a side are in the canonical order,
// with no empty ones between them.
func (m *merger) isCanonical(side int) bool {
	in := &m.in[side]
	var last *plan.SortKey
	for _, l := range in.lines {
		key := &plan.SortKey{Text: l.text}
		if l.origin >= 0 {
			key = &m.in[base].keys[l.origin]
		} else if !skim(key) {
			rec, _ := m.reader.Record(jsonl.Line{Text: l.text})
			*key = rec.SortKey()
		}
		if plan.IsBlank(l.text) || last != nil && last.Compare(key) > 0 {
			return false
		}
		last = key
	}
	return true
}

// agreed returns the side to take if both have the same lines in another order:
// one that is canonical, else the first. The base does not count: otherwise
// clones that merge in a circle would pass an order around forever.
func (m *merger) agreed() *input {
	differ := func(e *entry) bool { return !equal(&e.was[one], &e.was[two]) }
	if m.renamed || slices.ContainsFunc(m.entries, differ) {
		return nil
	}
	for _, b := range m.wholeLines {
		if len(b.lines[one]) != len(b.lines[two]) {
			return nil
		}
	}
	if !m.isCanonical(one) && m.isCanonical(two) {
		return &m.in[two]
	}
	return &m.in[one]
}

// layOut puts what comes from the base into its slots, and finds out where
// additions belong.
func (m *merger) layOut() *layout {
	l := &layout{m: m, slots: map[int32]plan.SortKey{}}
	for _, e := range m.entries {
		if e.was[base].there && e.alive {
			l.slots[e.was[base].line] = e.out.SortKey()
		}
	}
	for _, copies := range m.wholeLines {
		for _, line := range copies.lines[base][:min(copies.left, len(copies.lines[base]))] {
			l.slots[line] = copies.rec.SortKey()
		}
	}
	m.add(l)
	return l
}

// used reports whether the result has a line in a slot.
func (l *layout) used(slot int32) bool {
	if l.m.same[slot] {
		return true
	}
	_, filled := l.slots[slot]
	return filled
}

// anchors returns, for each line of a side, the used slot that it has or that
// the nearest line before it has.
func (m *merger) anchors(l *layout, side int) []int32 {
	changed := map[int32]int32{} // lines of the side whose record is in the base, but not the same
	for _, e := range m.entries {
		if v := e.was[side]; v.there && e.was[base].there {
			changed[v.line] = e.was[base].line
		}
	}
	lines := m.in[side].lines
	at := make([]int32, len(lines))
	last := int32(-1)
	for i := range lines {
		origin := lines[i].origin
		if origin < 0 {
			if slot, found := changed[int32(i)]; found {
				origin = slot
			}
		}
		if origin >= 0 && l.used(origin) {
			last = origin
		}
		at[i] = last
	}
	return at
}

// add collects the additions. One that both sides made follows the earlier
// slot.
func (m *merger) add(l *layout) {
	for _, side := range [...]int{one, two} {
		l.sides[side] = m.anchors(l, side)
	}
	for _, e := range m.entries {
		if e.was[base].there || !e.alive {
			continue
		}
		var after []int32
		for _, side := range [...]int{one, two} {
			if e.was[side].there {
				after = append(after, l.sides[side][e.was[side].line])
			}
		}
		l.added = append(l.added, addition{slices.Min(after), [1]plan.SortKey{e.out.SortKey()}})
	}
	for _, copies := range m.wholeLines {
		news := copies.left - len(copies.lines[base])
		if news <= 0 {
			continue
		}
		after := l.after(m, copies)
		for range news {
			l.added = append(l.added, addition{after, [1]plan.SortKey{copies.rec.SortKey()}})
		}
	}
}

// after returns the slot that new copies of a whole line follow: the earliest one that
// a new line of a side does.
func (l *layout) after(m *merger, b *wholeLine) int32 {
	slot := int32(len(m.same)) - 1
	for _, side := range [...]int{one, two} {
		for _, line := range b.lines[side] {
			if m.in[side].lines[line].origin < 0 {
				slot = min(slot, l.sides[side][line])
			}
		}
	}
	return slot
}

// stretches returns the lines in the order of the base, with additions behind
// the lines that they follow. Within one gap they are sorted.
func (l *layout) stretches() []stretch {
	slices.SortFunc(l.added, func(a, b addition) int {
		return cmp.Or(cmp.Compare(a.after, b.after), a.keys[0].Compare(&b.keys[0]))
	})
	b := &l.m.in[base]
	var all []stretch
	from, unsure := int32(0), b.unsure
	upTo := func(to int32) {
		for from < to {
			for len(unsure) > 0 && unsure[0] <= from {
				unsure = unsure[1:]
			}
			next := to
			if len(unsure) > 0 {
				next = min(to, unsure[0])
			}
			all = append(all, b.keys[from:next])
			from = next
		}
	}
	added := l.added
	addBefore := func(slot int32) {
		for ; len(added) > 0 && added[0].after < slot; added = added[1:] {
			upTo(added[0].after + 1)
			all = append(all, added[0].keys[:])
		}
	}
	for _, line := range l.replaced() {
		addBefore(line)
		upTo(line)
		if key, filled := l.slots[line]; filled {
			all = append(all, stretch{key})
		}
		from = line + 1
	}
	end := int32(len(b.keys))
	addBefore(end)
	upTo(end)
	return all
}

// replaced returns the lines of the base that the result lacks or has a changed record for, in their order: those that are
// not the same everywhere, and those that are but lose a dependency.
func (l *layout) replaced() []int32 {
	touched := l.m.in[base].touched
	lines := make([]int32, 0, len(touched))
	for _, t := range touched {
		lines = append(lines, t.line)
	}
	for line := range l.slots {
		if l.m.same[line] {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

// lacksCreatedAt reports whether a task, an issue or an item has no time of creation. Then its place in the file determines its age.
func (m *merger) lacksCreatedAt(keys []plan.SortKey) bool {
	for _, k := range keys {
		if !k.Kind.HasUniqueID() || surelyHasCreatedAt(k.Text) {
			continue
		}
		if rec, _ := m.reader.Record(jsonl.Line{Text: k.Text}); rec.CreatedAt() == "" {
			return true
		}
	}
	return false
}

// surelyHasCreatedAt reports whether a record has a time of creation, without parsing it. It may be false for one that has.
func surelyHasCreatedAt(text string) bool {
	return strings.Contains(text, `, "created_at": "2`) && strings.IndexByte(text[1:], '{') < 0
}

// encode returns the pieces of the file. How it begins and how its lines end are
// merged like values.
func (m *merger) encode(all []stretch) [][]byte {
	pieces := make([][]byte, 0, 2*len(all)+1)
	end := "\n"
	b, x, y := &m.in[base], &m.in[one], &m.in[two]
	if pick(b.mark, x.mark, y.mark) {
		pieces = append(pieces, data(byteOrderMark))
	}
	if pick(b.crlf, x.crlf, y.crlf) {
		end = "\r\n"
	}
	for _, s := range all {
		if text := b.join(s); text != "" && end == "\n" {
			pieces = append(pieces, data(text), data(end))
			continue
		}
		for i := range s {
			pieces = append(pieces, data(s[i].Text), data(end))
		}
	}
	return pieces
}

// join returns lines that follow each other in the base as one piece of it, or ""
// where they do not end with line feeds alone.
func (in *input) join(s stretch) string {
	last := s[len(s)-1].Text
	from, length := in.offset(s[0].Text), len(s)-1
	for i := range s {
		length += len(s[i].Text)
	}
	if from < 0 || in.offset(last)+len(last)-from != length {
		return ""
	}
	return in.data[from : from+length]
}

// offset returns where in the input a text is that was cut from it, or a
// negative number if it is from another input or empty.
func (in *input) offset(text string) int {
	if text == "" || in.data == "" {
		return -1
	}
	start, at := uintptr(unsafe.Pointer(unsafe.StringData(in.data))), uintptr(unsafe.Pointer(unsafe.StringData(text)))
	if at < start || at >= start+uintptr(len(in.data)) {
		return -1
	}
	return int(at - start)
}

// pick merges three flags.
func pick(base, x, y bool) bool {
	if x == base {
		return y
	}
	return x
}
