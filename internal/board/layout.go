package board

import "git-ralph/internal/view"

// Sizes, in columns and lines.
const (
	cardHeight    = 2  // a line of the name, and one for the rest
	tallCard      = 3  // with two lines for the name
	tallScreen    = 30 // the lines from which on cards are tall
	fewestOfPart  = 8  // the columns of which a part of a card's last line shows enough
	narrowColumn  = 20 // the narrowest column with cards
	minTask       = 34 // the narrowest pane for a task
	maxTask       = 84
	smallestWidth = 24
	smallestLines = 6
)

// A layout is where things are on the screen. Nothing in it depends on how long the plan is.
type layout struct {
	columns []slot // that are on the screen, from left to right
	cards   area   // below the headings
	card    int    // lines of a card
	task    area   // width 0: not on the screen
	links   area   // height 0: likewise
	slider  int    // its line; 0: none
	footer  int    // its line
}

// A slot is where a column is.
type slot struct{ column, x, width int }

// An area is a part of the screen.
type area struct{ x, y, width, height int }

func (a area) contains(x, y int) bool {
	return x >= a.x && x < a.x+a.width && y >= a.y && y < a.y+a.height
}

// layout returns where things are.
func (m *model) layout() layout {
	l := layout{footer: m.height - 1, card: cardHeight}
	if m.height >= tallScreen {
		l.card = tallCard
	}
	bottom := l.footer
	if m.inPast() {
		bottom -= 2
		l.slider = bottom
	}
	l.cards = area{y: 1, width: m.width, height: bottom - 1}
	switch {
	case m.wide:
		l.task, l.cards.width = area{y: 1, width: m.width, height: bottom - 1}, 0
	case !m.alone && m.width >= narrowColumn+minTask && m.board.Len() > 0:
		width := min(max(m.width/3, minTask), maxTask)
		l.cards.width -= width + 1
		l.task = area{x: l.cards.width + 1, y: 1, width: width, height: bottom - 1}
	}
	if l.cards.width > 0 {
		if l.columns = m.slots(l.cards.width); l.hides(m) {
			l.columns = m.slots(l.cards.width - 2) // with room for the sign that there are more
		}
		l.cards.y++
		l.cards.height--
	}
	if l.task.width > 0 {
		if n := len(m.shownLinks()); n > 0 {
			l.links = l.task
			l.links.height = min(n+1, max(l.task.height/3, 3))
			l.task.height -= l.links.height
			l.links.y += l.task.height
		}
	}
	return l
}

// hides reports whether there are columns to the right of those on the screen.
func (l layout) hides(m *model) bool {
	return l.columns[len(l.columns)-1].column < len(m.board.Columns)-1
}

// slots returns the columns that fit beside each other, from the first one on. Empty ones are as narrow as their headings.
func (m *model) slots(width int) []slot {
	var found []slot
	x, grow := 0, 0
	for i := m.left; i < len(m.board.Columns); i++ {
		c := m.board.Columns[i]
		want := narrowColumn
		if len(c.Cards) == 0 {
			want = m.method.StringWidth(headingOf(c)) + 2
		}
		if x+want > width && len(found) > 0 {
			break
		}
		found = append(found, slot{column: i, x: x, width: min(want, width)})
		x += want + 1
		if len(c.Cards) > 0 {
			grow++
		}
	}
	return spread(found, m.board, width-(x-1), grow)
}

// spread gives the columns with cards the room that is left.
func spread(slots []slot, b view.Board, rest, grow int) []slot {
	moved := 0
	for i := range slots {
		s := &slots[i]
		s.x += moved
		if grow > 0 && len(b.Columns[s.column].Cards) > 0 {
			more := max(rest, 0) / grow
			s.width += more
			moved, rest, grow = moved+more, rest-more, grow-1
		}
	}
	return slots
}
