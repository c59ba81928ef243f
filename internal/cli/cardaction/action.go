package cardaction

import (
	"slices"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// An Action is a command of git ralph that changes the plan, or says who works on it.
type Action struct {
	Name   string    `json:"name"`   // identifies it
	Key    string    `json:"key"`    // the same one on the board and on the page; actions for different kinds of records may share it
	Title  string    `json:"title"`  // on a button
	About  string    `json:"about"`  // in the list of keys
	Result string    `json:"result"` // what was done, before the id of the record, such as "rejected" or "priority of"
	Record plan.Kind `json:"record"` // of what it is done to; "" where it is done to the plan

	Asks     Ask      `json:"asks"`
	Question string   `json:"question"`          // the question
	Choices  []Choice `json:"choices,omitempty"` // of AskChoice

	words   []string       // the command line, without its values
	kind    inprocess.Kind // Change, unless it runs checks
	offered func(t *view.Task) bool
}

// An Ask is what the user has to say before the command is run.
type Ask string

const (
	AskNothing     Ask = ""
	AskText        Ask = "text"        // one text, such as a reason
	AskSure        Ask = "sure"        // whether to do it
	AskChoice      Ask = "choice"      // one of the choices
	AskFields      Ask = "fields"      // what a record is to hold
	AskParts       Ask = "parts"       // names of tasks, a line each
	AskReplacement Ask = "replacement" // in the first line a name of a task, in the others why
	AskConflict    Ask = "conflict"    // what is to be of a conflict that a merge recorded
)

// A Choice is one of those of an action.
type Choice struct {
	Key   string `json:"key"`   // chooses it on the board
	Value string `json:"value"` // as the command takes it, "" for none
	Title string `json:"title"`
}

// Find returns the action of a name.
func Find(name string) (a Action, found bool) {
	all := All()
	if i := slices.IndexFunc(all, func(a Action) bool { return a.Name == name }); i >= 0 {
		return all[i], true
	}
	return a, false
}

// OfKey returns the action of a key for a kind of record, or for the plan. What is brought back is not in the plan.
func OfKey(key string, kind plan.Kind) (a Action, found bool) {
	all := All()
	if i := slices.IndexFunc(all, func(a Action) bool { return a.Key == key && (a.Record == kind || a.Record == "" || a.Name == Restore) }); i >= 0 {
		return all[i], true
	}
	return a, false
}

// OfClaim reports whether the action is about a claim of a task.
func (a Action) OfClaim() bool {
	return slices.Contains(a.words, "claim") || slices.Contains(a.words, "unclaim")
}

// Offered reports whether an action makes sense for a record now. The command decides whether it can be done.
func (a Action) Offered(t *view.Task) bool {
	return a.Record != "" && a.Record == t.Kind() && t.InPlan != (a.Name == Restore) && (a.offered == nil || a.offered(t))
}
