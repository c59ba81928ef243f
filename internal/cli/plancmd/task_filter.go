package plancmd

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/plan"
)

// A taskFilter says which tasks of a plan to list. Filters combine.
type taskFilter struct {
	status  string // one of taskStatuses, or "all"
	search  string // a part of any text
	spec    string // "" for every spec
	labels  []string
	blocked bool // only those that wait
	ready   bool // only those that can be done now
}

func (f taskFilter) matches(s planprint.State, r *plan.Record) bool {
	waits := len(s.BlockedBy(r)) > 0
	ready := !waits && r.Pending()
	switch {
	case f.spec != "" && f.spec != r.Spec(), f.blocked && !waits, f.ready && !ready:
		return false
	case f.search != "" && !r.ContainsText(f.search):
		return false
	case slices.ContainsFunc(f.labels, func(l string) bool { return !slices.Contains(r.Texts("labels"), l) }):
		return false
	}
	switch f.status {
	case "ready":
		return ready
	case "blocked":
		return waits
	case "killed":
		return r.Pending() && r.Has("kill")
	case "rejected":
		return r.Pending() && r.Has("reject")
	}
	return f.status == "all" || f.status == r.State()
}

// taskStatuses returns the statuses that a task of the plan can have.
func taskStatuses() []string {
	return []string{"pending", "done", "ready", "blocked", "killed", "rejected"}
}

// taskOrder returns how to sort tasks that stand in the order of work; nil for a
// key that does not exist.
func taskOrder(key string) func([]*plan.Record) {
	key, reversed := strings.CutPrefix(key, "-")
	orders := map[string]func(a, b *plan.Record) int{
		"work":     func(a, b *plan.Record) int { return 0 },
		"created":  plan.CompareAge,
		"priority": func(a, b *plan.Record) int { return plan.PriorityRank(a.Priority()) - plan.PriorityRank(b.Priority()) },
		"name":     func(a, b *plan.Record) int { return cmp.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name())) },
		"id":       func(a, b *plan.Record) int { return cmp.Compare(a.ID(), b.ID()) },
	}
	order, found := orders[key]
	if !found {
		return nil
	}
	return func(tasks []*plan.Record) {
		slices.SortStableFunc(tasks, order)
		if reversed {
			slices.Reverse(tasks)
		}
	}
}
