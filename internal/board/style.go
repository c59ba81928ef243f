package board

import (
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// A style is how text looks: parameters of the terminal's SGR sequence.
type style string

// Styles that need no colour.
const (
	plain  style = ""
	strong style = "1"
)

// A palette is the colours for a dark or a light background. They are of the 256 that terminals have; a terminal with fewer, or
// without, is given the nearest. Nothing is said by a colour alone.
type palette struct {
	faint, accent, warn, bad, good style
	line                           style // lines between panes
	marked                         style // the background of what is selected where the keys go
	resting                        style // and elsewhere
	inserted, deleted              style // words of an edit
	status                         map[view.Status]style
}

func darkPalette() palette {
	return palette{
		faint: "38;5;248", accent: "38;5;111", warn: "38;5;185", bad: "38;5;210", good: "38;5;114", line: "38;5;240",
		marked: "48;5;237", resting: "48;5;236", inserted: "38;5;114;4", deleted: "38;5;210;9",
		status: map[view.Status]style{
			view.Ready: "38;5;75", view.Blocked: "38;5;185", view.Claimed: "38;5;183", view.Done: "38;5;114", view.Landed: "38;5;80",
			view.Accepted: "38;5;108", view.Rejected: "38;5;210", view.Lost: "38;5;210",
		},
	}
}

func lightPalette() palette {
	return palette{
		faint: "38;5;241", accent: "38;5;25", warn: "38;5;94", bad: "38;5;124", good: "38;5;22", line: "38;5;249",
		marked: "48;5;254", resting: "48;5;255", inserted: "38;5;22;4", deleted: "38;5;124;9",
		status: map[view.Status]style{
			view.Ready: "38;5;25", view.Blocked: "38;5;94", view.Claimed: "38;5;91", view.Done: "38;5;22", view.Landed: "38;5;23",
			view.Accepted: "38;5;240", view.Rejected: "38;5;124", view.Lost: "38;5;124",
		},
	}
}

// dark16Palette has those of the 16 colours of old terminals that can be read on black. None of them serves as the background of what is selected.
func dark16Palette() palette {
	return palette{
		faint: "37", accent: "96", warn: "93", bad: "91", good: "92", line: "90", inserted: "92;4", deleted: "91;9",
		status: map[view.Status]style{
			view.Ready: "96", view.Blocked: "93", view.Claimed: "95", view.Done: "92", view.Landed: "36", view.Accepted: "32", view.Rejected: "91", view.Lost: "91",
		},
	}
}

// light16Palette has those that can be read on white: blue, red, magenta and grey.
func light16Palette() palette {
	return palette{
		accent: "34", warn: "35", bad: "31", line: "90", inserted: "34;4", deleted: "31;9",
		status: map[view.Status]style{view.Ready: "34", view.Blocked: "31", view.Claimed: "35", view.Rejected: "31", view.Lost: "31"},
	}
}

// setColours takes the colours for the terminal's background, and for as many as it has.
func (m *model) setColours() {
	switch {
	case m.light && m.few:
		m.colours = light16Palette()
	case m.light:
		m.colours = lightPalette()
	case m.few:
		m.colours = dark16Palette()
	default:
		m.colours = darkPalette()
	}
}

// and returns a style with another one added.
func (s style) and(other style) style {
	if s == "" || other == "" {
		return s + other
	}
	return s + ";" + other
}

// asciiSigns replaces the signs of the board by those of terminals that have nothing but ASCII. Each is one column wide, as before.
func asciiSigns() *strings.Replacer {
	pairs := []string{
		"│", "|", "┃", "#", "─", "-", "━", "=", "├", "+", "┣", "#", "╭", "+", "╮", "+", "╰", "+", "╯", "+",
		"▌", ">", "▏", "|", "▲", "^", "■", "-", "▼", "_", "‹", "<", "›", ">", "←", "<", "→", ">", "↑", "^", "↓", "v", "·", "|", "×", "x", "…", "~", "–", "-",
	}
	for _, s := range append(view.Columns(), view.Ended()...) {
		pairs = append(pairs, s.Sign(), s.ASCIISign())
	}
	return strings.NewReplacer(pairs...)
}

// prioritySymbol returns the sign of a priority, "" for none.
func (p palette) prioritySymbol(priority string) (string, style) {
	switch plan.PriorityRank(priority) {
	case plan.PriorityRank("high"):
		return "▲", p.bad
	case plan.PriorityRank("medium"):
		return "■", p.warn
	case plan.PriorityRank("low"):
		return "▼", p.faint
	}
	return "", plain
}

// titleOf returns the heading of a column.
func titleOf(s view.Status) string {
	switch s {
	case view.Ready:
		return "Ready"
	case view.Blocked:
		return "Blocked"
	case view.Claimed:
		return "Claimed"
	case view.Done:
		return "Done"
	case view.Landed:
		return "Landed"
	}
	return "Accepted"
}
