package runcmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/changes"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/iteration"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
)

// A runReporter reports a run and its end.
type runReporter interface {
	loop.Reporter
	finish(s loop.Summary)
}

// reporter returns the reporter for the output: events as JSON, or lines for people.
func (c runner) reporter(env *term.Env) runReporter {
	if c.json {
		return jsonReporter{env}
	}
	if env.Terminal && !env.Paged && env.Getenv("TERM") != "dumb" {
		return newLiveReporter(env)
	}
	return &lineReporter{env: env}
}

// A jsonReporter prints one event on each line.
type jsonReporter struct{ env *term.Env }

func (r jsonReporter) Report(e loop.Event) { r.print(e.JSON().Text()) }

func (r jsonReporter) print(text string) {
	if r.env.Terminal {
		text = term.Printable(text)
	}
	fmt.Fprintln(r.env.Out, text)
	r.env.Flush()
}

func (jsonReporter) Progress(loop.Live) {}

func (jsonReporter) finish(loop.Summary) {}

// A lineReporter prints lines, each whole when it is printed.
type lineReporter struct {
	env      *term.Env
	stopping bool // the end of the run was announced
}

func (r *lineReporter) Report(e loop.Event) {
	for _, line := range eventLines(e) {
		r.print(line)
	}
}

// print writes cells one after the other.
func (r *lineReporter) print(cells []term.Cell) {
	r.env.PrintCells(cells...)
	r.env.Flush()
}

func (r *lineReporter) Progress(l loop.Live) {
	if l.Stopping && !r.stopping {
		r.stopping = true
		r.print([]term.Cell{{Text: "  " + stoppingText, Style: term.Yellow}})
	}
}

const stoppingText = "stopping after this iteration; press Ctrl-C again to stop now"

func (r *lineReporter) finish(s loop.Summary) {
	for _, line := range summaryLines(s) {
		r.print(line)
	}
}

// eventLines returns the lines of an event.
func eventLines(e loop.Event) [][]term.Cell {
	switch e.Kind {
	case loop.RunBegan:
		return [][]term.Cell{{{Text: "run " + e.Run + " with " + e.Agent, Style: term.Faint}}}
	case loop.IterationBegan:
		what := strings.TrimRight(" "+e.ID+" "+term.FirstLineOf(e.Name), " ")
		return [][]term.Cell{{{Text: fmt.Sprintf("%d ", e.Iteration), Style: term.Faint}, {Text: string(e.Stage), Style: term.Strong}, {Text: what, Style: term.PlainStyle}}}
	case loop.IterationEnded:
		return outcomeLines(e)
	case loop.Waiting:
		return [][]term.Cell{{{Text: fmt.Sprintf("  waiting until %s: %s", e.Until.Format(time.TimeOnly), e.Text), Style: term.Yellow}}}
	case loop.Warned:
		return textLines("  warning: "+e.Text, term.Yellow)
	case loop.Pushed:
		return [][]term.Cell{{{Text: "  pushed " + e.Text, Style: term.Faint}}}
	}
	return workLines(e)
}

// outcomeLines returns what an iteration changed, one line for each record, and how long it took and what it cost.
func outcomeLines(e loop.Event) [][]term.Cell {
	var lines [][]term.Cell
	for _, s := range e.Steps {
		lines = append(lines, []term.Cell{{Text: "  ", Style: term.PlainStyle}, {Text: planio.EventText(s), Style: styleOf(s.Name)}})
	}
	var facts []string
	if e.Commits > 0 {
		facts = append(facts, term.Plural(e.Commits, "commit"))
	}
	facts = append(facts, took(e.Took))
	if e.Tokens > 0 {
		facts = append(facts, shortCount(e.Tokens)+" tokens")
	}
	if e.Cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", e.Cost))
	}
	result := string(e.Result)
	if e.Text != "" {
		result += ": " + onOneLine(e.Text)
	}
	look := term.Red
	if e.Result == iteration.Blocked {
		look = term.Yellow
	}
	if e.Result == iteration.Progress && e.Text == "" {
		return append(lines, []term.Cell{{Text: "  " + strings.Join(facts, " · "), Style: term.Faint}})
	}
	return append(lines, []term.Cell{{Text: "  " + result, Style: look}, {Text: " · " + strings.Join(facts, " · "), Style: term.Faint}})
}

func styleOf(what plan.EventName) term.Style {
	switch what {
	case plan.EventDone, plan.EventAccepted, plan.EventIssueDone:
		return term.Green
	case plan.EventRejected, plan.EventKilled:
		return term.Red
	}
	return term.PlainStyle
}

// summaryLines returns how a run ended, its totals, and which commands show more.
func summaryLines(s loop.Summary) [][]term.Cell {
	end := string(s.Why)
	if s.Text != "" {
		end += ": " + term.FirstLineOf(s.Text) // git's messages have several; standard error has all of them
	}
	look := term.Yellow
	if s.Why == loop.Complete || s.Why == loop.Reached {
		look = term.Green
	}
	lines := [][]term.Cell{{{Text: end, Style: look}}}
	if s.Iterations == 0 {
		return lines
	}
	facts := []string{
		term.Plural(s.Iterations, "iteration"), fmt.Sprintf("%d done, %d accepted, %d rejected, %d killed", s.Done, s.Accepted, s.Rejected, s.Killed),
		term.Plural(s.Commits, "commit"), took(s.Took),
	}
	if s.Tokens > 0 {
		facts = append(facts, shortCount(s.Tokens)+" tokens")
	}
	if s.Cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", s.Cost))
	}
	lines = append(lines, []term.Cell{{Text: strings.Join(facts, " · "), Style: term.PlainStyle}})
	lines = append(lines, uncommittedLines(s.Left)...)
	return append(lines, []term.Cell{{Text: "`git ralph log` shows the history of the tasks, `git ralph logs` the output of the agents", Style: term.Faint}})
}

// uncommittedLines lists what is uncommitted when a run ends, one line for each origin.
func uncommittedLines(left changes.Uncommitted) [][]term.Cell {
	ofRun := slices.DeleteFunc(slices.Clone(left.Run), func(path string) bool { return slices.Contains(left.Yours, path) })
	var lines [][]term.Cell
	for _, list := range [...]struct {
		what  string
		paths []string
	}{
		{"left uncommitted", ofRun},
		{"yours, changed in this run and not committed", left.Yours},
		{"left uncommitted by an earlier run", left.Earlier},
	} {
		if len(list.paths) > 0 {
			lines = append(lines, []term.Cell{{Text: list.what + ": " + changes.Listed(list.paths), Style: term.Yellow}})
		}
	}
	return lines
}

// took returns a duration as text, to the second; below ten seconds to the tenth.
func took(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// shortCount returns a number as text, in thousands or millions where it is large.
func shortCount(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// maxReason is how much is printed of the reason for an outcome, in characters. The journal has all of it.
const maxReason = 500

// onOneLine joins the lines of a text.
func onOneLine(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case strings.HasSuffix(b.String(), ":"):
			b.WriteString(" ")
		case b.Len() > 0:
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	if runes := []rune(b.String()); len(runes) > maxReason {
		return string(runes[:maxReason-1]) + "…"
	}
	return b.String()
}
