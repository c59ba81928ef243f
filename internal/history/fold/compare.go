package fold

import (
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A comparison is one version of a plan beside an earlier one. Either is nil
// where there was no plan.
type comparison struct {
	book          *Book
	before, after *Version
	scratch       *scratch
	moved         bool // from another path
	said          said // by the commit's own message
	told          []Told
}

// events tells what happened between the two versions.
func (c *comparison) events() []Told {
	touched := c.scratch.touched.reset()
	var stones []string
	removed, added := c.differ()
	for _, lines := range [2][]uint32{removed, added} {
		for _, n := range lines {
			l := &c.book.lines[n]
			switch {
			case l.lives():
				touched.of(l)
			case l.key != 0 && l.Kind() == plan.KindReject && !slices.Contains(stones, l.ID()):
				stones = append(stones, l.ID())
			}
		}
	}
	c.specEvent()
	for _, id := range stones {
		c.tombstones(id)
	}
	c.lookUp(touched)
	for i := range touched.list {
		c.record(&touched.list[i])
	}
	return c.told
}

// Changed returns the ids of the records that differ between two versions; either
// is nil where there was no plan.
func (b *Book) Changed(before, after *Version) (ids []string) {
	c := comparison{book: b, before: before, after: after, scratch: &scratch{}}
	removed, added := c.differ()
	for _, n := range slices.Concat(removed, added) {
		if id := b.lines[n].ID(); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// differ returns the lines that only one of the versions has, as many times as
// it has them more often.
func (c *comparison) differ() (removed, added []uint32) {
	old, now := c.book.linesOf(c.before), c.book.linesOf(c.after)
	head, tail := common(old, now)
	old, now = old[head:len(old)-tail], now[head:len(now)-tail]
	if c.twins() {
		return old, now // the order of lines tells which of two counts
	}
	return without(nil, old, now), without(nil, now, old)
}

func (c *comparison) twins() bool {
	return c.before != nil && c.before.twins || c.after != nil && c.after.twins
}

// without appends the lines of a that b does not have to rest, which may lie where a does.
func without(rest, a, b []uint32) []uint32 {
	switch {
	case len(b) == 0:
		return append(rest, a...)
	case len(b) <= worthSearching:
		return withoutFew(rest, a, b)
	}
	count := make(map[uint32]int, len(b))
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

func withoutFew(rest, a, b []uint32) []uint32 {
	var room [worthSearching]uint32
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

// A transition is a record before and after; either may be missing.
type transition struct {
	key
	was, is       plan.Record
	before, after bool // whether it was there
}

// transitions are the records that were touched, by the numbers of their keys.
type transitions struct {
	numbers numbering
	list    []transition
}

// reset makes room for the transitions of another comparison.
func (t *transitions) reset() *transitions {
	t.numbers.reset()
	t.list = t.list[:0]
	return t
}

// find returns the transition of a key, nil where it was not touched.
func (t *transitions) find(number uint32) *transition {
	if i := t.numbers.find(number); i >= 0 {
		return &t.list[i]
	}
	return nil
}

// of notes that a record was touched.
func (t *transitions) of(l *line) {
	if t.numbers.place(l.key) == len(t.list) {
		t.list = append(t.list, transition{key: key{l.Kind(), l.ID()}})
	}
}

// lookUp finds the records that were touched in both versions. An id that stands
// on two lines is that of the first.
func (c *comparison) lookUp(touched *transitions) {
	c.scan(c.before, func(l *line) {
		if t := touched.find(l.key); t != nil && !t.before {
			t.was, t.before = l.Record, true
		}
	})
	c.scan(c.after, func(l *line) {
		if t := touched.find(l.key); t != nil && !t.after {
			t.is, t.after = l.Record, true
		}
	})
}

func (c *comparison) scan(v *Version, visit func(*line)) {
	for _, n := range c.book.linesOf(v) {
		if l := &c.book.lines[n]; l.key != 0 {
			visit(l)
		}
	}
}

func (c *comparison) tell(t Told) { c.told = append(c.told, t) }

// specEvent tells of a new current spec.
func (c *comparison) specEvent() {
	if spec := c.book.spec(c.after); spec != "" && spec != c.book.spec(c.before) {
		c.tell(Told{Name: plan.EventSpec, Kind: plan.KindSpec, ID: spec, Spec: spec})
	}
}

// respecced tells whether the commit changed the spec record.
func (c *comparison) respecced() bool { return c.book.spec(c.before) != c.book.spec(c.after) }

// once tells an event that this comparison may have told before, from another
// line. What the earlier telling left open is filled in.
func (c *comparison) once(t Told) {
	for i := range c.told {
		if o := &c.told[i]; o.same(t) {
			if o.Successor == "" {
				o.Successor = t.Successor
			}
			if t.Before != "" {
				o.Before = t.Before
			}
			o.Left, o.Inferred, o.Quiet = o.Left || t.Left, o.Inferred || t.Inferred, o.Quiet && t.Quiet
			return
		}
	}
	c.tell(t)
}

func (c *comparison) record(t *transition) {
	k := t.key
	switch {
	case t.before && t.after && t.was.JSON() == t.is.JSON():
	case t.before && t.after && !sameBirth(t.was, t.is): // another one under the same id
		c.left(k, t.was)
		c.appeared(k, t.is)
	case t.before && t.after:
		c.changed(k, t.was, t.is)
	case t.after:
		c.appeared(k, t.is)
	case t.before:
		c.left(k, t.was)
	}
}

func sameBirth(a, b plan.Record) bool {
	return a.CreatedAt() == "" || b.CreatedAt() == "" || a.CreatedAt() == b.CreatedAt()
}

// about begins the telling of an event of a record.
func about(name plan.EventName, k key, r plan.Record) Told {
	return Told{Name: name, Kind: k.kind, ID: k.id, Born: r.CreatedAt()}
}

// appeared tells of a record that is new, and of what was done to it before it
// could be seen.
func (c *comparison) appeared(k key, r plan.Record) {
	name := plan.EventAdded
	if k.kind == plan.KindIssue {
		name = plan.EventIssueAdded
	}
	t := about(name, k, r)
	t.After = r.JSON()
	c.tell(t)
	if k.kind != plan.KindTask {
		return
	}
	if r.Text("kill") != "" {
		c.killed(k, plan.Record{}, r)
	}
	if r.Done() {
		c.done(k, plan.Record{}, r)
	}
}

func (c *comparison) killed(k key, was, is plan.Record) {
	t := about(plan.EventKilled, k, is)
	t.Reason, t.Before, t.After = is.Text("kill"), was.JSON(), is.JSON()
	c.tell(t)
}

func (c *comparison) done(k key, was, is plan.Record) {
	t := about(plan.EventDone, k, is)
	t.of(is)
	t.Before, t.After = was.JSON(), is.JSON()
	c.tell(t)
}

// changed tells what became of a record that stays.
func (c *comparison) changed(k key, was, is plan.Record) {
	if fields := changes(was, is); fields != nil {
		t := about(plan.EventEdited, k, is)
		t.Change = digest(fields)
		t.Before, t.After = was.JSON(), is.JSON()
		t.Reborn, t.Earlier = was.CreatedAt() != is.CreatedAt(), was.CreatedAt()
		c.tell(t)
	}
	if k.kind != plan.KindTask {
		return
	}
	if kill := is.Text("kill"); kill != "" && (kill != was.Text("kill") || is.Text("kill_log") != was.Text("kill_log")) {
		c.killed(k, was, is)
	}
	switch {
	case is.Done() && (!was.Done() || !sameAttempt(was, is)):
		c.done(k, was, is)
	case was.Done() && is.Pending() && !c.buried(was):
		t := about(plan.EventReopened, k, is)
		t.of(was)
		t.Before, t.After = was.JSON(), is.JSON()
		c.tell(t)
	}
}

// buried tells whether a tombstone names the present attempt at a task.
func (c *comparison) buried(task plan.Record) bool {
	for _, v := range []*Version{c.before, c.after} {
		for stone := range c.book.all(v, plan.KindReject, task.ID()) {
			if task.Text("done_at")+task.Text("attempt") != "" && sameAttempt(stone, task) {
				return true
			}
		}
	}
	return false
}

// sameAttempt tells whether two records, a task or its tombstone, are of one
// attempt: by "attempt" where both have it, else by "done_at", which may be
// shortened.
func sameAttempt(a, b plan.Record) bool {
	return oneAttempt(a.Text("attempt"), a.Text("done_at"), b.Text("attempt"), b.Text("done_at"))
}

func oneAttempt(attempt, doneAt, otherAttempt, otherDoneAt string) bool {
	if attempt != "" && otherAttempt != "" {
		return attempt == otherAttempt
	}
	if doneAt == "" || otherDoneAt == "" {
		return doneAt == otherDoneAt
	}
	return strings.HasPrefix(doneAt, otherDoneAt) || strings.HasPrefix(otherDoneAt, doneAt)
}
