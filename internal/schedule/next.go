package schedule

import (
	"slices"

	"git-ralph/internal/plan"
)

// Next is what is to be done next.
type Next struct {
	Action  Stage
	Item    *plan.Record   // the task of BUILD and DECOMPOSE, the issue of INVESTIGATE; else nil
	Items   []*plan.Record // the done tasks of VERIFY; else nil
	Stalled []Stall        // in BUILD without an item: every pending task and what blocks it
}

// A Stall is a task and what blocks it.
type Stall struct {
	ID        string
	BlockedBy []string // ids of tasks and issues
	Claimed   bool     // somebody else works on it
	NoAgent   bool     // nobody is to: it is finished without an agent
}

// firstReady returns the first task that is not blocked: of those that this worker has claimed, else of those that nobody
// has claimed; nil where there is none.
func (s *Schedule) firstReady() *plan.Record {
	var first *plan.Record
	for _, t := range s.pending {
		r := &s.records[t.at]
		if s.claims.Others[r.ID()] || !s.ForAgents(r) || s.index.Blocked(r) {
			continue
		}
		if len(s.claims.Own) == 0 || s.claims.Own[r.ID()] {
			return r
		}
		if first == nil {
			first = r
		}
	}
	return first
}

// allWaitForIssues reports whether each pending task waits for an issue, itself
// or through tasks that it waits for.
func (s *Schedule) allWaitForIssues() bool {
	waiting := make(map[string][]string, len(s.pending)) // ids of tasks, by what they wait for
	for _, t := range s.pending {
		task := &s.records[t.at]
		for _, id := range s.BlockedBy(task) {
			waiting[id] = append(waiting[id], task.ID())
		}
	}
	var reached []string
	for _, t := range s.issues {
		reached = append(reached, s.records[t.at].ID())
	}
	seen := make(map[string]bool, len(s.pending))
	for len(reached) > 0 {
		id := reached[len(reached)-1]
		reached = reached[:len(reached)-1]
		for _, task := range waiting[id] {
			if !seen[task] {
				seen[task] = true
				reached = append(reached, task)
			}
		}
	}
	return !slices.ContainsFunc(s.pending, func(t sortEntry) bool { return !seen[s.records[t.at].ID()] })
}

// Next returns what is to be done next.
func (s *Schedule) Next() Next {
	stage, task := s.stage()
	next := Next{Action: stage, Item: task}
	switch {
	case stage == Build && task == nil:
		for _, r := range s.Pending() {
			next.Stalled = append(next.Stalled, Stall{ID: r.ID(), BlockedBy: s.BlockedBy(r), Claimed: s.claims.Others[r.ID()], NoAgent: !s.ForAgents(r)})
		}
	case stage == Verify:
		next.Items = s.ToVerify()
	case stage == Investigate:
		next.Item = s.Issues()[0]
	}
	return next
}
