package board

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/view"
)

// A taskPane is all about the task that is selected.
type taskPane struct {
	id   string     // of the task that was read; "" before
	of   *view.Data // that it was read of
	task *view.Task // nil where nothing is known of it
	busy bool       // one is being read
	top  int        // the first line on the screen

	lines [][]span // nil: to be made
	made  taskLook // for which they were made
}

// taskLook is what the lines of a task depend on besides the task.
type taskLook struct {
	card   *view.Card
	width  int
	method ansi.Method
	accent style // of the palette
}

// drawTask draws a line of the pane.
func (m *model) drawTask(r *row, l layout, y int) {
	end := l.task.x + l.task.width
	lines := m.taskLines(l.task.width)
	more := ""
	if below := len(lines) - m.task.top - l.task.height; below > 0 && y == l.task.height-1 {
		more = fmt.Sprintf(" ↓ %d more", below)
	}
	right := end - 1 - m.method.StringWidth(more)
	if at := m.task.top + y; at < len(lines) {
		r.skip(1)
		for _, s := range lines[at] {
			r.add(s.text, right-r.used, s.style)
		}
	}
	r.to(right)
	r.add(more, end-r.used, m.colours.faint)
	r.to(end)
}

// taskLines returns the lines of the pane. Until all about the task was read, they are made of its card.
func (m *model) taskLines(width int) [][]span {
	card := m.card()
	look := taskLook{card, width, m.method, m.colours.accent}
	if m.task.lines != nil && m.task.made == look {
		return m.task.lines
	}
	w := &taskWriter{m: m, width: width - 2}
	switch {
	case card == nil:
	case m.task.id == card.ID() && m.task.task != nil:
		w.task(m.task.task)
	default:
		w.card(card)
		w.fields(card, plan.FieldsOf(*card.Record))
	}
	m.task.lines, m.task.made = w.lines, look
	if w.lines == nil {
		m.task.lines = [][]span{}
	}
	return m.task.lines
}

// A taskWriter writes the lines of a task.
type taskWriter struct {
	m     *model
	width int
	lines [][]span
}

func (w *taskWriter) write(indent int, spans ...span) {
	w.lines = append(w.lines, wrap(w.m.method, w.width, indent, spans...)...)
}

// writeWhole writes spans each of which stays on one line.
func (w *taskWriter) writeWhole(indent int, spans ...span) {
	const noBreak = "\u00a0"
	for i, s := range spans {
		if text := strings.TrimSpace(s.text); strings.Contains(text, " ") {
			spans[i].text = strings.ReplaceAll(text, " ", noBreak)
		}
	}
	from := len(w.lines)
	w.write(indent, spans...)
	for _, line := range w.lines[from:] {
		for i := range line {
			line[i].text = strings.ReplaceAll(line[i].text, noBreak, " ")
		}
	}
}

func (w *taskWriter) heading(text string) {
	w.lines = append(w.lines, nil, []span{{text, strong.and(w.m.colours.accent)}})
}

// task writes all about a task.
func (w *taskWriter) task(t *view.Task) {
	w.card(&t.Card)
	w.claim(t)
	w.fields(&t.Card, t.Fields)
	w.runs(t)
	w.history(t)
}

// card writes what its card says.
func (w *taskWriter) card(c *view.Card) {
	p := w.m.colours
	w.write(0, span{nameOf(c), strong})
	facts := []span{{c.Status.Sign() + " " + string(c.Status), p.status[c.Status]}}
	fact := func(text string, s style) { facts = append(facts, span{" · ", p.faint}, span{text, s}) }
	fact(c.ID(), p.faint)
	if c.Kind() != plan.KindTask {
		fact(string(c.Kind()), p.faint)
	}
	if c.State != "" {
		fact(c.State, p.warn)
	}
	if sign, look := p.prioritySymbol(c.Priority()); sign != "" {
		fact(sign+" "+c.Priority(), look)
	}
	if c.Item != "" && c.Item != c.ID() {
		fact(c.Item, p.faint)
	}
	if c.NoAgent {
		fact("for a person", p.faint)
	}
	w.writeWhole(2, facts...)
	if c.Conflict {
		w.write(2, span{"! a merge left a conflict: r settles it", p.bad})
		w.conflicts(c)
	}
	if c.Person && !c.Conflict {
		text := "! it waits for a person"
		if c.Approval {
			text += ": y approves its plan, x rejects it"
		}
		w.write(2, span{text, p.warn})
	}
}

// conflicts writes the values between which a merge could not decide.
func (w *taskWriter) conflicts(c *view.Card) {
	for _, one := range c.Conflicts() {
		texts := []string{"one side removed it, the other one changed it"}
		if one.Field != plan.Removed {
			texts = nil
			for _, v := range one.Candidates {
				texts = append(texts, candidateText(v))
			}
		}
		w.write(2, span{one.Field + "  ", w.m.colours.bad}, span{strings.Join(texts, " | "), plain})
	}
}

// candidateText returns one of the values between which a merge could not decide, as people read it.
func candidateText(v jsonl.Value) string {
	if v == "null" {
		return "nothing"
	}
	return valueText(v)
}

// claim writes who works on a task.
func (w *taskWriter) claim(t *view.Task) {
	if t.Holder == "" {
		return
	}
	text := "claimed by " + t.Holder
	if t.Own {
		text += " (you)"
	}
	if ago := w.m.ago(t.Since); ago != "" {
		text += ", " + ago + " ago"
	}
	if t.Landing {
		text += ", and waits to land"
	}
	if t.Claim != nil && t.Claim.Claim.Branch != "" {
		text += ", on " + strings.TrimPrefix(t.Claim.Claim.Branch, "refs/heads/")
	}
	w.write(2, span{text, w.m.colours.status[view.Claimed]})
	if t.Claim != nil && t.Claim.Claim.Feedback != "" {
		w.write(2, span{"returned: ", w.m.colours.bad}, span{t.Claim.Claim.Feedback, plain})
	}
}

// fields writes the fields of a record that its card does not say.
func (w *taskWriter) fields(c *view.Card, all []jsonl.Member) {
	said := []string{"t", "id", "name", "s", "created_at", "done_at", "attempt", "priority", "conflict", "deps", "blocked_by", "state", "number"}
	for _, f := range all {
		if slices.Contains(said, f.Name) || f.Name == "desc" && nameOf(c) == c.Text("desc") {
			continue
		}
		text := readable(f.Value)
		if f.Name == "spec" && text == w.m.shown().Plan.Spec() {
			continue
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		look := w.m.colours.faint
		if f.Name == "reject" || f.Name == "kill" {
			look = w.m.colours.bad
		}
		if plan.IsProse(f.Name) && len(text) > 60 {
			w.lines = append(w.lines, nil)
			w.write(0, span{f.Name, look})
			w.write(0, span{text, plain})
			continue
		}
		w.write(2, span{f.Name + "  ", look}, span{text, plain})
	}
}

// readable returns a value as people read it. Of an object, such as the recorded conflicts, it lists the members, and lists in them as alternatives.
func readable(v jsonl.Value) string {
	var parts []string
	for _, member := range v.Object().Members() {
		text := valueText(member.Value)
		if all, ok := member.Value.Elements(); ok {
			texts := []string{}
			for _, one := range all {
				texts = append(texts, candidateText(one))
			}
			text = strings.Join(texts, " | ")
		}
		parts = append(parts, member.Name+": "+text)
	}
	if parts == nil {
		return valueText(v)
	}
	return strings.Join(parts, ", ")
}

// valueText returns a value as people read it.
func valueText(v jsonl.Value) string {
	if text, ok := v.Str(); ok {
		return text
	}
	if list, ok := v.Strings(); ok {
		return strings.Join(list, ", ")
	}
	return string(v)
}

// runs writes which agents worked on a task.
func (w *taskWriter) runs(t *view.Task) {
	if len(t.Iterations) == 0 {
		return
	}
	w.heading("Agents")
	for _, i := range slices.Backward(t.Iterations) {
		result := i.Result
		if result == "" {
			result = "under way"
		}
		parts := []string{}
		if i.Worker != "" {
			parts = append(parts, i.Worker)
		}
		if i.Took > 0 {
			parts = append(parts, durationText(i.Took))
		}
		if i.Tokens > 0 {
			parts = append(parts, fmt.Sprintf("%d tokens", i.Tokens))
		}
		if i.Cost > 0 {
			parts = append(parts, fmt.Sprintf("$%.2f", i.Cost))
		}
		w.write(2, span{w.m.dateText(i.Began) + "  ", w.m.colours.faint}, span{i.Stage + " " + result + "  ", plain}, span{strings.Join(parts, ", "), w.m.colours.faint})
	}
	if u := t.Usage; u.Iterations > 1 {
		w.write(2, span{fmt.Sprintf("%d iterations, %s, %d tokens, $%.2f", u.Iterations, durationText(u.Took), u.Tokens, u.Cost), w.m.colours.faint})
	}
}

// history writes what happened to a task, the newest first.
func (w *taskWriter) history(t *view.Task) {
	w.heading("History")
	if len(t.Events) == 0 {
		text := "nothing is recorded yet"
		if w.m.shown().History == nil {
			text = "is being read…"
		}
		w.write(0, span{text, w.m.colours.faint})
	}
	for _, e := range slices.Backward(t.Events) {
		w.event(e)
	}
}

func (w *taskWriter) event(e view.Event) {
	p := w.m.colours
	by, _, _ := strings.Cut(e.Author, "@")
	spans := []span{{w.m.dateText(e.Date) + "  ", p.faint}, {e.Word(), w.eventStyle(e.Event)}, {"  " + by, p.faint}}
	if e.Branch != "" {
		spans = append(spans, span{" on " + e.Branch, p.faint})
	}
	w.write(2, spans...)
	if e.Successor != "" {
		w.write(4, span{"    superseded by " + e.Successor, p.faint})
	}
	if e.Reason != "" && !slices.ContainsFunc(e.Fields, func(f plandiff.Field) bool { return valueText(f.After) == e.Reason }) {
		w.write(4, span{"    ", plain}, span{e.Reason, plain})
	}
	for _, f := range e.Fields {
		w.change(f)
	}
	for _, receipt := range e.Receipts {
		w.write(4, span{"    " + receipt.Summary(), p.good})
	}
}

// change writes what became of a field: of prose, the words that were deleted and inserted.
func (w *taskWriter) change(f plandiff.Field) {
	p := w.m.colours
	spans := []span{{"    " + f.Name + "  ", p.faint}}
	switch {
	case f.Words != nil:
		for _, s := range f.Words {
			spans = append(spans, span{s.Text, map[plandiff.Op]style{plandiff.Insert: p.inserted, plandiff.Delete: p.deleted}[s.Op]})
		}
	case f.List != nil:
		for _, text := range f.List.Removed {
			spans = append(spans, span{"-" + text, p.deleted}, span{" ", plain})
		}
		for _, text := range f.List.Added {
			spans = append(spans, span{"+" + text, p.inserted}, span{" ", plain})
		}
	default:
		if f.Before != "" {
			spans = append(spans, span{readable(f.Before), p.deleted})
		}
		if f.After != "" {
			spans = append(spans, span{" ", plain}, span{readable(f.After), p.inserted})
		}
	}
	w.write(4, spans...)
}

func (w *taskWriter) eventStyle(e *fold.Event) style {
	p := w.m.colours
	switch e.Name {
	case plan.EventDone:
		return p.status[view.Done]
	case plan.EventAccepted, plan.EventIssueDone:
		return p.good
	case plan.EventRejected, plan.EventKilled:
		return p.bad
	case plan.EventCancelled, plan.EventReopened:
		return p.warn
	}
	return plain
}

// dateText returns a time: of today the clock, of this year day and clock.
func (m *model) dateText(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	now := m.data.Moment
	t = t.In(now.Location())
	switch {
	case t.Format("2006-01-02") == now.Format("2006-01-02"):
		return t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("01-02 15:04")
	}
	return t.Format("2006-01-02")
}
