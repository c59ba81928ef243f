// Package query selects events and tasks from a history, and counts them. Nothing here reads a repository.
package query

import (
	"slices"
	"strings"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// A Filter selects events. An event must match all fields; the zero value of every field but All matches everything.
type Filter struct {
	All    bool   // of all branches; else of HEAD's history, unless a branch or task is named
	Branch string // as the history names it
	Spec   string
	Status string // as Life.StatusName returns it
	Author string // a part of the address
	Task   string // the id of a task or issue
	Text   string // a part of the task's name or of another text

	Before func(*fold.Event) bool // which events lie before the range; nil for none
	Until  func(*fold.Event) bool // which events lie before the end of the range; nil for all
	Limit  int                    // of events, 0 for none
}

// A Selection is what a filter leaves of a history: events, the newest first, and the tasks that they touch.
type Selection struct {
	Tasks  []*fold.Life
	Events []*fold.Event
}

// Select returns what of a history a filter leaves.
func (f Filter) Select(h *fold.History) (s Selection) {
	touched := map[*fold.Life]bool{}
	for _, e := range slices.Backward(h.Events) {
		if f.Limit > 0 && len(s.Events) == f.Limit {
			break
		}
		if f.matches(e) {
			s.Events = append(s.Events, e)
			touched[e.Life] = true
		}
	}
	for _, life := range h.Lives {
		if life.Kind == plan.KindTask && (touched[life] || len(life.Events) == 0 && f.matchesWithoutEvents(life)) {
			s.Tasks = append(s.Tasks, life)
		}
	}
	return s
}

func (f Filter) matches(e *fold.Event) bool {
	switch {
	case !f.All && f.Branch == "" && f.Task == "" && !e.InHead,
		f.Branch != "" && !slices.Contains(e.Branches, f.Branch),
		!contains(e.Author, f.Author),
		f.Before != nil && f.Before(e),
		f.Until != nil && !f.Until(e):
		return false
	case e.Life == nil: // of the spec
		return f.Status+f.Task+f.Text == "" && (f.Spec == "" || e.ID == f.Spec)
	}
	return f.matchesLife(e.Life)
}

// matchesWithoutEvents reports whether a task that no commit records an event of is wanted.
func (f Filter) matchesWithoutEvents(l *fold.Life) bool {
	return f.All && f.Branch+f.Author == "" && f.Before == nil && f.Until == nil && f.Limit == 0 && f.matchesLife(l)
}

func (f Filter) matchesLife(l *fold.Life) bool {
	return (f.Spec == "" || l.Spec == f.Spec) && (f.Status == "" || l.StatusName() == f.Status) && (f.Task == "" || l.Has(f.Task)) && f.matchesText(l)
}

// matchesText reports whether a task or issue contains the text, now or when it was last seen.
func (f Filter) matchesText(l *fold.Life) bool {
	return contains(l.Name, f.Text) || l.Record.JSON() != "" && l.Record.ContainsText(f.Text)
}

// contains reports whether a text contains another, in capitals or not.
func contains(text, part string) bool {
	return part == "" || strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
