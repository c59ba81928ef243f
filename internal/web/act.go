package web

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
)

// An action is what the page asks for: a name of actions, and values. There is no way for the page to name a command, or a flag other than
// those with which a command that has refused can be done.
type action struct {
	Worktree string                     `json:"worktree"` // its root; "" for that which the server was started in
	Do       string                     `json:"do"`
	ID       string                     `json:"id"`     // of the task, issue or item
	Text     string                     `json:"text"`   // such as why
	Choice   string                     `json:"choice"` // one of those of the action
	Fields   map[string]json.RawMessage `json:"fields"` // of what is added or edited: texts, lists of texts, or null to clear one
	Settle   struct {
		Field string `json:"field"`
		Take  int    `json:"take"`
		Keep  bool   `json:"keep"`
	} `json:"settle"`
	Commit  string   `json:"commit"`  // to undo; "" for the last change
	Allowed []string `json:"allowed"` // flags
}

// editable are the fields that the page may set.
func editable() []string {
	return []string{"name", "desc", "notes", "accept", "spec", "priority", "role", "labels", "deps", "estimate", "blocked_by"}
}

// parse returns which action it is, and with what values.
func (a action) parse() (what cardaction.Action, values cardaction.Values, err error) {
	what, known := cardaction.Find(a.Do)
	if !known {
		return what, values, fmt.Errorf("there is no action %q", a.Do)
	}
	if err := a.checkFields(); err != nil {
		return what, values, err
	}
	if _, err := hex.DecodeString(a.Commit); err != nil {
		return what, values, fmt.Errorf("invalid commit %q", a.Commit)
	}
	values = cardaction.Values{ID: a.ID, Text: a.Text, Choice: a.Choice, Settle: cardaction.Settling(a.Settle), Commit: a.Commit, Allowed: a.Allowed}
	for _, name := range slices.Sorted(maps.Keys(a.Fields)) {
		values.Fields = append(values.Fields, jsonl.Member{Name: name, Value: jsonl.Value(a.Fields[name])})
	}
	return what, values, nil
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
	Exit     int      `json:"exit"`
	Said     string   `json:"said,omitempty"` // what was done
	Error    string   `json:"error,omitempty"`
	Hint     string   `json:"hint,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Flags    []string `json:"flags,omitempty"` // with which it could be done
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
	var what cardaction.Action
	var values cardaction.Values
	if err == nil {
		what, values, err = a.parse()
	}
	var line inprocess.Line
	if err == nil {
		line, err = what.Line(values)
	}
	if err != nil {
		reply(w, http.StatusBadRequest, failure{Error: "invalid action: " + strings.TrimPrefix(err.Error(), "json: ")})
		return
	}
	p, release, err := s.places.get(r.Context(), a.Worktree)
	if err != nil {
		fail(w, err)
		return
	}
	defer release()
	line.Dir, line.Environ = p.env.Dir, p.env.Environ
	setDeadlines(w, 0, 0)                                       // checks take minutes
	o := s.runner.Run(context.WithoutCancel(r.Context()), line) // a page that is closed meanwhile does not end it
	setDeadlines(w, readTimeout, writeTimeout)
	go p.readAll(always) // not everything that an action changes is watched, such as which claims are ours
	done := acted{Exit: o.Exit, Hint: strings.Join(o.Messages["hint"], "\n"), Warnings: o.Messages["warning"]}
	if o.Exit == cmdline.ExitDone {
		done.Said = what.Said(values, o)
	} else {
		if done.Error = strings.Join(cardaction.Errors(o), "\n"); len(o.Messages["error"]) == 0 {
			done.Warnings = nil // they are the error
		}
		done.Flags = what.FlagsIn(o, a.Allowed)
	}
	reply(w, http.StatusOK, done)
}
