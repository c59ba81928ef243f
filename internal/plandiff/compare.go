package plandiff

import (
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A Change says what became of a record or of a field.
type Change string

// The changes, named as the JSON of `git ralph diff` names them.
const (
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
)

// A Diff is what differs between two plans.
type Diff struct {
	Records   []Record // the spec first, then by id
	Reordered bool     // records that both plans have are in another order
	Respelled bool     // something is only spelled differently
}

// Empty reports whether the two files were the same, byte for byte.
func (d Diff) Empty() bool { return len(d.Records) == 0 && !d.Reordered && !d.Respelled }

// A Record is a record that differs.
type Record struct {
	Change Change
	Before plan.Record // the zero Record where it was added
	After  plan.Record // the zero Record where it was removed
	Fields []Field     // what changed in it; empty for added and removed ones
}

// Shown returns the record as it is, or as it was before it was removed.
func (r Record) Shown() plan.Record {
	if r.Change == Removed {
		return r.Before
	}
	return r.After
}

// Compare returns what differs between two plans. Records are matched by
// identity (docs/plan-format.md): tasks and issues by id and, where both have
// it, time of creation; tombstones by what they reject; unknown kinds by "t" and "id".
func Compare(before, after *plan.Plan) Diff {
	old, now := before.Records(), after.Records()
	origin := match(old, now)
	var d Diff
	kept := make([]bool, len(old))
	last := -1
	for i, from := range origin {
		if from < 0 {
			d.Records = append(d.Records, Record{Change: Added, After: now[i]})
			continue
		}
		kept[from] = true
		d.Reordered = d.Reordered || from < last
		last = max(last, from)
		d.compare(old[from], now[i])
	}
	for i, r := range old {
		if !kept[i] {
			d.Records = append(d.Records, Record{Change: Removed, Before: r})
		}
	}
	slices.SortStableFunc(d.Records, func(a, b Record) int { return byIdentity(a.Shown(), b.Shown()) })
	if d.Empty() {
		// Line endings and blank lines belong to no record.
		d.Respelled = string(before.Encode()) != string(after.Encode())
	}
	return d
}

// compare notes how one record differs from what it was.
func (d *Diff) compare(before, after plan.Record) {
	if before.JSON() == after.JSON() {
		return
	}
	if changed := Fields(before, after); len(changed) > 0 {
		d.Records = append(d.Records, Record{Change: Changed, Before: before, After: after, Fields: changed})
		return
	}
	d.Respelled = true
}

// match returns, for each record of now, the index of the record of old that it
// was, or -1. Equal lines are matched first, so that of two records with one id
// the unchanged one counts as unchanged.
func match(old, now []plan.Record) []int {
	origin := make([]int, len(now))
	free := newPool(old, plan.Record.JSON)
	for i, r := range now {
		origin[i] = free.take(r.JSON(), func(int) bool { return true })
	}
	taken := make([]bool, len(old))
	for _, from := range origin {
		if from >= 0 {
			taken[from] = true
		}
	}
	free = newPool(old, identity)
	for i, r := range now {
		if origin[i] < 0 {
			origin[i] = free.take(identity(r), func(from int) bool {
				return !taken[from] && same(old[from], r)
			})
		}
	}
	return origin
}

// A pool holds the indexes of records that are still to be matched, by key.
type pool map[string][]int

func newPool(records []plan.Record, key func(plan.Record) string) pool {
	p := make(pool, len(records))
	for i, r := range records {
		p[key(r)] = append(p[key(r)], i)
	}
	return p
}

// take removes the first index under key that accept accepts, and returns it, or -1.
func (p pool) take(key string, accept func(int) bool) int {
	for n, i := range p[key] {
		if accept(i) {
			p[key] = slices.Delete(p[key], n, n+1)
			return i
		}
	}
	return -1
}

// identity returns a text that is equal for records that may be the same one in two plans.
func identity(r plan.Record) string {
	key := []string{string(r.Kind()), r.ID()}
	if r.Kind() != plan.KindSpec && r.ID() == "" {
		key = append(key, r.JSON())
	}
	return strings.Join(key, "\x00")
}

// same reports whether two records of one identity are the same one.
func same(a, b plan.Record) bool {
	if a.Kind() == plan.KindReject {
		return plan.SameAttempt(a.Attempt(), b.Attempt())
	}
	return a.SameTask(b)
}

// byIdentity compares records in the canonical order, ignoring their bytes, so that the order of lines does not matter.
func byIdentity(a, b plan.Record) int {
	x, y := plan.SortKey{Kind: a.Kind(), ID: a.ID()}, plan.SortKey{Kind: b.Kind(), ID: b.ID()}
	return x.Compare(&y)
}
