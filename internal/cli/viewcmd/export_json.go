package viewcmd

import (
	"slices"
	"strings"
	"time"

	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// writeJSON writes {"spec", "stage", "next", "tasks", "issues", "items", "tombstones", "conflicts"}, and "left" with it. Records that the
// filter leaves out are missing in the lists.
func writeJSON(env *term.Env, d *view.Data, f view.Filter, left bool) {
	cards := d.Cards()
	matched := make(map[*plan.Record]bool, len(cards))
	named := map[string]bool{}
	for i := range cards {
		if f.Matches(&cards[i]) {
			matched[cards[i].Record] = true
			named[cards[i].ID()] = true
		}
	}
	claims := planprint.Claims{Held: d.Claims, Own: d.Own, Abandoned: d.Abandoned}
	s := planprint.State{Plan: d.Plan, Schedule: d.Schedule, Claims: claims, Landed: d.Landed}
	only := func(list []*plan.Record) []*plan.Record {
		return slices.DeleteFunc(list, func(r *plan.Record) bool { return !matched[r] && !(r.Kind() == plan.KindItem && named[r.ID()]) })
	}
	ofOnes := func(list []plan.Record) []plan.Record {
		return slices.DeleteFunc(list, func(r plan.Record) bool { return !f.Empty() && !named[r.ID()] })
	}
	env.WriteJSON(func(w term.Sink) {
		o := term.Object{Sink: w}
		o.StrOrNull("spec", d.Plan.Spec())
		s.WriteStageAndNext(&o)
		o.Member("tasks")
		tasks := term.Object{Sink: w}
		for _, list := range [...]struct {
			name  string
			tasks []*plan.Record
		}{{"pending", s.Pending()}, {"done", s.Done()}, {"others", s.Others()}} {
			tasks.Member(list.name)
			s.WriteTaskList(w, only(list.tasks))
		}
		tasks.End()
		o.Member("issues")
		planprint.WriteRecords(w, only(s.Issues()))
		o.Member("items")
		planprint.WriteRecords(w, only(planprint.Items(d.Plan, claims)))
		o.Member("tombstones")
		planprint.WriteRecords(w, ofOnes(d.Plan.Of(plan.KindReject)))
		o.Member("conflicts")
		planprint.WriteRecords(w, ofOnes(s.Conflicts()))
		if left {
			o.Member("left")
			writeLeft(w, d, f)
		}
		o.End()
	})
}

// writeLeft writes what has left the plan.
func writeLeft(w term.Sink, d *view.Data, f view.Filter) {
	left := slices.DeleteFunc(d.Left(), func(c view.Card) bool { return !f.Matches(&c) })
	times := d.Times()
	date := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return plan.FormatTime(t)
	}
	term.WriteList(w, len(left), func(i int) {
		o, t := term.Object{Sink: w}, times[left[i].ID()]
		o.Str("status", string(left[i].Status))
		o.StrIf("created", date(t.Created))
		o.StrIf("done", date(t.Done))
		o.StrIf("done_by", t.DoneBy)
		o.StrIf("ended", date(t.Ended))
		o.Value("record", strings.TrimSpace(left[i].JSON()))
		o.End()
	})
}
