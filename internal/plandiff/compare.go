package plandiff

import (
	"cmp"
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
	Records   []Record // in the order of identity: the spec first, then by id
	Reordered bool     // records that both plans have stand in another order
	Respelled bool     // something is spelled differently that means the same
}

// Empty tells whether the two files were the same, byte for byte.
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
	if changed := fields(before, after); len(changed) > 0 {
		d.Records = append(d.Records, Record{Change: Changed, Before: before, After: after, Fields: changed})
		return
	}
	d.Respelled = true
}

// match returns, for each record of now, the index of the record of old that
// it was, or -1. Equal lines find each other first, so that of two records
// with one id the untouched one stays untouched.
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
				return !taken[from] && old[from].SameTask(r)
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

// take removes the first index under key that will do, and returns it, or -1.
func (p pool) take(key string, will func(int) bool) int {
	for n, i := range p[key] {
		if will(i) {
			p[key] = slices.Delete(p[key], n, n+1)
			return i
		}
	}
	return -1
}

// identity returns what makes a record the same one in two plans.
func identity(r plan.Record) string {
	key := []string{string(r.Kind()), r.ID()}
	switch {
	case r.Kind() == plan.KindReject:
		key = append(key, r.Text("done_at"), r.Text("attempt"))
	case r.Kind() != plan.KindSpec && r.ID() == "":
		key = append(key, r.JSON())
	}
	return strings.Join(key, "\x00")
}

// byIdentity compares records as the canonical order of the file does, so that
// the order of lines does not show.
func byIdentity(a, b plan.Record) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		strings.Compare(a.ID(), b.ID()),
		cmp.Compare(kindRank(a.Kind()), kindRank(b.Kind())),
		strings.Compare(string(a.Kind()), string(b.Kind())),
	)
}

func rank(r plan.Record) int {
	switch {
	case r.Kind() == plan.KindSpec:
		return 0
	case r.ID() == "":
		return 1
	}
	return 2
}

func kindRank(k plan.Kind) int {
	switch k {
	case plan.KindTask, plan.KindIssue:
		return 0
	case plan.KindReject:
		return 1
	}
	return 2
}
