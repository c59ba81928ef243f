package planprint

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// counts holds the number of records of each sort.
type counts struct{ Pending, Blocked, Done, Others, Issues, Tombstones, Conflicts int }

// Counts counts the records of each sort.
func (s State) Counts() counts {
	n := counts{
		Done: len(s.Done()), Others: len(s.Others()), Issues: len(s.Issues()),
		Tombstones: len(s.Plan.Of(plan.KindReject)), Conflicts: len(s.Conflicts()),
	}
	for _, task := range s.Pending() {
		n.Pending++
		if len(s.BlockedBy(task)) > 0 {
			n.Blocked++
		}
	}
	return n
}

// ShowStatus prints the spec, the stage, what is next and the counts, for people.
func (s State) ShowStatus(env *term.Env) {
	n, next := s.Counts(), s.Next()
	var t term.Table
	add := func(title, text string, look term.Style) {
		t.Add(term.Cell{Text: title, Style: term.Faint}, term.Cell{Text: text, Style: look})
	}
	spec := s.Plan.Spec()
	if spec == "" {
		spec = "none: set one with `git ralph set-spec FILE`"
	}
	add("spec", spec, term.PlainStyle)
	if s.Unplanned != "" {
		add("stage", string(next.Action)+": "+NotPlannedText(s.Unplanned), term.Strong)
		add("next", PlanCommand(s.Unplanned), term.PlainStyle)
	} else {
		add("stage", string(next.Action), term.Strong)
		add("next", NextText(next), term.PlainStyle)
	}
	add("tasks", n.tasks(), term.PlainStyle)
	if claims := s.ClaimsText(); claims != "" {
		add("claims", claims, term.PlainStyle)
	}
	if n.Issues > 0 {
		add("issues", fmt.Sprint(n.Issues), term.PlainStyle)
	}
	if n.Conflicts > 0 {
		add("conflicts", fmt.Sprintf("%d, see `git ralph query conflicts`", n.Conflicts), term.Yellow)
	}
	t.Write(env)
}

func (n counts) tasks() string {
	text := fmt.Sprintf("%d pending", n.Pending)
	if n.Blocked > 0 {
		text += fmt.Sprintf(" (%d blocked)", n.Blocked)
	}
	text += fmt.Sprintf(", %d done", n.Done)
	if n.Others > 0 {
		text += fmt.Sprintf(", %d in an unknown state", n.Others)
	}
	return text
}

// NextText returns what is next, on one line.
func NextText(next schedule.Next) string {
	switch {
	case next.Item != nil:
		return next.Item.ID() + " " + next.Item.Name()
	case len(next.Items) == 1:
		return "accept or reject " + next.Items[0].ID() + " " + next.Items[0].Name()
	case len(next.Items) > 1:
		return fmt.Sprintf("accept or reject %d done tasks", len(next.Items))
	case len(next.Stalled) > 0:
		first := firstCause(next.Stalled)
		if at := slices.IndexFunc(next.Stalled, func(stall schedule.Stall) bool { return stall.Claimed }); at >= 0 {
			return fmt.Sprintf("nothing: every task waits or is claimed, such as %s", next.Stalled[at].ID)
		}
		if first.NoAgent && len(first.BlockedBy) == 0 {
			return fmt.Sprintf("nothing for an agent: landing finishes %s", first.ID)
		}
		return fmt.Sprintf("nothing: every task waits, %s for %s", first.ID, strings.Join(first.BlockedBy, ", "))
	case next.Action == schedule.Plan:
		return "plan the work of a spec"
	}
	return "nothing is left"
}

// firstCause returns the first stalled task that waits for none of the others, which it may hold up; without one, the first of all.
func firstCause(stalled []schedule.Stall) schedule.Stall {
	ids := make(map[string]bool, len(stalled))
	for _, stall := range stalled {
		ids[stall.ID] = true
	}
	for _, stall := range stalled {
		if !slices.ContainsFunc(stall.BlockedBy, func(id string) bool { return ids[id] }) {
			return stall
		}
	}
	return stalled[0]
}

// ShowAllTasks is ShowTasks for every task.
func (s State) ShowAllTasks(env *term.Env) { s.ShowTasks(env, s.Tasks()) }

// ShowStage prints the stage, one word.
func (s State) ShowStage(env *term.Env) { io.WriteString(env.Out, string(s.Stage())+"\n") }

// PrintStage prints {"stage"}.
func PrintStage(env *term.Env, s State) {
	env.WriteJSON(func(w term.Sink) {
		o := term.Object{Sink: w}
		o.Str("stage", string(s.Stage()))
		o.End()
	})
}

// ShowNext prints the stage and what is next, on one line.
func (s State) ShowNext(env *term.Env) {
	next := s.Next()
	text := NextText(next)
	if s.Unplanned != "" {
		text = NotPlannedText(s.Unplanned) + "; next: " + PlanCommand(s.Unplanned)
	}
	env.PrintWrapped(term.FieldIndent, term.Cell{Text: string(next.Action) + ": " + text})
}

// ShowConflicts prints a line for each record with a recorded conflict.
func (s State) ShowConflicts(env *term.Env) {
	var t term.Table
	for _, r := range s.Conflicts() {
		t.Add(term.Cell{Text: r.ID(), Style: term.Cyan}, term.Cell{Text: term.FirstLineOf(r.Name()), Style: term.PlainStyle})
	}
	t.Write(env)
	if len(t.Rows) == 0 {
		env.Hint("no recorded conflicts")
	}
}

// ShowTasks lists tasks for people: id, state, priority, labels, spec, claim, name.
func (s State) ShowTasks(env *term.Env, tasks []*plan.Record) {
	var t term.Table
	for _, r := range tasks {
		word, look := s.taskState(r)
		name := term.FirstLineOf(r.Name())
		t.Add(term.Cell{Text: r.ID(), Style: term.Cyan}, term.Cell{Text: word, Style: look}, term.Cell{Text: r.Text("priority"), Style: term.PlainStyle}, term.Cell{Text: strings.Join(r.Texts("labels"), ","), Style: term.Faint},
			term.Cell{Text: s.otherSpec(r), Style: term.Faint}, term.Cell{Text: s.claimText(r.ID()), Style: term.Cyan}, term.Cell{Text: name, Style: term.PlainStyle})
	}
	t.Write(env)
	if len(tasks) == 0 {
		env.Hint("no matching tasks")
	}
}

// taskState returns the state of a task, in a word or two, and its style.
func (s State) taskState(r *plan.Record) (string, term.Style) {
	waits := s.BlockedBy(r)
	switch {
	case r.Done():
		return "done", term.Green
	case !r.Pending():
		return "state " + cmp.Or(r.Text("s"), `""`), term.Faint
	case len(waits) > 2:
		return "waits for " + strings.Join(waits[:2], ", ") + " …", term.Faint
	case len(waits) > 0:
		return "waits for " + strings.Join(waits, ", "), term.Faint
	case !s.ForAgents(r):
		return "needs no agent", term.Faint
	case r.Has("kill"):
		return "killed", term.Red
	case r.Has("reject"):
		return "rejected", term.Yellow
	}
	return "ready", term.PlainStyle
}

// otherSpec returns the spec of a record where it is not the current one.
func (s State) otherSpec(r *plan.Record) string {
	if r.Spec() == s.Plan.Spec() {
		return ""
	}
	return r.Spec()
}

// ShowIssues lists the issues for people: id, priority, labels, spec, description.
func (s State) ShowIssues(env *term.Env) {
	var t term.Table
	for _, r := range s.Issues() {
		text := term.FirstLineOf(r.Name())
		t.Add(
			term.Cell{Text: r.ID(), Style: term.Cyan}, term.Cell{Text: r.Text("priority"), Style: term.PlainStyle}, term.Cell{Text: strings.Join(r.Texts("labels"), ","), Style: term.Faint},
			term.Cell{Text: s.otherSpec(r), Style: term.Faint}, term.Cell{Text: text, Style: term.PlainStyle},
		)
	}
	t.Write(env)
	if len(t.Rows) == 0 {
		env.Hint("no issues")
	}
}

// ShowTree prints the tasks that no listed task waits for, with what they wait for
// below them.
func (s State) ShowTree(env *term.Env, tasks []*plan.Record) {
	t := taskTree{s, env, map[string]*plan.Record{}, map[string]bool{}}
	needed := map[string]bool{}
	for _, r := range tasks {
		t.tasks[r.ID()] = r
	}
	for _, r := range tasks {
		for _, dep := range r.Deps() {
			needed[dep] = true
		}
	}
	for _, r := range tasks {
		if !needed[r.ID()] {
			t.print(r, "", "")
		}
	}
	for _, r := range tasks { // the rest are in cycles
		if !t.printed[r.ID()] {
			t.print(r, "", "")
		}
	}
	if len(tasks) == 0 {
		env.Hint("no matching tasks")
	}
}

// NotPlannedText returns the message that a spec has had no tasks yet.
func NotPlannedText(spec string) string { return "nothing is planned yet for " + spec }

// PlanCommand returns the command that plans a spec.
func PlanCommand(spec string) string { return cmdline.Program + " plan " + spec }
