package cardaction

import (
	"slices"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// Names of actions that the board does in ways of its own.
const (
	Restore = "restore"
	Cancel  = "task-cancel"
	SetSpec = "set-spec"
	Undo    = "undo"
)

// All returns the actions, in the order of the list of keys.
func All() []Action {
	return slices.Concat(additions(), edits(), claims(), outcomes(), restructurings(), itemActions(), planActions())
}

func additions() []Action {
	return []Action{
		{Name: "task-add", Key: "a", Title: "New task", About: "add a task", Result: "added", Asks: AskFields, words: []string{"task", "add"}},
		{Name: "issue-add", Key: "A", Title: "New issue", About: "add an issue", Result: "added", Asks: AskFields, words: []string{"issue", "add"}},
		{Name: "item-add", Key: "A", Title: "New item", About: "an item", Result: "added", Asks: AskFields, words: []string{"item", "add"}},
	}
}

func edits() (all []Action) {
	for _, kind := range []plan.Kind{plan.KindTask, plan.KindIssue, plan.KindItem} {
		all = append(all, Action{
			Name: string(kind) + "-edit", Key: "e", Title: "Edit", About: "edit", Result: "edited", Record: kind, Asks: AskFields, words: []string{string(kind), "edit"},
		})
	}
	levels := []Choice{{"h", "high", "high"}, {"m", "medium", "medium"}, {"l", "low", "low"}, {"n", "", "none"}}
	for _, kind := range []plan.Kind{plan.KindTask, plan.KindIssue} {
		all = append(all, Action{
			Name: string(kind) + "-priority", Key: "p", Title: "Priority", About: "priority", Result: "priority of", Record: kind, Asks: AskChoice,
			Question: "Priority", Choices: levels, words: []string{string(kind), "edit"}, offered: func(*view.Task) bool { return false }, // editing has it
		})
	}
	for _, kind := range []plan.Kind{plan.KindTask, plan.KindIssue, plan.KindItem} {
		all = append(all, Action{
			Name: "resolve", Key: "r", Title: "Settle", About: "settle a conflict of a merge", Result: "settled", Record: kind, Asks: AskConflict,
			words: []string{"resolve"}, offered: func(t *view.Task) bool { return t.Conflict },
		})
	}
	return all
}

func claims() []Action {
	return []Action{
		{
			Name: "claim", Key: "c", Title: "Claim", About: "claim", Result: "claimed", Record: plan.KindTask,
			words:   []string{"claim", "--lease=0"}, // as a person in a terminal
			offered: func(t *view.Task) bool { return t.Holder == "" && in(t, view.Ready, view.Blocked) },
		},
		{
			Name: "unclaim", Key: "C", Title: "Give back", About: "give your claim back", Result: "given back", Record: plan.KindTask, words: []string{"unclaim"},
			offered: func(t *view.Task) bool { return t.Own },
		},
		{
			Name: "steal", Key: "s", Title: "Take over", About: "take a claim over", Result: "taken over", Record: plan.KindTask, Asks: AskSure,
			Question: "Take it over from its holder?", words: []string{"claim", "steal", "--lease=0"},
			offered: func(t *view.Task) bool { return t.Holder != "" && !t.Own && !t.Landing },
		},
	}
}

func outcomes() []Action {
	done := func(t *view.Task) bool { return in(t, view.Done, view.Landed) }
	return []Action{
		{
			Name: "task-done", Key: "d", Title: "Done", About: "done", Result: "done", Record: plan.KindTask, words: []string{"task", "done"},
			offered: func(t *view.Task) bool { return in(t, view.Ready, view.Claimed) },
		},
		{Name: "issue-done", Key: "d", Title: "Close", About: "close an issue", Result: "closed", Record: plan.KindIssue, words: []string{"issue", "done"}},
		{
			Name: "task-accept", Key: "y", Title: "Accept", About: "accept", Result: "accepted", Record: plan.KindTask, words: []string{"task", "accept"},
			kind: inprocess.Checks, offered: done, // ralph.accept = verified runs the checks
		},
		{
			Name: "task-verify", Key: "v", Title: "Run its checks", About: "run the checks", Result: "verified", Record: plan.KindTask,
			words: []string{"verify"}, kind: inprocess.Checks, offered: checked,
		},
		{
			Name: "task-accept-verified", Key: "Y", Title: "Accept if its checks pass", About: "accept if the checks pass", Result: "accepted",
			Record: plan.KindTask, words: []string{"task", "accept", "--verified"}, kind: inprocess.Checks, offered: func(t *view.Task) bool { return done(t) && checked(t) },
		},
		{
			Name: "task-reject", Key: "x", Title: "Reject", About: "reject, with the reason", Result: "rejected", Record: plan.KindTask, Asks: AskText,
			Question: "Why: whoever does it again reads that.", words: []string{"task", "reject"}, offered: done,
		},
		{
			Name: "task-replace", Key: "R", Title: "Reject and replace", About: "reject, and put another task in its place", Result: "replaced", Record: plan.KindTask,
			Asks: AskReplacement, Question: "The name of the other task; in further lines, why.", words: []string{"task", "reject"}, offered: done,
		},
		{
			Name: Cancel, Key: "X", Title: "Cancel", About: "cancel", Result: "cancelled", Record: plan.KindTask, Asks: AskSure, Question: "Take it out of the plan?",
			words: []string{"task", "cancel"}, offered: pending,
		},
		{Name: Restore, Key: "B", Title: "Bring back", About: "bring back what was cancelled", Result: "brought back", Record: plan.KindTask, words: []string{"restore"}, offered: func(t *view.Task) bool { return Restorable(t.Status) }},
	}
}

func restructurings() []Action {
	return []Action{
		{
			Name: "task-decompose", Key: "D", Title: "Decompose", About: "put smaller tasks in its place", Result: "decomposed", Record: plan.KindTask, Asks: AskParts,
			Question: "The smaller tasks, a line each.", words: []string{"task", "decompose"}, offered: pending,
		},
		{
			Name: "task-kill", Key: "K", Title: "Work was stopped", About: "work on it was stopped", Result: "killed", Record: plan.KindTask, Asks: AskChoice,
			Question: "Why was work on it stopped?", Choices: []Choice{{"t", "timeout", "it took too long"}, {"c", "context", "the agent's context was full"}},
			words: []string{"task", "kill"}, offered: func(t *view.Task) bool { return in(t, view.Claimed) },
		},
		{
			Name: "issue-task", Key: "T", Title: "Make a task of it", About: "make a task of an issue", Result: "made a task of", Record: plan.KindIssue,
			words: []string{"issue", "done", "--into-task"},
		},
	}
}

func itemActions() []Action {
	waits := func(t *view.Task) bool { return t.Approval }
	const letters = "abcdefghilmnopq" // without j and k, which go down and up
	var states []Choice
	for i, state := range plan.ItemStates() {
		states = append(states, Choice{letters[i : i+1], state, state})
	}
	return []Action{
		{
			Name: "item-move", Key: "d", Title: "Move", About: "move an item", Result: "moved", Record: plan.KindItem, Asks: AskChoice, Question: "To which state?", Choices: states,
			words: []string{"item", "move"},
		},
		{Name: "item-plan", Key: "P", Title: "Plan its tasks", About: "add the tasks that an item needs", Result: "planned", Record: plan.KindItem, words: []string{"pipeline", "plan"}},
		{Name: "approve", Key: "y", Title: "Approve its plan", About: "approve an item's plan", Result: "approved", Record: plan.KindItem, words: []string{"pipeline", "approve"}, offered: waits},
		{
			Name: "disapprove", Key: "x", Title: "Reject its plan", About: "reject an item's plan", Result: "sent back", Record: plan.KindItem, Asks: AskText,
			Question: "What is wrong with the plan?", words: []string{"pipeline", "reject"}, offered: waits,
		},
	}
}

func planActions() []Action {
	return []Action{
		{Name: SetSpec, Key: "S", Title: "Set the spec", About: "set the spec", Result: "set the spec", Asks: AskText, Question: "A file in ralph/specs, or its path from the root.", words: []string{"set-spec"}},
		{Name: Undo, Key: "u", Title: "Undo", About: "undo the last change", Result: "undone", words: []string{"undo"}},
		{Name: "redo", Key: "U", Title: "Redo", About: "redo it", Result: "redone", words: []string{"redo"}},
	}
}

func in(t *view.Task, statuses ...view.Status) bool { return slices.Contains(statuses, t.Status) }

func pending(t *view.Task) bool { return in(t, view.Ready, view.Blocked, view.Claimed) }

func checked(t *view.Task) bool { return t.Has("check") }

// Restorable reports whether a task of a status was cancelled, or lost in a merge.
func Restorable(s view.Status) bool { return s == view.Cancelled || s == view.Lost }
