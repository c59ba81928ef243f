package schedule

import (
	"slices"

	"git-ralph/internal/plan"
)

// A Stage is what a plan asks for now.
type Stage string

// The stages, in the order in which a plan commonly passes through them.
const (
	Plan        Stage = "PLAN"        // there is no spec
	Decompose   Stage = "DECOMPOSE"   // work on the next task was killed: it is too large
	Build       Stage = "BUILD"       // tasks are pending
	Verify      Stage = "VERIFY"      // all tasks are done and wait to be accepted or rejected
	Investigate Stage = "INVESTIGATE" // only issues are left, or every pending task waits for one
	Complete    Stage = "COMPLETE"    // nothing is left
)

// Next is what is to be done next.
type Next struct {
	Action  Stage
	Item    *plan.Record   // the task of BUILD and DECOMPOSE, the issue of INVESTIGATE; else nil
	Items   []*plan.Record // the done tasks of VERIFY; else nil
	Stalled []Stall        // in BUILD without an item: every pending task and what holds it back
}

// A Stall is a task and what holds it back.
type Stall struct {
	ID        string
	BlockedBy []string // ids of tasks and issues; at least one
}

// Stage returns the stage that the plan is in.
func (s *Schedule) Stage() Stage {
	stage, _ := s.stage()
	return stage
}

// stage also returns the task that comes next in BUILD and DECOMPOSE, nil where
// all are held back.
func (s *Schedule) stage() (Stage, *plan.Record) {
	if s.spec == "" {
		return Plan, nil
	}
	if len(s.pending) > 0 {
		return s.working()
	}
	switch {
	case len(s.done) > 0:
		return Verify, nil
	case len(s.issues) > 0:
		return Investigate, nil
	}
	return Complete, nil
}

// working is stage for a plan with pending tasks.
func (s *Schedule) working() (Stage, *plan.Record) {
	task := s.firstReady()
	switch {
	case task != nil && task.Text("kill") != "":
		return Decompose, task
	case task == nil && s.allWaitForIssues():
		return Investigate, nil
	}
	return Build, task
}

// firstReady returns the first of Ready without sorting all, or nil.
func (s *Schedule) firstReady() *plan.Record {
	var first *plan.Record
	var soonest turn
	for _, at := range s.pending {
		t := s.turn(at, s.urgency)
		if (first == nil || s.compare(t, soonest) < 0) && !s.index.Blocked(s.records[at]) {
			first, soonest = &s.records[at], t
		}
	}
	return first
}

// allWaitForIssues tells whether each pending task waits for an issue, itself
// or through tasks that it waits for.
func (s *Schedule) allWaitForIssues() bool {
	waiting := make(map[string][]string, len(s.pending)) // ids of tasks, by what they wait for
	for _, at := range s.pending {
		task := &s.records[at]
		for _, id := range s.BlockedBy(task) {
			waiting[id] = append(waiting[id], task.ID())
		}
	}
	var reached []string
	for _, at := range s.issues {
		reached = append(reached, s.records[at].ID())
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
	return !slices.ContainsFunc(s.pending, func(at int32) bool { return !seen[s.records[at].ID()] })
}

// Next returns what is to be done next.
func (s *Schedule) Next() Next {
	stage, task := s.stage()
	next := Next{Action: stage, Item: task}
	switch {
	case stage == Build && task == nil:
		for _, r := range s.Pending() {
			next.Stalled = append(next.Stalled, Stall{ID: r.ID(), BlockedBy: s.BlockedBy(r)})
		}
	case stage == Verify:
		next.Items = s.Done()
	case stage == Investigate:
		next.Item = s.Issues()[0]
	}
	return next
}
