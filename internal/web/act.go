package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
)

// An action is what the page asks for: a name of actions, and values. There is no way for the page to name a command or a flag.
type action struct {
	Worktree string                     `json:"worktree"` // its root; "" for that which the server was started in
	Do       string                     `json:"do"`
	ID       string                     `json:"id"`     // of the task, issue or item
	Reason   string                     `json:"reason"` // why
	Fields   map[string]json.RawMessage `json:"fields"` // of what is added or edited: texts, lists of texts, or null to clear one
}

// A doing is the command of an action.
type doing struct {
	words  []string
	kind   inprocess.Kind
	id     bool // it needs an id,
	reason bool // a reason,
	fields bool // or fields
}

// actions returns what the page can do, by name.
func actions() map[string]doing {
	return map[string]doing{
		"task-add":    {words: []string{"task", "add"}, fields: true},
		"task-edit":   {words: []string{"task", "edit"}, id: true, fields: true},
		"task-done":   {words: []string{"task", "done"}, id: true},
		"task-accept": {words: []string{"task", "accept"}, id: true, kind: inprocess.Checks}, // ralph.accept = verified runs the checks
		"task-reject": {words: []string{"task", "reject"}, id: true, reason: true},
		"task-cancel": {words: []string{"task", "cancel"}, id: true},
		"issue-add":   {words: []string{"issue", "add"}, fields: true},
		"issue-edit":  {words: []string{"issue", "edit"}, id: true, fields: true},
		"issue-done":  {words: []string{"issue", "done"}, id: true},
		"approve":     {words: []string{"pipeline", "approve"}, id: true},
		"disapprove":  {words: []string{"pipeline", "reject"}, id: true, reason: true},
		"claim":       {words: []string{"claim", "--lease=0"}, id: true}, // as a person in a terminal
		"unclaim":     {words: []string{"unclaim"}, id: true},
		"undo":        {words: []string{"undo"}},
		"redo":        {words: []string{"redo"}},
	}
}

// editable are the fields that the page may set.
func editable() []string {
	return []string{"name", "desc", "notes", "accept", "spec", "priority", "role", "labels", "deps"}
}

// line returns the command line of an action. Values come after "--", or on standard input: none of them can be a flag.
func (a action) line() (inprocess.Line, error) {
	do, known := actions()[a.Do]
	if !known {
		return inprocess.Line{}, fmt.Errorf("there is no action %q", a.Do)
	}
	line := inprocess.Line{Words: slices.Clip(do.words), Kind: max(do.kind, inprocess.Change)}
	var values []string
	for _, v := range []struct {
		name, value string
		needed      bool
	}{{"id", a.ID, do.id}, {"reason", a.Reason, do.reason}} {
		switch {
		case v.needed && strings.TrimSpace(v.value) == "":
			return line, errors.New("missing " + v.name)
		case !v.needed && v.value != "":
			return line, fmt.Errorf("%s takes no %s", a.Do, v.name)
		case v.needed:
			values = append(values, v.value)
		}
	}
	if do.fields != (len(a.Fields) > 0) {
		return line, fmt.Errorf("%s: missing fields, or fields that it does not take", a.Do)
	}
	if do.fields {
		if err := a.checkFields(); err != nil {
			return line, err
		}
		text, err := json.Marshal(a.Fields)
		if err != nil {
			return line, err
		}
		values, line.Input = append(values, "-"), string(text)
	}
	if len(values) > 0 {
		line.Words = append(append(line.Words, "--"), values...)
	}
	return line, nil
}

func (a action) checkFields() error {
	for name, value := range a.Fields {
		if !slices.Contains(editable(), name) {
			return fmt.Errorf("invalid field %q: want one of %s", name, strings.Join(editable(), ", "))
		}
		v, err := jsonl.ParseValue(string(value))
		_, text := v.Str()
		_, list := v.Strings()
		if err != nil || !text && !list && v != "null" {
			return fmt.Errorf("invalid field %q: want a text, a list of texts, or null", name)
		}
	}
	return nil
}

// acted is the JSON of what became of an action.
type acted struct {
	Exit     int             `json:"exit"`
	Result   json.RawMessage `json:"result,omitempty"`
	Error    string          `json:"error,omitempty"`
	Hint     string          `json:"hint,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

// act does an action, where the user has allowed it.
func (s *server) act(w http.ResponseWriter, r *http.Request) {
	if !s.write {
		reply(w, http.StatusForbidden, failure{Error: "the page only shows the plan", Hint: "start it with git ralph web --write"})
		return
	}
	var a action
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(&a)
	if _, more := d.Token(); err == nil && !errors.Is(more, io.EOF) {
		err = errors.New("want one JSON object")
	}
	var line inprocess.Line
	if err == nil {
		line, err = a.line()
	}
	if err != nil {
		reply(w, http.StatusBadRequest, failure{Error: "invalid action: " + strings.TrimPrefix(err.Error(), "json: ")})
		return
	}
	p, err := s.places.get(r.Context(), a.Worktree)
	if err != nil {
		fail(w, err)
		return
	}
	line.Dir, line.Environ = p.env.Dir, p.env.Environ
	setDeadlines(w, 0, 0)                                       // checks take minutes
	o := s.runner.Run(context.WithoutCancel(r.Context()), line) // a page that is closed meanwhile does not end it
	setDeadlines(w, readTimeout, writeTimeout)
	go p.read(always) // not everything that an action changes is watched, such as which claims are ours
	done := acted{Exit: o.Exit, Error: strings.Join(o.Messages["error"], "\n"), Hint: strings.Join(o.Messages["hint"], "\n"), Warnings: o.Messages["warning"]}
	if json.Valid([]byte(o.Output)) {
		done.Result = json.RawMessage(o.Output)
	}
	reply(w, http.StatusOK, done)
}
