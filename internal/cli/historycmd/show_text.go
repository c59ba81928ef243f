package historycmd

import (
	"fmt"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// show prints the history for people: the record, its relations, then every event.
func (s shownLife) show(env *term.Env) {
	env.PrintWrapped(0, term.Cell{Text: s.ID, Style: term.Cyan}, term.Cell{Text: term.Gap}, term.Cell{Text: s.Life.StatusName(), Style: statusStyle(s.Status)})
	var t term.Table
	if s.Record.JSON() == "" {
		t.Add(term.Cell{Text: "name", Style: term.Faint}, term.Cell{Text: s.Name, Style: term.PlainStyle})
	} else {
		for _, m := range s.Record.Object().Members() {
			if m.Name != "t" && m.Name != "id" && m.Name != "s" {
				planprint.AddField(&t, m)
			}
		}
	}
	s.addList(&t, "renamed from", s.Former)
	s.addList(&t, "decomposed", s.DecomposedInto)
	s.addList(&t, "superseded by", []string{s.SupersededBy})
	s.addList(&t, "needed by", s.neededBy())
	s.addList(&t, "led to", s.ledTo())
	if n := len(s.Attempts); n > 0 {
		t.Add(term.Cell{Text: "attempts", Style: term.Faint}, term.Cell{Text: fmt.Sprint(n), Style: term.PlainStyle})
	}
	t.Wrap = true
	t.Write(env)
	for _, e := range s.Events {
		env.Print("")
		s.showEvent(env, e)
	}
}

// addList adds a row of ids, each with its name where that is known.
func (s shownLife) addList(t *term.Table, title string, ids []string) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		t.Add(term.Cell{Text: title, Style: term.Faint}, term.Cell{Text: strings.TrimSpace(id + " " + s.nameOf(id)), Style: term.PlainStyle})
		title = ""
	}
}

func (s shownLife) nameOf(id string) string {
	for _, other := range s.all {
		if other.ID == id {
			return term.FirstLineOf(other.Name)
		}
	}
	return ""
}

// showEvent prints one event and what it changed.
func (s shownLife) showEvent(env *term.Env, e *fold.Event) {
	env.PrintWrapped(planio.ShortID+len(term.Gap), term.Cell{Text: s.hex(e.Commit)[:planio.ShortID], Style: term.Yellow}, term.Cell{Text: term.Gap}, term.Cell{Text: e.Word(), Style: eventStyle(e)}, term.Cell{Text: term.Gap},
		term.Cell{Text: e.Date.Format("2006-01-02 15:04 -0700")}, term.Cell{Text: term.Gap}, term.Cell{Text: e.Author, Style: term.Faint}, term.Cell{Text: term.Gap}, term.Cell{Text: e.Branch, Style: term.Faint})
	notes := notesOf(e)
	for _, r := range s.receipts[e] {
		notes = append(notes, "proved: "+r.Summary())
	}
	for _, note := range notes {
		env.PrintWrapped(term.FieldIndent, term.Cell{Text: strings.Repeat(" ", term.FieldIndent) + note})
	}
	for _, f := range changesOf(e) {
		planprint.DiffPrinter{Env: env}.Field(f)
	}
}

// notesOf returns what is printed below an event's line.
func notesOf(e *fold.Event) []string {
	var notes []string
	switch {
	case e.Reason == "":
	case e.Name == plan.EventEdited:
		notes = append(notes, "reason corrected: "+e.Reason)
	default:
		notes = append(notes, "because: "+e.Reason)
	}
	if e.Successor != "" {
		notes = append(notes, "superseded by "+e.Successor)
	}
	if e.Orphaned {
		notes = append(notes, "done_at "+e.DoneAt+" is orphaned")
	}
	if e.TrailerOnly {
		notes = append(notes, "recorded only in the message of the commit")
	}
	switch {
	case !e.Inferred:
	case e.Name == plan.EventRejected:
		notes = append(notes, "inferred: no message says that the task ended with it")
	default:
		notes = append(notes, "inferred: no message or tombstone on this branch says so")
	}
	if n := len(e.Also); n > 0 {
		notes = append(notes, "also recorded by "+term.Plural(n, "other commit"))
	}
	if e.Name == plan.EventSpec {
		notes = append(notes, e.Spec)
	}
	return notes
}

func statusStyle(s fold.Status) term.Style {
	switch s {
	case fold.Done, fold.Accepted, fold.Closed:
		return term.Green
	case fold.Rejected, fold.Lost:
		return term.Red
	case fold.Cancelled:
		return term.Yellow
	}
	return term.Strong
}
