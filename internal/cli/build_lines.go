package cli

import (
	"fmt"
	"strings"
	"time"

	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
)

// A runReporter tells of a run, and of its end.
type runReporter interface {
	loop.Reporter
	finish(s loop.Summary)
}

// reporter gives the one that the output asks for: events as JSON, or lines for people.
func (c crew) reporter(env *Env) runReporter {
	if c.json {
		return jsonReporter{env}
	}
	if env.Terminal && !env.Paged && env.Getenv("TERM") != "dumb" {
		return newBlockReporter(env)
	}
	return &lineReporter{env: env}
}

// A jsonReporter prints one event a line.
type jsonReporter struct{ env *Env }

func (r jsonReporter) Report(e loop.Event) {
	text := e.JSON().Text()
	if r.env.Terminal {
		text = printable(text)
	}
	fmt.Fprintln(r.env.Out, text)
	r.env.flush()
}

func (jsonReporter) Progress(loop.Live) {}

func (jsonReporter) finish(loop.Summary) {}

// A lineReporter prints lines, each whole when it is printed.
type lineReporter struct {
	env      *Env
	stopping bool // it was told that the run is about to end
}

func (r *lineReporter) Report(e loop.Event) {
	for _, line := range eventLines(e) {
		r.print(line)
	}
}

// print writes cells one after the other.
func (r *lineReporter) print(cells []cell) {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(r.env.paint(printable(c.text), c.style))
	}
	fmt.Fprintln(r.env.Out, b.String())
	r.env.flush()
}

func (r *lineReporter) Progress(l loop.Live) {
	if l.Stopping && !r.stopping {
		r.stopping = true
		r.print([]cell{{"  " + stoppingText, yellow}})
	}
}

const stoppingText = "stopping after this iteration; press Ctrl-C again to stop now"

func (r *lineReporter) finish(s loop.Summary) {
	for _, line := range summaryLines(s) {
		r.print(line)
	}
}

// flush shows what was printed now, not at the end of the command.
func (e *Env) flush() {
	if out, ok := e.Out.(interface{ Flush() error }); ok {
		out.Flush() //nolint:errcheck // Main meets the same error at the end
	}
}

// eventLines says what happened.
func eventLines(e loop.Event) [][]cell {
	switch e.Kind {
	case loop.RunBegan:
		return [][]cell{{{"run " + e.Run + " with " + e.Agent, faint}}}
	case loop.IterationBegan:
		what := strings.TrimRight(" "+e.ID+" "+firstLineOf(e.Name), " ")
		return [][]cell{{{fmt.Sprintf("%d ", e.Iteration), faint}, {string(e.Stage), strong}, {what, plainStyle}}}
	case loop.IterationEnded:
		return outcomeLines(e)
	case loop.Waiting:
		return [][]cell{{{fmt.Sprintf("  waiting until %s: %s", e.Until.Format(time.TimeOnly), e.Text), yellow}}}
	case loop.Warned:
		return [][]cell{{{"  warning: " + e.Text, yellow}}}
	case loop.Pushed:
		return [][]cell{{{"  pushed " + e.Text, faint}}}
	}
	return nil
}

// outcomeLines say what an iteration changed, a line a record, and what it took.
func outcomeLines(e loop.Event) [][]cell {
	var lines [][]cell
	for _, s := range e.Steps {
		text := eventText(plan.Event{Name: s.What, ID: s.ID, Title: s.Name})
		lines = append(lines, []cell{{"  ", plainStyle}, {text, styleOf(s.What)}})
	}
	var facts []string
	if e.Commits > 0 {
		facts = append(facts, plural(e.Commits, "commit"))
	}
	facts = append(facts, took(e.Took))
	if e.Tokens > 0 {
		facts = append(facts, shortCount(e.Tokens)+" tokens")
	}
	if e.Cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", e.Cost))
	}
	said := string(e.Result)
	if e.Text != "" {
		said += ": " + onOneLine(e.Text)
	}
	look := red
	if e.Result == loop.ResultBlocked {
		look = yellow
	}
	if e.Result == loop.ResultProgress && e.Text == "" {
		return append(lines, []cell{{"  " + strings.Join(facts, " · "), faint}})
	}
	return append(lines, []cell{{"  " + said, look}, {" · " + strings.Join(facts, " · "), faint}})
}

func styleOf(what plan.EventName) style {
	switch what {
	case plan.EventDone, plan.EventAccepted, plan.EventIssueDone:
		return green
	case plan.EventRejected, plan.EventKilled:
		return red
	}
	return plainStyle
}

// summaryLines say what a run came to, and where to look further.
func summaryLines(s loop.Summary) [][]cell {
	end := string(s.Why)
	if s.Text != "" {
		end += ": " + firstLineOf(s.Text) // git's words take many; all of them are on standard error
	}
	look := yellow
	if s.Why == loop.Complete || s.Why == loop.Reached {
		look = green
	}
	lines := [][]cell{{{end, look}}}
	if s.Iterations == 0 {
		return lines
	}
	facts := []string{
		plural(s.Iterations, "iteration"), fmt.Sprintf("%d done, %d accepted, %d rejected, %d killed", s.Done, s.Accepted, s.Rejected, s.Killed),
		plural(s.Commits, "commit"), took(s.Took),
	}
	if s.Tokens > 0 {
		facts = append(facts, shortCount(s.Tokens)+" tokens")
	}
	if s.Cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", s.Cost))
	}
	lines = append(lines, []cell{{strings.Join(facts, " · "), plainStyle}})
	if len(s.LeftOver) > 0 {
		lines = append(lines, []cell{{"left uncommitted: " + shortList(s.LeftOver), yellow}})
	}
	return append(lines, []cell{{"`git ralph log` shows what became of the tasks, `git ralph logs` what the agents printed", faint}})
}

const maxListed = 8

func shortList(list []string) string {
	if len(list) <= maxListed {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:maxListed], ", "), len(list)-maxListed)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// took says how long something took, to the second; shorter ones to the tenth.
func took(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// shortCount says a large number with three digits at most.
func shortCount(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// maxSaid is how much is told of why an iteration went as it did, in characters. The journal has all of it.
const maxSaid = 500

// onOneLine puts the lines of a text behind one another.
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
	if runes := []rune(b.String()); len(runes) > maxSaid {
		return string(runes[:maxSaid-1]) + "…"
	}
	return b.String()
}
