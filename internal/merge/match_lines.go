package merge

import (
	"math"
	"strings"

	"git-ralph/internal/plan"
)

// window is how many lines ahead the next pair of equal lines is looked for.
const window = 8

// A matcher finds lines of a side that are lines of the base, each once, and sets
// their origin.
//
// Both are walked together, since most lines are where they were. Lines that
// were moved further are looked up at the end.
type matcher struct {
	base, side *input
	kept       []bool // of the base's lines: it was found

	i, j int // the lines to compare next
	left int // how many lines of the side were skipped
}

func newMatcher(base, side *input) *matcher {
	side.lines = make([]line, 0, side.begin())
	return &matcher{base: base, side: side, kept: make([]bool, 0, cap(base.keys))}
}

// walk goes on until it reaches the line to of the base.
func (m *matcher) walk(to int) {
	keys := m.base.keys
	m.kept = append(m.kept, make([]bool, len(keys)-len(m.kept))...)
	for m.i < to {
		if m.j == len(m.side.lines) {
			for range m.side.follow(m.base, m.i) {
				m.kept[m.i] = true
				m.i, m.j = m.i+1, m.j+1
			}
			if !m.side.cutLine() {
				m.i = math.MaxInt
				return
			}
		}
		if keys[m.i].Text == m.side.lines[m.j].text {
			m.kept[m.i], m.side.lines[m.j].origin = true, int32(m.i)
			m.i, m.j = m.i+1, m.j+1
			continue
		}
		for len(m.side.lines) <= m.j+window && m.side.cutLine() {
		}
		di, dj := ahead(keys[m.i:], m.side.lines[m.j:])
		m.i, m.j, m.left = m.i+di, m.j+dj, m.left+dj
	}
}

// finish looks up what the walk did not find, and reports which lines of the base
// were found.
func (m *matcher) finish() (kept []bool) {
	m.walk(len(m.base.keys))
	for m.side.cutLine() {
	}
	if m.left+len(m.side.lines)-m.j > 0 {
		matchMoved(m.base.keys, m.side.lines, m.kept)
	}
	return m.kept
}

// stride is how many lines are compared at once.
const stride = 32

// follow cuts off the lines that are those of the base from line i on, and
// returns how many they are. The last line of the base is not among them.
func (in *input) follow(base *input, i int) int {
	before := len(in.lines)
	for n := stride; n > 0; {
		text := base.between(i, i+n)
		if text == "" || !strings.HasPrefix(in.rest, text) {
			n /= 2
			continue
		}
		in.rest = in.rest[len(text):]
		for end := i + n; i < end; i++ {
			in.lines = append(in.lines, line{text: base.keys[i].Text, origin: int32(i)})
		}
	}
	return len(in.lines) - before
}

// between returns the text of lines of the base with their endings, from one
// line up to another one, or "" if it is not one piece of the input.
func (in *input) between(i, end int) string {
	if end >= len(in.keys) {
		return ""
	}
	from, to := in.offset(in.keys[i].Text), in.offset(in.keys[end].Text)
	if from < 0 || to < 0 {
		return ""
	}
	return in.data[from:to]
}

// ahead returns how many lines to skip on each side to reach the nearest pair
// of equal lines.
func ahead(base []plan.SortKey, side []line) (di, dj int) {
	for d := 1; d <= window; d++ {
		for di := max(0, d-len(side)+1); di <= min(d, len(base)-1); di++ {
			if base[di].Text == side[d-di].text {
				return di, d - di
			}
		}
	}
	return 1, 1
}

// matchMoved pairs the remaining lines of both sides, wherever they are.
func matchMoved(base []plan.SortKey, side []line, kept []bool) {
	free := map[string][]int32{}
	for j := range side {
		if side[j].origin < 0 {
			free[side[j].text] = append(free[side[j].text], int32(j))
		}
	}
	for i := range base {
		if kept[i] {
			continue
		}
		if js := free[base[i].Text]; len(js) > 0 {
			kept[i], side[js[0]].origin = true, int32(i)
			free[base[i].Text] = js[1:]
		}
	}
}
