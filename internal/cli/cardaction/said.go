package cardaction

import (
	"slices"
	"strings"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Label returns in a few words what an action did: "rejected t-1".
func (a Action) Label(v Values) string {
	switch {
	case a.Asks == AskConflict && v.Settle.Field == plan.Removed && v.Settle.Keep:
		return "kept " + v.ID
	case a.Asks == AskConflict && v.Settle.Field == plan.Removed:
		return "removed " + v.ID
	case a.Asks == AskConflict:
		return v.Settle.Field + " of " + v.ID + " settled"
	case a.Asks == AskFields && a.Record != "" && len(v.Fields) == 1:
		return v.Fields[0].Name + " of " + v.ID + " set"
	case v.Commit != "":
		return a.Result + " what " + v.Commit[:min(9, len(v.Commit))] + " did"
	}
	text := strings.TrimSpace(a.Result + " " + v.ID)
	for _, c := range a.Choices {
		if a.Asks == AskChoice && c.Value == v.Choice {
			text += ": " + c.Title
		}
	}
	return text
}

// Said returns what is shown of an action that was done: its label, the other records that it made or what it undid, the commit, and the warnings of
// the command.
func (a Action) Said(v Values, o inprocess.Outcome) string {
	said := []string{a.Label(v)}
	reply := replyOf(o)
	if textOf(reply, "reason") == unchanged {
		return strings.Join(append([]string{unchanged}, o.Messages["warning"]...), between)
	}
	said[0] += a.more(v, o)
	if hex := textOf(reply, "commit"); hex != "" {
		said = append(said, hex[:min(9, len(hex))])
	} else if why := textOf(reply, "reason"); why != "" {
		said = append(said, "not committed: "+why)
	}
	return strings.Join(append(said, o.Messages["warning"]...), between)
}

const (
	between   = " · "
	unchanged = "nothing changed" // the reason of a command that did not commit
	maxNamed  = 3                 // ids
)

// more returns the other records that an action made, or what it undid.
func (a Action) more(v Values, o inprocess.Outcome) string {
	for _, name := range []string{"undone", "redone"} {
		if value, found := replyOf(o).Get(name); found && v.Commit == "" {
			return ": " + textOf(value.Object(), "title")
		}
	}
	ids := slices.DeleteFunc(Changed(o), func(id string) bool { return id == v.ID })
	switch {
	case len(ids) == 0 || a.Record == "" && a.Asks != AskFields:
		return ""
	case len(ids) > maxNamed:
		ids = append(ids[:maxNamed], "…")
	}
	if a.Record == "" {
		return " " + strings.Join(ids, ", ")
	}
	return ": " + strings.Join(ids, ", ")
}

// Changed returns the ids of the records that a command has changed or added.
func Changed(o inprocess.Outcome) (ids []string) {
	changed, _ := replyOf(o).Get("changed")
	for r := range changed.All() {
		if id := textOf(r.Object(), "id"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// replyOf returns what a command has written with --json, the zero Object where that is no object.
func replyOf(o inprocess.Outcome) jsonl.Object {
	reply, _ := jsonl.ParseObject(strings.ReplaceAll(o.Output, "\n", " "))
	return reply
}

func textOf(o jsonl.Object, name string) string {
	value, _ := o.Get(name)
	text, _ := value.Str()
	return text
}
