package view

import (
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// Data is what is known of one worktree's plan at one moment. The plan and the claims are read first, all else afterwards: what was not
// read yet is zero. It is not changed once it was handed out.
type Data struct {
	Moment   time.Time // when it was read; of an older plan, the committer's date. Its location decides what is today
	Root     string    // of the worktree; "" in a bare repository
	Commit   git.Hash  // the commit of an older plan; zero for the worktree's
	Plan     *plan.Plan
	Schedule *schedule.Schedule // under the claims

	Claims    map[string]claim.Held // by task; none for an older plan
	Own       map[string]bool       // tasks that are claimed by us
	Abandoned map[string]bool       // tasks whose holders are known to have ended: they hold nobody back

	Landed  map[string]landed.Verdict // of done tasks; nil where ralph.target is not set, or an older plan is shown
	History *fold.History             // nil until it was read
	Runs    []Run                     // the oldest first
	Workers []Worker                  // at work now

	Messages []Message // about what was read
	Invalid  error     // why the plan is not valid, though it can be shown: it holds an id twice

	once     *factsOnce            // nil: nothing is kept between two calls
	accepted map[string]acceptance // see After
}

// New returns data of a plan and its schedule. Their plan and claims are not changed after the first board.
func New(p *plan.Plan, s *schedule.Schedule) *Data {
	return &Data{Plan: p, Schedule: s, once: &factsOnce{}}
}

// With returns data, of which the plan and the claims were read, with the rest as it was read with an older plan.
func (d *Data) With(older *Data) *Data {
	all := *d
	all.Landed, all.History, all.Runs, all.Workers = older.Landed, older.History, older.Runs, older.Workers
	return &all
}

// After is With without the history, of which it has what was accepted today alone, so that two histories are never in memory at once: it is to
// be shown until the rest was read too.
func (d *Data) After(before *Data) *Data {
	all := d.With(before)
	all.History, all.accepted = nil, map[string]acceptance{}
	for id, a := range before.acceptedToday() {
		var reader plan.LineReader
		a.record, _ = reader.Record(jsonl.Line{Text: strings.Clone(a.record.JSON()), Number: 1}) // the text would keep the history
		all.accepted[strings.Clone(id)] = a
	}
	return all
}

// A Message is for the user, about what could not be read.
type Message struct {
	Sort string // "warning" or "hint"
	Text string
}

// Warnings returns what could not be read, or is not as it should be.
func (d *Data) Warnings() (texts []string) {
	if d.Invalid != nil {
		texts = append(texts, d.Invalid.Error())
	}
	for _, m := range d.Messages {
		if m.Sort == "warning" {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// reached returns which events had happened.
func (d *Data) reached() func(*fold.Event) bool {
	if d.Commit == (git.Hash{}) {
		return func(e *fold.Event) bool { return e.InHead }
	}
	if reached := d.History.Reaches(d.Commit); reached != nil {
		return reached
	}
	return func(e *fold.Event) bool { return e.InHead && e.Time <= d.Moment.Unix() }
}

// isToday reports whether a time is on the day of the moment.
func (d *Data) isToday(t time.Time) bool {
	year, month, day := d.Moment.Date()
	y, m, n := t.In(d.Moment.Location()).Date()
	return y == year && m == month && n == day
}
