package planio

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

func (m Mutation) print(ctx context.Context, env *term.Env, st *store.Store, r store.Result) {
	o := outcome{r, planprint.StateOf(r.Plan), m}
	if o.state.Claims = shownClaims(ctx, env, st); len(o.state.Claims.Held) > 0 {
		o.state.Schedule = o.state.With(scheduleUnder(o.state.Claims))
	}
	if m.SetsSpec {
		FindUnplanned(ctx, env, &o.state)
	}
	if m.Format.Json(env) {
		env.WriteJSON(o.write)
		HintNotPlanned(env, o.state)
		return
	}
	o.show(env)
}

// An outcome is what a mutation did, and the state after it.
type outcome struct {
	store.Result
	state planprint.State
	Mutation
}

// write writes {"committed", "commit", "reason", "changed", "removed", "stage",
// "next"}, of undo and redo {"undone" or "redone"}; with --full also the other members that query prints, and "merged" where
// plans were merged.
func (o outcome) write(w term.Sink) {
	out := term.Object{Sink: w}
	out.Boolean("committed", o.Committed)
	out.StrOrNull("commit", o.Commit)
	out.StrOrNull("reason", o.Reason)
	if o.Undone != nil {
		o.Undone.write(&out)
	}
	out.Member("changed")
	planprint.WriteRecords(w, o.Change.Records)
	out.Member("removed")
	planprint.WriteRecords(w, o.Change.Removed)
	if o.full {
		out.StrOrNull("spec", o.state.Plan.Spec())
	}
	o.state.WriteStageAndNext(&out)
	if o.full {
		o.state.WriteRest(&out)
	}
	if o.Merged != nil {
		out.Member("merged")
		planprint.WriteMerged(w, *o.Merged)
	}
	out.End()
}

// show prints for people: one line for each event, then the stage and what is next.
func (o outcome) show(env *term.Env) {
	if o.Change.Empty() {
		env.Print("nothing changed")
	}
	events := o.Change.Events
	if o.Undone != nil {
		env.PrintWrapped(term.FieldIndent, term.Cell{Text: o.prefix() + o.Undone.text()})
	}
	if o.Undone != nil && o.DryRun {
		planprint.DiffPrinter{Env: env}.Print(o.Undone.Diff)
		events = nil
	}
	for _, e := range events {
		env.PrintWrapped(term.FieldIndent, term.Cell{Text: o.prefix() + EventText(e) + o.suffix()})
	}
	if o.Reason != "" && !o.DryRun && !o.Change.Empty() {
		env.Print("not committed: " + o.Reason)
	}
	if o.full {
		o.state.ShowStatus(env)
		return
	}
	o.state.ShowNext(env)
}

func (o outcome) prefix() string {
	if o.DryRun {
		return "dry run: "
	}
	return ""
}

func (o outcome) suffix() string {
	if !o.Committed {
		return ""
	}
	return " (" + Shortened(o.Commit) + ")"
}

// ShortID is how many digits of a commit id are shown to people.
const ShortID = 9

// Shortened returns a commit id as people see it.
func Shortened(commit string) string { return commit[:min(ShortID, len(commit))] }

// EventText returns what happened to a record, on one line.
func EventText(e plan.Event) string {
	what := string(e.Name)
	switch e.Name {
	case plan.EventSpec:
		return "the spec is " + e.ID
	case plan.EventUpdated:
		return e.Title
	case plan.EventIssueAdded:
		what = "added issue"
	case plan.EventIssueDone:
		what = "closed issue"
	case plan.EventItemAdded:
		what = "added item"
	case plan.EventItemMoved:
		return strings.TrimSpace(fmt.Sprintf("moved item %s to %s: %s", e.ID, e.Text("to"), term.FirstLineOf(e.Title)))
	case plan.EventItemRemoved:
		what = "removed item"
	}
	title := term.FirstLineOf(e.Title)
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", what, e.ID, title))
}
