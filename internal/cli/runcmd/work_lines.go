package runcmd

import (
	"strings"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/work"
)

// workLines say what a worker did.
func workLines(e loop.Event) [][]term.Cell {
	what := strings.TrimRight(e.ID+" "+term.FirstLineOf(e.Name), " ")
	switch e.Kind {
	case work.Claimed:
		return [][]term.Cell{{{Text: "claimed " + what, Style: term.Strong}, {Text: " " + e.Text, Style: term.Faint}}}
	case work.Finished:
		return [][]term.Cell{{{Text: "finished " + what + ": " + e.Text, Style: term.Green}}}
	case work.Released:
		return [][]term.Cell{{{Text: "released " + what + ": " + onOneLine(e.Text), Style: term.Yellow}}}
	case work.Landed:
		return [][]term.Cell{{{Text: strings.TrimRight("landed "+what, " ") + ": " + e.Text, Style: term.Green}}}
	case work.Unlanded:
		return textLines(strings.TrimRight("not landed "+what, " ")+": "+e.Text, term.Red)
	case work.Kept:
		return [][]term.Cell{{{Text: onOneLine(e.Text), Style: term.Yellow}}}
	}
	return nil
}

// textLines are the lines of a text that has several where it quotes a program's output: all but the first are indented.
func textLines(text string, look term.Style) (lines [][]term.Cell) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if len(lines) > 0 {
			line = "    " + line
		}
		lines = append(lines, []term.Cell{{Text: line, Style: look}})
	}
	return lines
}
