package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// A Report is what happened in a time.
type Report struct {
	From, Until time.Time // From is zero where it goes back to the beginning
	Total       Tally
	Tasks       []Happened // tasks, issues and items that something happened to, the last one last
	People      []Person   // by how much they did, the most first
	Runs        []Run      // of agents, with the iterations of that time alone
	Usage       Usage      // of these
	Now         map[Status]int
	ForPersons  []Card // what waits for a person now
}

// A Tally counts events of tasks, and those that open and close issues.
type Tally struct {
	Added, Edited, Done, Accepted, Rejected, Cancelled, Opened, Closed int
	Proved                                                             int // acceptances with receipts of checks
}

// A Person is what one author did.
type Person struct {
	Address string // "" where no commit says who it was
	Tally
}

// Happened is what became of a task, an issue or an item.
type Happened struct {
	ID, Name string
	Kind     plan.Kind
	What     plan.EventName // that says most: the last event, but an edit only where there is no other
	Reason   string         // of that
	By       string         // the address of who did it
	At       time.Time
	Proved   bool  // an acceptance has receipts of checks
	Rejected int   // how often, in that time
	Usage    Usage // of agents that worked on it alone
}

// Report returns what happened in a time. in says which events belong to it, and the iterations of agents do by when they began.
func (d *Data) Report(in func(*fold.Event) bool, from, until time.Time) Report {
	r := Report{From: from, Until: until, Now: map[Status]int{}}
	people, tasks := map[string]*Tally{}, map[*fold.Life]*Happened{}
	reached := d.reached()
	for _, e := range d.History.Events {
		if !reached(e) || !in(e) {
			continue
		}
		if people[e.Author] == nil {
			people[e.Author] = &Tally{}
		}
		r.Total.add(e)
		people[e.Author].add(e)
		if e.Life == nil {
			continue
		}
		if tasks[e.Life] == nil {
			tasks[e.Life] = &Happened{ID: e.Life.ID, Name: e.Life.Name, Kind: e.Life.Kind}
		}
		tasks[e.Life].add(e)
	}
	for address, tally := range people {
		r.People = append(r.People, Person{address, *tally})
	}
	slices.SortFunc(r.People, func(a, b Person) int {
		return cmp.Or(cmp.Compare(b.sum(), a.sum()), strings.Compare(a.Address, b.Address))
	})
	used := r.addRuns(d.Runs)
	for _, h := range tasks {
		h.Usage = used[h.ID]
	}
	r.Tasks = happenedIn(tasks)
	for _, c := range d.Cards() {
		if r.Now[c.Status]++; c.Person && c.Status != Accepted && c.Status != Cancelled {
			r.ForPersons = append(r.ForPersons, c)
		}
	}
	return r
}

// happenedIn sorts what happened, the last one last.
func happenedIn(tasks map[*fold.Life]*Happened) (all []Happened) {
	for _, h := range slices.SortedFunc(maps.Values(tasks), func(a, b *Happened) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	}) {
		all = append(all, *h)
	}
	return all
}

func (t *Tally) add(e *fold.Event) {
	switch e.Name {
	case plan.EventAdded:
		t.Added++
	case plan.EventEdited:
		t.Edited++
	case plan.EventDone:
		t.Done++
	case plan.EventAccepted:
		if t.Accepted++; e.Evidence {
			t.Proved++
		}
	case plan.EventRejected:
		t.Rejected++
	case plan.EventCancelled:
		t.Cancelled++
	case plan.EventIssueAdded:
		t.Opened++
	case plan.EventIssueDone:
		t.Closed++
	}
}

func (t Tally) sum() int {
	return t.Added + t.Edited + t.Done + t.Accepted + t.Rejected + t.Cancelled + t.Opened + t.Closed
}

func (h *Happened) add(e *fold.Event) {
	if e.Name == plan.EventRejected {
		h.Rejected++
	}
	if e.Name == plan.EventEdited && h.What != "" && h.What != plan.EventEdited {
		return
	}
	h.What, h.Reason, h.By, h.At, h.Proved = e.Name, e.Reason, e.Author, e.Date, e.Evidence
	if e.IsDecomposition() {
		h.What = plan.EventDecomposed
	}
}

// addRuns adds the runs that have iterations in the time, and returns what those took that were about one task, by its id.
func (r *Report) addRuns(runs []Run) map[string]Usage {
	used := map[string]Usage{}
	for _, run := range runs {
		all := run.Iterations
		run.Iterations = nil
		for _, i := range all {
			if i.Began.Before(r.From) || !i.Began.Before(r.Until) {
				continue
			}
			run.Iterations = append(run.Iterations, i)
			r.Usage.Add(i)
			u := used[i.ID]
			u.Add(i)
			used[i.ID] = u
		}
		if len(run.Iterations) > 0 {
			r.Runs = append(r.Runs, run)
		}
	}
	return used
}
