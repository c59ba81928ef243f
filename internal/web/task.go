package web

import (
	"encoding/json"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/view"
)

// A task is the JSON of all about a task, issue or item.
type task struct {
	card
	InPlan     bool      `json:"inPlan"`
	Actions    []string  `json:"actions,omitempty"` // that make sense now
	Conflicts  []dispute `json:"conflicts,omitempty"`
	Fields     []field   `json:"fields"`
	WaitsFor   []link    `json:"waitsFor,omitempty"`
	NeededBy   []link    `json:"neededBy,omitempty"`
	Into       []link    `json:"into,omitempty"`      // it was decomposed into these
	Successor  *link     `json:"successor,omitempty"` // it was rejected for this one
	Claim      *claimed  `json:"claim,omitempty"`
	Attempts   []attempt `json:"attempts,omitempty"`
	Events     []event   `json:"events,omitempty"`
	Iterations []iterate `json:"iterations,omitempty"`
	Usage      usage     `json:"usage"`
}

// A dispute is a conflict that a merge recorded.
type dispute struct {
	Field      string            `json:"field"`
	Removed    bool              `json:"removed,omitempty"` // one side removed the record
	Candidates []json.RawMessage `json:"candidates"`
}

// A field is a member of the record, with its JSON.
type field struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

type link struct {
	ID     string      `json:"id"`
	Name   string      `json:"name,omitempty"`
	Status view.Status `json:"status,omitempty"`
}

// claimed is a claim, without its token.
type claimed struct {
	By       string `json:"by"`
	Role     string `json:"role,omitempty"`
	Host     string `json:"host,omitempty"`
	Branch   string `json:"branch,omitempty"`
	At       string `json:"at,omitempty"`
	Lease    int    `json:"lease,omitempty"` // seconds
	Renewals int    `json:"renewals,omitempty"`
	Feedback string `json:"feedback,omitempty"`
	Bad      string `json:"bad,omitempty"`
}

type attempt struct {
	Done     *happened  `json:"done,omitempty"`
	Outcomes []happened `json:"outcomes,omitempty"`
}

// happened is what an event is, without what it changed.
type happened struct {
	Event  string `json:"event"`
	At     string `json:"at,omitempty"`
	By     string `json:"by,omitempty"`
	Branch string `json:"branch,omitempty"`
	Commit string `json:"commit"`
	Reason string `json:"reason,omitempty"`
}

type event struct {
	happened
	Changes  []change  `json:"changes,omitempty"`
	Receipts []receipt `json:"receipts,omitempty"`
}

// A change is a field that an event changed: prose as words, lists as what was added and removed, anything else as JSON.
type change struct {
	Field   string          `json:"field"`
	Before  json.RawMessage `json:"before,omitempty"`
	After   json.RawMessage `json:"after,omitempty"`
	Words   []span          `json:"words,omitempty"`
	Added   []string        `json:"added,omitempty"`
	Removed []string        `json:"removed,omitempty"`
}

type span struct {
	Op   string `json:"op"`
	Text string `json:"text"`
}

type receipt struct {
	Check   string  `json:"check"`
	Commit  string  `json:"commit"`
	Exit    int     `json:"exit"`
	Seconds float64 `json:"seconds"`
	At      string  `json:"at"`
	By      string  `json:"by"`
	Altered bool    `json:"altered,omitempty"`
}

func newTask(d *view.Data, t *view.Task) task {
	one := task{card: newCard(&t.Card), InPlan: t.InPlan, Usage: newUsage(t.Usage), WaitsFor: newLinks(t.WaitsFor), NeededBy: newLinks(t.NeededBy), Into: newLinks(t.DecomposedInto)}
	for _, m := range t.Fields {
		one.Fields = append(one.Fields, field{m.Name, rawOf(m.Value)})
	}
	for _, a := range cardaction.All() {
		if a.Offered(t) {
			one.Actions = append(one.Actions, a.Name)
		}
	}
	for _, c := range t.Conflicts() {
		d := dispute{Field: c.Field, Removed: c.Field == plan.Removed, Candidates: []json.RawMessage{}}
		for _, v := range c.Candidates {
			d.Candidates = append(d.Candidates, rawOf(v))
		}
		one.Conflicts = append(one.Conflicts, d)
	}
	if t.SupersededBy != nil {
		one.Successor = &newLinks([]view.Link{*t.SupersededBy})[0]
	}
	if c := t.Claim; c != nil {
		one.Claim = &claimed{
			By: c.Claim.Holder(), Role: c.Claim.Role, Host: c.Claim.Host, Branch: c.Claim.Branch, At: c.Claim.At, Lease: c.Claim.Lease,
			Renewals: c.Claim.Renewals, Feedback: c.Claim.Feedback, Bad: c.Bad,
		}
	}
	for _, a := range t.Attempts {
		one.Attempts = append(one.Attempts, newAttempt(d, a))
	}
	for _, e := range t.Events {
		one.Events = append(one.Events, newEvent(d, e))
	}
	for _, i := range t.Iterations {
		one.Iterations = append(one.Iterations, newIteration(i))
	}
	return one
}

func newLinks(all []view.Link) (links []link) {
	for _, l := range all {
		links = append(links, link(l))
	}
	return links
}

func newAttempt(d *view.Data, a fold.Attempt) (one attempt) {
	if a.Done != nil {
		done := newHappened(d, a.Done)
		one.Done = &done
	}
	for _, e := range a.Outcomes {
		one.Outcomes = append(one.Outcomes, newHappened(d, e))
	}
	return one
}

func newHappened(d *view.Data, e *fold.Event) happened {
	return happened{Event: string(e.Name), At: timeText(e.Date), By: e.Author, Branch: e.Branch, Commit: hexOf(d, e.Commit), Reason: e.Reason}
}

func newEvent(d *view.Data, e view.Event) event {
	one := event{happened: newHappened(d, e.Event)}
	for _, f := range e.Fields {
		one.Changes = append(one.Changes, newChange(f))
	}
	for _, r := range e.Receipts {
		one.Receipts = append(one.Receipts, receipt{r.Shown(), r.Commit, r.Exit, r.Took.Seconds(), r.At, r.By, r.Altered})
	}
	return one
}

func newChange(f plandiff.Field) change {
	c := change{Field: f.Name}
	switch {
	case f.Words != nil:
		for _, s := range f.Words {
			c.Words = append(c.Words, span{string(s.Op), s.Text})
		}
	case f.List != nil && len(f.List.Added)+len(f.List.Removed) > 0:
		c.Added, c.Removed = f.List.Added, f.List.Removed
	default:
		c.Before, c.After = rawOf(f.Before), rawOf(f.After)
	}
	return c
}

// rawOf returns a value as it is in the plan; nil for none.
func rawOf(v jsonl.Value) json.RawMessage {
	if v == "" {
		return nil
	}
	return json.RawMessage(v)
}
