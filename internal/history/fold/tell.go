package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// differs tells whether a commit's plan is another one than that of each of its
// parents.
func (f *folder) differs(at int32) bool {
	c := &f.commits[at]
	if f.Cut[c.ID] || c.From == c.To {
		return !c.Plan.IsZero()
	}
	for _, p := range f.parents(at) {
		if p >= 0 && f.commits[p].Plan == c.Plan && !f.commits[p].Blind {
			return false
		}
	}
	return true
}

// tell returns what a commit tells, in the order in which it happened.
func (f *folder) tell(at int32) []Told {
	base := f.base(at)
	after := f.shown(at)
	message := said(nil)
	if text, ok := f.hear(at); ok {
		message = parse(text)
	}
	w := witness{book: f.Book, after: after, blind: base.hidden}
	if len(base.commits) > 0 {
		w.before = f.shown(base.commits[0])
	}
	if base.hidden {
		w.told = f.standingStones(after)
	} else {
		w.told = f.ownEvents(at, base, message)
	}
	w.hear(message)
	sortTold(w.told)
	if w.told != nil {
		f.scratch.told = w.told
	}
	return slices.Clone(w.told)
}

// ownEvents returns the events that follow from a commit's plan against every
// one of the plans that it is compared with.
func (f *folder) ownEvents(at int32, base base, message said) []Told {
	after := f.shown(at)
	own := f.scratch.told[:0]
	if len(base.commits) == 0 {
		return f.compare(own, none, at, nil, after, message)
	}
	own = f.compare(own, base.commits[0], at, f.shown(base.commits[0]), after, message)
	var others [][]Told
	for _, p := range base.commits[1:] {
		others = append(others, f.compare(nil, p, at, f.shown(p), after, message))
	}
	if others == nil {
		return own
	}
	kept := own[:0]
	for _, t := range own {
		if f.follows(&t, others) {
			kept = append(kept, t)
		}
	}
	return kept
}

// follows tells whether an event follows against other parents too, and leaves of it what does.
func (f *folder) follows(t *Told, others [][]Told) bool {
	edited := t.Name == plan.EventEdited && t.Before != ""
	var fields []change
	if edited {
		fields = changes(f.recordOf(t.Before), f.recordOf(t.After))
	}
	for _, told := range others {
		i := slices.IndexFunc(told, t.same)
		if i < 0 {
			return false
		}
		t.Left, t.Quiet, t.Inferred = t.Left && told[i].Left, t.Quiet && told[i].Quiet, t.Inferred || told[i].Inferred
		if edited {
			fields = inBoth(fields, changes(f.recordOf(told[i].Before), f.recordOf(told[i].After)))
		}
	}
	if edited {
		t.Change = digest(fields)
	}
	return !edited || len(fields) > 0
}

// standingStones returns the tombstones of a plan of which nothing says what was before it.
func (f *folder) standingStones(v *Version) []Told {
	c := comparison{book: f.Book, after: v, scratch: f.scratch}
	var seen []string
	for _, n := range f.Book.linesOf(v) {
		l := &f.Book.lines[n]
		if l.key != 0 && l.Kind() == plan.KindReject && !slices.Contains(seen, l.ID()) {
			seen = append(seen, l.ID())
			c.tombstones(l.ID())
		}
	}
	for i := range c.told {
		c.told[i].Quiet = true
	}
	return c.told
}

// compare appends to told what happened from one commit to another.
func (f *folder) compare(told []Told, from, to int32, before, after *Version, message said) []Told {
	c := comparison{book: f.Book, before: before, after: after, said: message, scratch: f.scratch, told: told}
	if from != none && before != nil && after != nil && f.commits[from].Path != f.commits[to].Path {
		c.moved = !f.Book.Follows(before, after)
	}
	return c.events()
}

// Follows tells whether a plan at another path is the same one, moved: it holds
// half of the ids or more.
func (b *Book) Follows(before, after *Version) bool {
	ids := map[uint32]bool{}
	for _, n := range b.linesOf(before) {
		if l := &b.lines[n]; l.lives() {
			ids[l.key] = true
		}
	}
	all := len(ids)
	for _, n := range b.linesOf(after) {
		delete(ids, b.lines[n].key)
	}
	return 2*(all-len(ids)) >= all
}

// Moves tells whether a plan that is gone lives on in one that appeared
// elsewhere: it had ids, and the other holds half of them or more.
func (b *Book) Moves(before, after *Version) bool {
	return before.Readable() && after.Readable() && b.hasIDs(before) && b.Follows(before, after)
}

func (b *Book) hasIDs(v *Version) bool {
	for _, n := range b.linesOf(v) {
		if l := &b.lines[n]; l.lives() {
			return true
		}
	}
	return false
}
