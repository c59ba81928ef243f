package land

import (
	"cmp"
	"errors"
	"slices"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// branch is a branch in the queue.
type branch struct {
	Branch
	ref      string   // full name, "" for a commit that was named otherwise
	base     string   // that its claim recorded, "" where that is not known
	landing  []string // tasks whose claims in landing name it
	returned bool
	named    bool            // by the user
	own      bool            // of claims that the caller has
	priority int             // of its most urgent task; the smaller, the more urgent
	done     int64           // when its tip was committed
	knew     map[string]bool // tasks that were there when it began
	ends     []string        // tasks that it ends by itself, whatever it is merged into
	judges   []string        // done tasks that it accepts, rejects or changes
	other    bool            // it is not pending because of a task that nobody claimed for it
	// verdicts has the reviews of plans that it finishes or gives another verdict, with those that they had.
	verdicts map[string]pipeline.Verdict
}

// reset forgets what became of a branch in an earlier stack.
func (b *branch) reset() { b.Outcome, b.Paths, b.Reason, b.Tasks, b.Removed = "", nil, "", nil, "" }

func (b *branch) refuse(outcome Outcome, reason string) { b.Outcome, b.Reason = outcome, reason }

func (b *branch) conflict(paths []string) {
	slices.Sort(paths)
	b.Outcome, b.Paths = Conflict, slices.Compact(paths)
}

// sortQueue puts branches in the order in which they land: those that were returned, then by priority, then the oldest.
func sortQueue(all []*branch) {
	slices.SortStableFunc(all, func(a, b *branch) int {
		if a.returned != b.returned {
			if a.returned {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.done, b.done))
	})
}

// rank returns the priority of the most urgent of tasks.
func rank(p *plan.Plan, ids []string) int {
	best := plan.PriorityRank("")
	for _, id := range ids {
		if task, ok := p.Task(id); ok {
			best = min(best, plan.PriorityRank(task.Priority()))
		}
	}
	return best
}

// blame takes a branch out whose plan cannot be merged; any other error is returned.
func (b *branch) blame(err error, path string) error {
	if errors.Is(err, errPlan) {
		b.Outcome, b.Paths, err = InvalidPlan, []string{path}, nil
	}
	return err
}
