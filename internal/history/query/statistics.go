package query

import (
	"cmp"
	"slices"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// Statistics are counts of a selection, in whole and by what tasks have in common.
type Statistics struct {
	Total  Count
	Groups []Group
}

// A Group counts by one property: "spec", "branch" or "author".
type Group struct {
	By     string
	Counts []Count // by name
}

// A Count has the numbers of events of each kind, and how long work and review took.
type Count struct {
	Name                                         string
	Created, Done, Accepted, Rejected, Cancelled int
	Decomposed                                   int             // cancelled because others took their place
	Tasks, Attempts                              int             // tasks that were attempted, and how often
	Work, Review                                 []time.Duration // from created to done, from done to accepted; sorted
}

// Statistics counts the events of tasks.
func (s Selection) Statistics() Statistics {
	all := Statistics{Groups: []Group{{By: "spec"}, {By: "branch"}, {By: "author"}}}
	by := []func(*fold.Event) string{
		func(e *fold.Event) string { return e.Life.Spec },
		func(e *fold.Event) string { return e.Branch },
		func(e *fold.Event) string { return e.Author },
	}
	for _, e := range s.Events {
		if e.Life == nil || e.Life.Kind != plan.KindTask {
			continue
		}
		all.Total.add(e)
		for i := range all.Groups {
			all.Groups[i].count(by[i](e)).add(e)
		}
	}
	all.Total.finish()
	for i := range all.Groups {
		counts := all.Groups[i].Counts
		slices.SortFunc(counts, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
		for n := range counts {
			counts[n].finish()
		}
	}
	return all
}

// count returns the count of a name, which it makes where there is none.
func (g *Group) count(name string) *Count {
	i := slices.IndexFunc(g.Counts, func(c Count) bool { return c.Name == name })
	if i < 0 {
		i = len(g.Counts)
		g.Counts = append(g.Counts, Count{Name: name})
	}
	return &g.Counts[i]
}

// add counts one event. Times are those of the authors: from the creation of a
// task to its first completion, and from the completion that counts to its
// acceptance.
func (c *Count) add(e *fold.Event) {
	switch e.Name {
	case plan.EventAdded:
		c.Created++
	case plan.EventDone:
		c.Done++
		c.Attempts++
		if firstDone(e.Life) == e {
			c.Tasks++
			c.Work = lasted(c.Work, e.Life.Created, e)
		}
	case plan.EventAccepted:
		c.Accepted++
		for _, a := range e.Life.Attempts {
			if slices.Contains(a.Outcomes, e) {
				c.Review = lasted(c.Review, a.Done, e)
			}
		}
	case plan.EventRejected:
		c.Rejected++
	case plan.EventCancelled:
		if e.IsDecomposition() {
			c.Decomposed++
		} else {
			c.Cancelled++
		}
	}
}

// firstDone returns the first completion of a task.
func firstDone(l *fold.Life) *fold.Event {
	for _, a := range l.Attempts {
		if a.Done != nil {
			return a.Done
		}
	}
	return nil
}

// lasted adds the time between two events, unless clocks disagree about it.
func lasted(times []time.Duration, from, to *fold.Event) []time.Duration {
	if from == nil || from.Date.IsZero() || to.Date.Before(from.Date) {
		return times
	}
	return append(times, to.Date.Sub(from.Date))
}

func (c *Count) finish() {
	slices.Sort(c.Work)
	slices.Sort(c.Review)
}

// Median returns the middle of sorted times, of two the mean, in whole seconds,
// and whether there is one.
func Median(times []time.Duration) (seconds int64, ok bool) {
	n := len(times)
	if n == 0 {
		return 0, false
	}
	return int64((times[(n-1)/2] + times[n/2]) / 2 / time.Second), true
}
