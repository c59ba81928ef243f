package cli

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// statistics are counts of a selection, in whole and by what tasks have in
// common.
type statistics struct {
	total  count
	groups []countGroup
}

// A countGroup counts by one thing: "spec", "branch" or "author".
type countGroup struct {
	by     string
	counts []count // by name
}

// A count is how often what happened, and how long it took: for half of the
// tasks less, for half more.
type count struct {
	name                                         string
	created, done, accepted, rejected, cancelled int
	tasks, attempts                              int             // tasks that were attempted, and how often
	work, review                                 []time.Duration // from created to done, from done to accepted
}

func (h selection) statistics() statistics {
	s := statistics{groups: []countGroup{{by: "spec"}, {by: "branch"}, {by: "author"}}}
	by := []func(*fold.Event) string{
		func(e *fold.Event) string { return e.Life.Spec },
		func(e *fold.Event) string { return e.Branch },
		func(e *fold.Event) string { return e.Author },
	}
	for _, e := range h.events {
		if e.Life == nil || e.Life.Kind != plan.KindTask {
			continue
		}
		s.total.add(e)
		for i := range s.groups {
			s.groups[i].of(by[i](e)).add(e)
		}
	}
	s.total.finish()
	for i := range s.groups {
		counts := s.groups[i].counts
		slices.SortFunc(counts, func(a, b count) int { return cmp.Compare(a.name, b.name) })
		for n := range counts {
			counts[n].finish()
		}
	}
	return s
}

// of returns the count of a name, which it makes where there is none.
func (g *countGroup) of(name string) *count {
	i := slices.IndexFunc(g.counts, func(c count) bool { return c.name == name })
	if i < 0 {
		i = len(g.counts)
		g.counts = append(g.counts, count{name: name})
	}
	return &g.counts[i]
}

// add counts one event. Times are those of the authors: from the creation of a
// task to its first completion, and from the completion that counts to its
// acceptance.
func (c *count) add(e *fold.Event) {
	switch e.Name {
	case plan.EventAdded:
		c.created++
	case plan.EventDone:
		c.done++
		c.attempts++
		if firstDone(e.Life) == e {
			c.tasks++
			c.work = lasted(c.work, e.Life.Created, e)
		}
	case plan.EventAccepted:
		c.accepted++
		for _, a := range e.Life.Attempts {
			if a.Outcome == e {
				c.review = lasted(c.review, a.Done, e)
			}
		}
	case plan.EventRejected:
		c.rejected++
	case plan.EventCancelled:
		c.cancelled++
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

func (c *count) finish() {
	slices.Sort(c.work)
	slices.Sort(c.review)
}

// median returns the middle of sorted times, of two the mean, in whole seconds,
// and whether there is one.
func median(times []time.Duration) (seconds int64, ok bool) {
	n := len(times)
	if n == 0 {
		return 0, false
	}
	return int64((times[(n-1)/2] + times[n/2]) / 2 / time.Second), true
}

// write writes {"total": {…}, "by_spec": [{"name", …}], "by_branch", "by_author"}.
func (s statistics) write(w sink) {
	o := object{sink: w}
	o.member("total")
	s.total.write(w, false)
	for _, g := range s.groups {
		o.member("by_" + g.by)
		writeArray(w, len(g.counts), func(i int) { g.counts[i].write(w, true) })
	}
	o.end()
}

func (c count) write(w sink, named bool) {
	o := object{sink: w}
	if named {
		o.strOrNull("name", c.name)
	}
	for _, f := range c.fields() {
		o.value(f.name, strconv.Itoa(f.n))
	}
	o.value("attempted", strconv.Itoa(c.tasks))
	o.value("attempts", strconv.Itoa(c.attempts))
	o.value("seconds_to_done", medianText(c.work))
	o.value("seconds_to_accepted", medianText(c.review))
	o.end()
}

type tally struct {
	name string
	n    int
}

func (c count) fields() []tally {
	return []tally{
		{"created", c.created}, {"done", c.done}, {"accepted", c.accepted}, {"rejected", c.rejected}, {"cancelled", c.cancelled},
	}
}

func medianText(times []time.Duration) string {
	if seconds, ok := median(times); ok {
		return strconv.FormatInt(seconds, 10)
	}
	return "null"
}

// show tells people: a row in whole, then a table for each group.
func (s statistics) show(env *Env) {
	var t table
	names := longestName
	heads := []string{"", "created", "done", "accepted", "rejected", "cancelled", "tries", "to done", "to accepted"}
	switch {
	case !env.Terminal:
	case env.Width < wideTerminal:
		names = narrowName
		heads = []string{"", "new", "done", "acc.", "rej.", "canc.", "tries", "to done", "to acc."}
	default:
		names = min(names, env.Width-figuresWidth)
	}
	var head []cell
	for _, text := range heads {
		head = append(head, cell{text, strong})
	}
	t.add(head...)
	s.total.row(&t, "all", names)
	for _, g := range s.groups {
		t.add(cell{"by " + g.by, faint})
		for _, c := range g.counts {
			c.row(&t, cmp.Or(c.name, "(none)"), names)
		}
	}
	t.write(env)
}

// Widths of the table of counts, in columns.
const (
	longestName  = 48 // of a spec, branch or author
	narrowName   = 20 // likewise on a narrow terminal
	figuresWidth = 77 // of all other columns
)

func (c count) row(t *table, name string, width int) {
	row := []cell{{shorten(name, width), cyan}}
	for _, f := range c.fields() {
		row = append(row, cell{strconv.Itoa(f.n), plainStyle})
	}
	tries := ""
	if c.tasks > 0 {
		tries = strconv.FormatFloat(float64(c.attempts)/float64(c.tasks), 'f', 1, 64)
	}
	t.add(append(row, cell{tries, plainStyle}, cell{shortTime(c.work), plainStyle}, cell{shortTime(c.review), plainStyle})...)
}

// shortTime tells a median in its largest unit.
func shortTime(times []time.Duration) string {
	seconds, ok := median(times)
	if !ok {
		return ""
	}
	for _, unit := range [...]struct {
		seconds int64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}} {
		if seconds >= unit.seconds {
			return strconv.FormatFloat(float64(seconds)/float64(unit.seconds), 'f', 1, 64) + unit.name
		}
	}
	return strconv.FormatInt(seconds, 10) + "s"
}
