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

// A liveReporter prints lines as a lineReporter does, and below them a live view of the agent's progress.
type liveReporter struct {
	lineReporter
	liveView
}

func newLiveReporter(env *term.Env) *liveReporter {
	return &liveReporter{lineReporter{env: env}, liveView{env: env}}
}

func (r *liveReporter) Report(e loop.Event) {
	r.erase()
	r.lineReporter.Report(e)
}

func (r *liveReporter) finish(s loop.Summary) {
	r.erase()
	r.lineReporter.finish(s)
}

func (r *liveReporter) Progress(l loop.Live) {
	r.draw(func(now time.Time) []term.Cell { return liveLines(l, now) })
}

// A liveView is the last lines on the screen, which are redrawn again and again. Before anything else is printed it is erased.
type liveView struct {
	env   *term.Env
	drawn []int     // the widths of its lines on the screen, in columns
	at    time.Time // when it was drawn
}

// minDrawInterval is the least time between two drawings. A slow connection to the terminal has to keep up.
const minDrawInterval = 200 * time.Millisecond

func (r *liveView) draw(lines func(now time.Time) []term.Cell) {
	now := r.env.Now()
	if len(r.drawn) > 0 && now.Sub(r.at) < minDrawInterval {
		return
	}
	r.erase()
	r.at = now
	width := r.env.CurrentWidth()
	var b strings.Builder
	for _, c := range lines(now) {
		text := displaywidth.TruncateString(term.Printable(c.Text), max(width-1, 1), "…")
		b.WriteString(r.env.Paint(text, c.Style) + "\n")
		r.drawn = append(r.drawn, displaywidth.String(text))
	}
	io.WriteString(r.env.Out, b.String())
	r.env.Flush()
}

// erase erases the live view. A terminal that became narrower has wrapped its lines.
func (r *liveView) erase() {
	rows, width := 0, max(r.env.CurrentWidth(), 1)
	for _, w := range r.drawn {
		rows += max(1, (w+width-1)/width)
	}
	if rows > 0 {
		fmt.Fprintf(r.env.Out, "\r\x1b[%dA\x1b[J", rows) // \r: a ^C may be shown before the cursor
	}
	r.drawn = nil
}

// estimateUnit is what the estimate of the remaining time is rounded to.
const estimateUnit = 10 * time.Second

// liveLines returns the lines of the live view.
func liveLines(l loop.Live, now time.Time) []term.Cell {
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
		counts += " · about " + took(max((l.Typical*time.Duration(l.Left)).Round(estimateUnit), estimateUnit)) + " to go"
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
