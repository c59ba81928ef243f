package cli

import (
	"fmt"
	"strings"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// show prints the history for people: the record, its relations, then every event.
func (s tale) show(env *Env) {
	env.printWrapped(0, cell{s.ID, cyan}, cell{text: gap}, cell{statusWord(s.Life), statusStyle(s.Status)})
	var t table
	if s.Record.JSON() == "" {
		t.add(cell{"name", faint}, cell{s.Name, plainStyle})
	} else {
		for _, m := range s.Record.Object().Members() {
			if m.Name != "t" && m.Name != "id" && m.Name != "s" {
				addField(&t, m)
			}
		}
	}
	s.addList(&t, "renamed from", s.Former)
	s.addList(&t, "decomposed", s.DecomposedInto)
	s.addList(&t, "superseded by", []string{s.SupersededBy})
	s.addList(&t, "needed by", s.neededBy())
	s.addList(&t, "led to", s.ledTo())
	if n := len(s.Attempts); n > 0 {
		t.add(cell{"attempts", faint}, cell{fmt.Sprint(n), plainStyle})
	}
	t.wrap = true
	t.write(env)
	for _, e := range s.Events {
		env.print("")
		s.showEvent(env, e)
	}
}

// addList adds a row of ids, each with its name where that is known.
func (s tale) addList(t *table, title string, ids []string) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		t.add(cell{title, faint}, cell{strings.TrimSpace(id + " " + s.nameOf(id)), plainStyle})
		title = ""
	}
}

func (s tale) nameOf(id string) string {
	for _, other := range s.all {
		if other.ID == id {
			name := firstLineOf(other.Name)
			return name
		}
	}
	return ""
}

// showEvent tells one event and what it changed.
func (s tale) showEvent(env *Env, e *fold.Event) {
	env.printWrapped(shortID+len(gap), cell{s.hex(e.Commit)[:shortID], yellow}, cell{text: gap}, cell{eventWord(e), eventStyle(e)}, cell{text: gap},
		cell{text: e.Date.Format("2006-01-02 15:04 -0700")}, cell{text: gap}, cell{e.Author, faint}, cell{text: gap}, cell{e.Branch, faint})
	for _, note := range notesOf(e) {
		env.printWrapped(fieldIndent, cell{text: strings.Repeat(" ", fieldIndent) + note})
	}
	for _, f := range changesOf(e) {
		diffPrinter{env}.field(f)
	}
}

// notesOf says what an event's line does not.
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
	if e.Lost {
		notes = append(notes, "done_at "+e.DoneAt+" is orphaned")
	}
	if e.Trailer {
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
		notes = append(notes, "also recorded by "+plural(n, "other commit"))
	}
	if e.Name == plan.EventSpec {
		notes = append(notes, e.Spec)
	}
	return notes
}

func statusStyle(s fold.Status) style {
	switch s {
	case fold.Done, fold.Accepted, fold.Closed:
		return green
	case fold.Rejected, fold.Lost:
		return red
	case fold.Cancelled:
		return yellow
	}
	return strong
}
