package view

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A Standing is how a task, an issue or an item stands in the plan of one worktree: what is kept of it to compare it with others.
type Standing struct {
	Kind   plan.Kind
	ID     string
	Name   string
	Status Status // where it has landed is not asked: Done
	Text   string // of the record
}

// Standings returns how the records of a plan stand, by kind and id. Of several with one id, it is the first.
func (d *Data) Standings() []Standing {
	plain := *d
	plain.Landed = nil
	cards := plain.Cards()
	all := make([]Standing, len(cards))
	for i := range cards {
		c := &cards[i]
		all[i] = Standing{c.Kind(), c.ID(), c.Name(), c.Status, c.JSON()}
	}
	slices.SortStableFunc(all, Standing.compare)
	return slices.CompactFunc(all, func(a, b Standing) bool { return a.compare(b) == 0 })
}

func (s Standing) compare(o Standing) int {
	order := func(k plan.Kind) int {
		return slices.Index([]plan.Kind{plan.KindTask, plan.KindIssue, plan.KindItem}, k)
	}
	return cmp.Or(cmp.Compare(order(s.Kind), order(o.Kind)), strings.Compare(s.ID, o.ID))
}

// Share returns standings that hold nothing of the plan that they were made of: what is the same in others is theirs, the rest is copied. Both
// are by kind and id.
func Share(all, others []Standing) []Standing {
	shared := make([]Standing, len(all))
	for i, s := range all {
		for len(others) > 0 && others[0].compare(s) < 0 {
			others = others[1:]
		}
		if len(others) > 0 && others[0].compare(s) == 0 && others[0].Text == s.Text {
			status := s.Status
			s = others[0]
			s.Status = status
		} else {
			s = Standing{s.Kind, strings.Clone(s.ID), strings.Clone(s.Name), s.Status, strings.Clone(s.Text)}
		}
		shared[i] = s
	}
	return shared
}

// A Comparison is in what the plans of worktrees differ.
type Comparison struct {
	Rows []Difference // by kind and id
	More int          // further records that differ
}

// A Difference is a record that is not the same in all plans.
type Difference struct {
	Kind  plan.Kind
	ID    string
	Name  string // in the first plan that has it
	Cells []Cell // one for each plan
}

// A Cell is how a record stands in one of the plans.
type Cell struct {
	Status Status // "" where that plan does not have it
	Text   int    // plans with one number have the same text: 1 is the first one's that has the record; 0 where it is absent
}

// Compare compares the standings of plans, each by kind and id, and returns so many differences at most.
func Compare(plans [][]Standing, limit int) (c Comparison) {
	rest := slices.Clone(plans)
	for {
		var next *Standing
		for _, p := range rest {
			if len(p) > 0 && (next == nil || p[0].compare(*next) < 0) {
				next = &p[0]
			}
		}
		if next == nil {
			return c
		}
		d, differs := take(rest, *next)
		switch {
		case !differs:
		case len(c.Rows) == limit:
			c.More++
		default:
			c.Rows = append(c.Rows, d)
		}
	}
}

// take takes a record from the front of all plans that have it, and reports whether it differs.
func take(rest [][]Standing, next Standing) (d Difference, differs bool) {
	d = Difference{Kind: next.Kind, ID: next.ID, Cells: make([]Cell, len(rest))}
	var texts []string
	for i, p := range rest {
		if len(p) == 0 || p[0].compare(next) != 0 {
			continue
		}
		rest[i] = p[1:]
		at := slices.Index(texts, p[0].Text)
		if at < 0 {
			at, texts = len(texts), append(texts, p[0].Text)
			if at == 0 {
				d.Name = p[0].Name
			}
		}
		d.Cells[i] = Cell{p[0].Status, at + 1}
	}
	return d, slices.ContainsFunc(d.Cells, func(c Cell) bool { return c != d.Cells[0] })
}
