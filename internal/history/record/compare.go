package record

import (
	"slices"

	"git-ralph/internal/plan"
)

// A comparison is one version of a plan beside an earlier one. Either is nil where there was no plan.
type comparison struct {
	lines         *LineTable
	before, after *Version
	moved         bool         // from another path
	newSpec       bool         // they have different specs
	trailers      trailers     // of the commit's message, which decide how a task ended that left the plan
	room          *transitions // for the records that differ
	events        []Event      // found so far
}

// compare returns what happened between the two versions.
func (c *comparison) compare() []Event {
	touched := c.room.reset()
	var rejected []string
	removed, added := c.changedLines()
	for _, lines := range [2][]uint32{removed, added} {
		for _, n := range lines {
			l := &c.lines.lines[n]
			switch {
			case l.isWork():
				touched.add(l)
			case l.key != 0 && l.Kind() == plan.KindReject && !slices.Contains(rejected, l.ID()):
				rejected = append(rejected, l.ID())
			}
		}
	}
	spec := c.lines.spec(c.after)
	if c.newSpec = spec != c.lines.spec(c.before); c.newSpec && spec != "" {
		c.add(Event{Name: plan.EventSpec, Kind: plan.KindSpec, ID: spec, Spec: spec})
	}
	for _, id := range rejected {
		c.rejections(id)
	}
	touched.find(c.lines, c.before, c.after)
	for i := range touched.list {
		c.record(&touched.list[i])
	}
	return c.events
}

// changedLines returns the lines that only one of the versions has, as many times as
// it has them more often.
func (c *comparison) changedLines() (removed, added []uint32) {
	old, now := c.lines.linesOf(c.before), c.lines.linesOf(c.after)
	head, tail := common(old, now)
	old, now = old[head:len(old)-tail], now[head:len(now)-tail]
	if c.duplicates() {
		return old, now // the order of lines decides which of two counts
	}
	return without(nil, old, now), without(nil, now, old)
}

func (c *comparison) duplicates() bool {
	return c.before != nil && c.before.duplicates || c.after != nil && c.after.duplicates
}

// without appends what a has more often than b to rest, which may lie where a does.
func without[T comparable](rest, a, b []T) []T {
	switch {
	case len(b) == 0:
		return append(rest, a...)
	case len(b) <= worthSearching:
		return withoutFew(rest, a, b)
	}
	count := make(map[T]int, len(b))
	for _, n := range b {
		count[n]++
	}
	for _, n := range a {
		if count[n]--; count[n] < 0 {
			rest = append(rest, n)
		}
	}
	return rest
}

func withoutFew[T comparable](rest, a, b []T) []T {
	var room [worthSearching]T
	left := room[:copy(room[:], b)]
	for _, n := range a {
		if i := slices.Index(left, n); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			rest = append(rest, n)
		}
	}
	return rest
}

func (c *comparison) add(e Event) { c.events = append(c.events, e) }

// addOnce adds an event that may have been found before, from another line. What was left open then is filled in.
func (c *comparison) addOnce(e Event) {
	for i := range c.events {
		if o := &c.events[i]; o.ID == e.ID && o.same(e) { // without the first, which copies nothing, a plan that goes takes long
			if o.Successor == "" {
				o.Successor = e.Successor
			}
			if e.Before != "" {
				o.Before = e.Before
			}
			o.Left, o.Inferred, o.Repeat, o.Rejects = o.Left || e.Left, o.Inferred || e.Inferred, o.Repeat && e.Repeat, o.Rejects || e.Rejects
			return
		}
	}
	c.add(e)
}

// record adds what happened to a record.
func (c *comparison) record(t *transition) {
	switch {
	case t.before && t.after && t.was.JSON() == t.is.JSON():
	case t.before && t.after && t.was.SameTask(t.is):
		c.changed(t.key, t.was, t.is)
	default: // added, removed, or another one under the same id
		if t.before {
			c.removed(t.key, t.was)
		}
		if t.after {
			c.added(t.key, t.is)
		}
	}
}

// eventOf begins an event of a record, which stands so before and after it.
func eventOf(name plan.EventName, k key, r plan.Record, before, after string) Event {
	return Event{Name: name, Kind: k.kind, ID: k.id, CreatedAt: r.CreatedAt(), Before: before, After: after}
}

// added adds that a record is new, and what was done to it before it could be seen.
func (c *comparison) added(k key, r plan.Record) {
	switch k.kind {
	case plan.KindIssue:
		c.add(eventOf(plan.EventIssueAdded, k, r, "", r.JSON()))
	case plan.KindItem:
		c.add(eventOf(plan.EventItemAdded, k, r, "", r.JSON()))
	default:
		c.add(eventOf(plan.EventAdded, k, r, "", r.JSON()))
		c.stateChanged(k, plan.Record{}, r)
	}
}

// changed adds what happened to a record that stays.
func (c *comparison) changed(k key, was, is plan.Record) {
	if fields := plan.Edits(was, is); len(fields) > 0 {
		e := eventOf(plan.EventEdited, k, is, was.JSON(), is.JSON())
		e.Change = digest(fields)
		e.Redated, e.EarlierCreatedAt = was.CreatedAt() != is.CreatedAt(), was.CreatedAt()
		c.add(e)
	}
	switch k.kind {
	case plan.KindTask:
		c.stateChanged(k, was, is)
	case plan.KindItem:
		c.itemMoved(k, was, is)
	}
}

// itemMoved adds that an item moved to another state.
func (c *comparison) itemMoved(k key, was, is plan.Record) {
	before, _ := was.Get("state")
	after, _ := is.Get("state")
	if was.Text("state") == is.Text("state") {
		return
	}
	e := eventOf(plan.EventItemMoved, k, is, was.JSON(), is.JSON())
	e.Change, e.Reason = digest([]plan.FieldChange{{Name: "state", Before: before, After: after}}), is.Text("state")
	c.add(e)
}

// stateChanged adds how the state of a task changed.
func (c *comparison) stateChanged(k key, was, is plan.Record) {
	for _, name := range plan.StateEvents(was, is, func(plan.Attempt) bool { return c.isAttemptRejected(was) }) {
		e := eventOf(name, k, is, was.JSON(), is.JSON())
		switch name {
		case plan.EventKilled:
			e.Reason = is.Text("kill")
		case plan.EventDone:
			e.setAttempt(is)
		default:
			e.setAttempt(was)
		}
		c.add(e)
	}
}
