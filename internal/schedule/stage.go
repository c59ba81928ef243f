package schedule

import (
	"git-ralph/internal/plan"
)

// A Stage is what has to be done next in a plan.
type Stage string

// The stages, in the order in which a plan commonly passes through them.
const (
	Plan        Stage = "PLAN"        // there is no spec, and no task that needs none
	Decompose   Stage = "DECOMPOSE"   // work on the next task was killed: it is too large
	Build       Stage = "BUILD"       // tasks are pending
	Verify      Stage = "VERIFY"      // all tasks are done and wait to be accepted or rejected
	Investigate Stage = "INVESTIGATE" // only issues are left, or every pending task waits for one
	Complete    Stage = "COMPLETE"    // nothing is left
)

// Stage returns the stage that the plan is in.
func (s *Schedule) Stage() Stage {
	stage, _ := s.stage()
	return stage
}

// stage also returns the task that comes next in BUILD and DECOMPOSE, nil where
// all are blocked.
func (s *Schedule) stage() (Stage, *plan.Record) {
	if s.spec == "" && !s.hasTaskOfItem() {
		return Plan, nil
	}
	if len(s.pending) > 0 {
		return s.stageWithPending()
	}
	switch {
	case len(s.done) > 0:
		return Verify, nil
	case len(s.issues) > 0:
		return Investigate, nil
	}
	return Complete, nil
}

// hasTaskOfItem reports whether there is a task that needs no spec.
func (s *Schedule) hasTaskOfItem() bool {
	for i := range s.records {
		if s.records[i].IsOfItem() {
			return true
		}
	}
	return false
}

// stageWithPending is stage for a plan with pending tasks.
func (s *Schedule) stageWithPending() (Stage, *plan.Record) {
	task := s.firstReady()
	switch {
	case task != nil && task.Text("kill") != "":
		return Decompose, task
	case task == nil && s.allWaitForIssues():
		return Investigate, nil
	}
	return Build, task
}
