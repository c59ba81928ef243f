package runcmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/iteration"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/team"
	"git-ralph/internal/work"
)

// A teamReporter shows a team's run: events as lines or as JSON and, on a terminal, a live view with a line for each worker below them.
type teamReporter struct {
	env  *term.Env
	json bool
	live bool
	view liveView
}

func newTeamReporter(env *term.Env, json bool) *teamReporter {
	live := !json && env.Terminal && !env.Paged && env.Getenv("TERM") != "dumb"
	return &teamReporter{env: env, json: json, live: live, view: liveView{env: env}}
}

func (r *teamReporter) Report(e team.Event) {
	if r.json {
		jsonReporter{r.env}.print(e.JSON().Text())
		return
	}
	r.view.erase()
	for _, line := range teamEventLines(e) {
		r.env.PrintCells(line...)
	}
	r.env.Flush()
}

func (r *teamReporter) Progress(l team.Live) {
	if r.live {
		r.view.draw(func(now time.Time) []term.Cell { return teamLines(l, now) })
	}
}

// finish prints the summary.
func (r *teamReporter) finish(s team.Summary, report string) {
	if r.json {
		return
	}
	r.view.erase()
	for _, line := range summaryLines(s.Summary)[:min(2, len(summaryLines(s.Summary)))] {
		r.env.PrintCells(line...)
	}
	workersTable(s).Write(r.env)
	if report != "" {
		r.env.PrintCells(term.Cell{Text: "the tasks one by one: " + report, Style: term.Faint})
	}
	r.env.Flush()
}

// workersTable lists the workers with what they did.
func workersTable(s team.Summary) *term.Table {
	var t term.Table
	for _, w := range s.Workers {
		facts := append([]string{term.Plural(w.Iterations, "iteration"), took(w.Took)}, usage(w.Tokens, w.Cost)...)
		t.Add(term.Cell{Text: "  " + w.Name}, term.Cell{Text: term.Plural(w.Finished, "task") + " finished"}, term.Cell{Text: strings.Join(facts, " · ")})
	}
	return &t
}

// teamEventLines says what happened.
func teamEventLines(e team.Event) [][]term.Cell {
	who := term.Cell{Text: fmt.Sprintf("%-13s ", e.Worker), Style: term.Faint}
	line := func(text string, look term.Style) [][]term.Cell {
		return [][]term.Cell{{who, {Text: text, Style: look}}}
	}
	task := strings.TrimSpace(e.ID + " " + term.FirstLineOf(e.Event.Name))
	switch e.Kind {
	case loop.RunBegan:
		if e.Worker == "" {
			return [][]term.Cell{{{Text: "run " + e.Run, Style: term.Faint}}}
		}
	case team.Planned:
		return stepLines(term.Cell{}, e.Steps)
	case team.RosterGrown:
		return [][]term.Cell{{{Text: "roster " + e.Text, Style: term.Faint}}}
	case work.Claimed:
		return line(task, term.PlainStyle)
	case loop.IterationBegan:
		if e.ID == "" {
			return line(string(e.Stage), term.PlainStyle)
		}
	case loop.IterationEnded:
		return teamOutcomeLines(who, e)
	case work.Released:
		return line("gives up "+e.ID+": "+onOneLine(e.Text), term.Yellow)
	case work.Landed:
		if e.ID != "" { // else it is only a change of the plan
			return line("landed "+task, term.Green)
		}
	case work.Unlanded:
		return behind(who, textLines(strings.TrimSpace("not landed "+task)+": "+e.Text, term.Yellow))
	case work.Kept:
		return line(onOneLine(e.Text), term.Yellow)
	case team.WorkerEnded:
		return line(string(e.Why)+": "+onOneLine(e.Text), term.Red)
	case loop.Waiting:
		return line(fmt.Sprintf("waiting until %s: %s", e.Until.Format(time.TimeOnly), e.Text), term.Yellow)
	case loop.Warned:
		return behind(who, textLines("warning: "+e.Text, term.Yellow))
	}
	return nil
}

// behind returns lines with the same cell before each.
func behind(who term.Cell, lines [][]term.Cell) [][]term.Cell {
	for i := range lines {
		lines[i] = append([]term.Cell{who}, lines[i]...)
	}
	return lines
}

// stepLines say what happened in the plan.
func stepLines(who term.Cell, steps []plan.Event) (lines [][]term.Cell) {
	for _, s := range steps {
		lines = append(lines, []term.Cell{who, {Text: planio.EventText(s), Style: styleOf(s.Name)}})
	}
	return lines
}

// teamOutcomeLines say what an iteration of a worker changed.
func teamOutcomeLines(who term.Cell, e team.Event) [][]term.Cell {
	lines := stepLines(who, e.Steps)
	if e.Result == iteration.Progress && e.Text == "" {
		return lines
	}
	look := term.Red
	if e.Result == iteration.Blocked {
		look = term.Yellow
	}
	return append(lines, []term.Cell{who, {Text: strings.TrimSuffix(string(e.Result)+": "+onOneLine(e.Text), ": "), Style: look}})
}

// teamLines say how a team gets on: a line for each worker, and one for what there is to do.
func teamLines(l team.Live, now time.Time) []term.Cell {
	rows := make([][3]string, len(l.Workers))
	var widths [2]int
	for i, w := range l.Workers {
		rows[i] = workerRow(w, now)
		for k := range widths {
			widths[k] = max(widths[k], displaywidth.String(term.Printable(rows[i][k])))
		}
	}
	var lines []term.Cell
	for i, row := range rows {
		text := "  "
		for k, width := range widths {
			cell := term.Printable(row[k])
			text += cell + strings.Repeat(" ", width-displaywidth.String(cell)+len(term.Gap))
		}
		look := term.Faint
		if l.Workers[i].State == team.Working {
			look = term.PlainStyle
		}
		lines = append(lines, term.Cell{Text: strings.TrimRight(text+row[2], " "), Style: look})
	}
	lines = append(lines, term.Cell{Text: "  " + strings.Join(queueFacts(l), " · "), Style: term.PlainStyle})
	if l.Stopping {
		lines = append(lines, term.Cell{Text: "  stopping after the iterations under way; press Ctrl-C again to stop now", Style: term.Yellow})
	}
	return lines
}

// taskWidth is how much of a task's name a line shows.
const taskWidth = 30

// workerRow returns name, work and figures of a worker.
func workerRow(w team.WorkerLive, now time.Time) [3]string {
	if w.State != team.Working {
		return [3]string{w.Name, w.State, strings.Join(usage(w.Tokens, w.Cost), " · ")}
	}
	what := strings.TrimSpace(string(w.Stage) + " " + w.ID + " " + term.FirstLineOf(w.Task))
	facts := append([]string{took(now.Sub(w.Began))}, usage(w.Tokens, w.Cost)...)
	if w.Tool != "" {
		facts = append(facts, "> "+w.Tool)
	}
	return [3]string{w.Name, displaywidth.TruncateString(what, taskWidth, "…"), strings.Join(facts, " · ")}
}

func usage(tokens int, cost float64) []string {
	var facts []string
	if tokens > 0 {
		facts = append(facts, shortCount(tokens)+" tokens")
	}
	if cost > 0 {
		facts = append(facts, fmt.Sprintf("$%.2f", cost))
	}
	return facts
}

// queueFacts say how much is done, and how much is left.
func queueFacts(l team.Live) []string {
	b := l.Board
	facts := []string{
		fmt.Sprintf("%d to do, %d of them ready", b.Pending, b.Ready), fmt.Sprintf("%d waiting to land", b.Landing),
		fmt.Sprintf("%d landed, %d returned, %d rejected, %d accepted", l.Summary.Landed, l.Summary.Returned, l.Summary.Rejected, l.Summary.Accepted),
	}
	if l.Left > 0 {
		facts = append(facts, "about "+took(max(l.Left.Round(estimateUnit), estimateUnit))+" to go")
	}
	return facts
}
