package runcmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
)

// A blockReporter prints lines as a lineReporter does, and below them a block that shows how the agent gets on. The block
// is drawn over and over; before a line is printed it is taken away.
type blockReporter struct {
	lineReporter
	drawn []int     // the widths of its lines on the screen, in columns
	at    time.Time // when it was drawn
}

func newBlockReporter(env *term.Env) *blockReporter {
	return &blockReporter{lineReporter: lineReporter{env: env}}
}

func (r *blockReporter) Report(e loop.Event) {
	r.erase()
	r.lineReporter.Report(e)
}

func (r *blockReporter) finish(s loop.Summary) {
	r.erase()
	r.lineReporter.finish(s)
}

// drawTime is how often the block is drawn at most. A terminal that is far away has to keep up.
const drawTime = 200 * time.Millisecond

func (r *blockReporter) Progress(l loop.Live) {
	now := r.env.Now()
	if len(r.drawn) > 0 && now.Sub(r.at) < drawTime {
		return
	}
	r.erase()
	r.at = now
	width := r.env.CurrentWidth()
	var b strings.Builder
	for _, c := range blockLines(l, now) {
		text := displaywidth.TruncateString(term.Printable(c.Text), max(width-1, 1), "…")
		b.WriteString(r.env.Paint(text, c.Style) + "\n")
		r.drawn = append(r.drawn, displaywidth.String(text))
	}
	io.WriteString(r.env.Out, b.String())
	r.env.Flush()
}

// erase takes the block away. A terminal that became narrower has broken its lines.
func (r *blockReporter) erase() {
	rows, width := 0, max(r.env.CurrentWidth(), 1)
	for _, w := range r.drawn {
		rows += max(1, (w+width-1)/width)
	}
	if rows > 0 {
		fmt.Fprintf(r.env.Out, "\r\x1b[%dA\x1b[J", rows) // \r: a typed ^C stands before the cursor
	}
	r.drawn = nil
}

// roughly is how exact a guess of what is left is.
const roughly = 10 * time.Second

// blockLines say how the agent gets on.
func blockLines(l loop.Live, now time.Time) []term.Cell {
	if !l.Until.IsZero() {
		return []term.Cell{{Text: fmt.Sprintf("  waiting %s more: %s", took(max(l.Until.Sub(now), 0)), l.Tool), Style: term.Yellow}}
	}
	what := strings.TrimSpace(string(l.Stage) + " " + l.ID)
	facts := []string{what, fmt.Sprintf("iteration %d", l.Iteration), took(now.Sub(l.Began))}
	if l.Tokens > 0 {
		facts = append(facts, shortCount(l.Tokens)+" tokens")
	}
	if l.Cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", l.Cost))
	}
	if l.Context > 0 && l.Window > 0 {
		facts = append(facts, fmt.Sprintf("context %d %%", l.Context*100/l.Window))
	}
	counts := fmt.Sprintf("%d done, %d accepted, %d rejected, %d to do", l.Done, l.Accepted, l.Rejected, l.Left)
	if l.Typical > 0 && l.Left > 0 {
		counts += " · about " + took(max((l.Typical*time.Duration(l.Left)).Round(roughly), roughly)) + " to go"
	}
	lines := []term.Cell{
		{Text: "  " + strings.Join(facts, " · "), Style: term.PlainStyle},
		{Text: "  " + counts, Style: term.PlainStyle},
	}
	if l.Stopping {
		lines = append(lines, term.Cell{Text: "  " + stoppingText, Style: term.Yellow})
	}
	if l.Tool != "" {
		lines = append(lines, term.Cell{Text: "  > " + l.Tool, Style: term.Faint})
	}
	return lines
}
