package hub

import (
	"strings"

	"git-ralph/internal/workplan"
)

// A Vocabulary is a set of words for statuses. Hubs have an old one and a new one.
type Vocabulary string

// The vocabularies.
const (
	Old Vocabulary = "old"
	New Vocabulary = "new"
)

// What a hub can say of a task and a file cannot.
const (
	blocked   workplan.Status = "blocked"
	cancelled workplan.Status = "cancelled"
)

// word returns a status in a hub's vocabulary.
func (k Kind) word(s workplan.Status, v Vocabulary) string {
	if v == New {
		switch {
		case s == workplan.InProgress:
			return "progress"
		case k == Workstream && s == workplan.Done:
			return "finished"
		case k == Workstream && s == workplan.Paused:
			return "backlog"
		}
	}
	return string(s)
}

// status returns what a word of either vocabulary means; "" for an unknown one.
func (k Kind) status(word string) workplan.Status {
	word = strings.ToLower(word)
	if k == Workstream {
		switch word {
		case "done", "finished", "completed", "archived":
			return workplan.Done
		case "active", "ready", "proposed":
			return workplan.Active
		case "paused", "blocked", "backlog":
			return workplan.Paused
		}
		return ""
	}
	switch word {
	case "todo":
		return workplan.Todo
	case "in_progress", "progress":
		return workplan.InProgress
	case "blocked", "wait":
		return blocked
	case "done":
		return workplan.Done
	case "cancelled", "cancel":
		return cancelled
	}
	return ""
}

// matches reports whether a hub says what the file says. A file cannot say that an open task is blocked, so that is no difference.
func matches(file, hub workplan.Status) bool {
	return file == hub || hub == blocked && file != workplan.Done
}

// isBackwards reports whether a change would take back progress.
func isBackwards(from, to workplan.Status) bool { return rank(to) < rank(from) }

func rank(s workplan.Status) int {
	switch s {
	case workplan.Done, cancelled:
		return 2
	case workplan.InProgress:
		return 1
	}
	return 0
}

// vocabularyIn returns the vocabulary that a hub's own description of its interface lists; "" where it lists none or both.
func vocabularyIn(description string) Vocabulary {
	older := strings.Contains(description, `"in_progress"`) || strings.Contains(description, `"cancelled"`)
	newer := strings.Contains(description, `"progress"`) || strings.Contains(description, `"finished"`)
	switch {
	case older && !newer:
		return Old
	case newer && !older:
		return New
	}
	return ""
}
