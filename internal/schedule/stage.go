package schedule

import (
	"slices"

	"git-ralph/internal/plan"
)

// A Stage is what has to be done next in a plan.
type Stage string

// The stages, in the order in which a plan commonly passes through them.
const (
	Plan        Stage = "PLAN"        // there is no spec, and neither a task that needs none nor items that are done
	Decompose   Stage = "DECOMPOSE"   // work on the next task was killed: it is too large
	Build       Stage = "BUILD"       // tasks are pending
	Verify      Stage = "VERIFY"      // tasks are done and wait to be accepted or rejected, and no other work can go on before
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
	if s.spec == "" && !s.itemsDone && !s.hasTaskOfItem() {
		return Plan, nil
	}
	if s.hasPending(true) {
		return s.stageWithPending()
	}
	switch {
	case s.hasToVerify():
		return Verify, nil
	case len(s.issues) > 0:
		return Investigate, nil
	case len(s.pending) > 0:
		return Build, nil
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
	case task == nil && s.hasPending(false) && s.hasToVerify():
		return Verify, nil
	}
	return Build, task
}

// hasPending reports whether any pending task is for agents, or is not.
func (s *Schedule) hasPending(forAgents bool) bool {
	return slices.ContainsFunc(s.pending, func(e sortEntry) bool { return s.ForAgents(&s.records[e.at]) == forAgents })
}

func (s *Schedule) hasToVerify() bool {
	return slices.ContainsFunc(s.done, func(e sortEntry) bool { return s.ForAgents(&s.records[e.at]) })
}
