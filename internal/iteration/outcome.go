package iteration

import (
	"context"

	"git-ralph/internal/agent"
	"git-ralph/internal/changes"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// An Outcome is the result of an iteration.
type Outcome struct {
	Agent    agent.Outcome
	Result   Result // "" where the agent did not run
	Text     string // for people: the reason for the result
	Steps    []plan.Event
	Commits  int
	Progress bool
	Planned  bool   // the spec was planned
	Damage   string // what the agent destroyed, which was repaired
	Lost     int    // tasks that left the plan while HEAD lost commits
	Memory   Memory
}

// outcome compares the plan and git with their state before the iteration, and warns of what a person should know.
func (f finishedJob) outcome(ctx context.Context, s settled) Outcome {
	o := Outcome{Agent: f.ended, Steps: f.withOwnEnding(ctx, f.steps(s.after), s.after), Damage: s.damage, Memory: s.memory}
	f.warnOfBranch(s.after.Branch)
	f.warnOfFiles(ctx, s)
	f.warnOfUsersFiles(o.Steps)
	f.warnOfReasons(o.Steps, s.after)
	f.warnOfOwnAcceptance(o.Steps)
	var lost, repeated bool
	o.Commits, lost = f.commits(ctx, s.after.Head)
	if o.Commits > 0 {
		f.warnOfSecrets(ctx, s.after.Head)
	}
	if lost {
		o.Lost = count(o.Steps, plan.EventCancelled) + count(o.Steps, plan.EventAccepted)
	}
	o.Memory.answers, repeated = f.remember(o.Steps)
	o.Planned = s.applied.planned || f.Stage() == schedule.Plan && count(o.Steps, plan.EventAdded) > 0 // by commands of its own
	o.Progress = !lost && !repeated && s.memory.Stuck == nil && s.damage == "" && f.changed(ctx, o, s.after)
	o.Result, o.Text = f.result(s, o, lost, repeated)
	return o
}

// changed reports whether the iteration changed what counts as progress.
func (f finishedJob) changed(ctx context.Context, o Outcome, after State) bool {
	if f.Source != nil {
		return after.Work.Mark != f.State.Work.Mark
	}
	return o.Planned || isProgress(o.Steps) || f.isReviewed(after.Plan) || o.Commits > 0 && !f.onlyPlan(ctx, after.Head)
}

// warnOfUsersFiles warns of files that the user had changed before the run and that the iteration changed again: they are
// never committed.
func (f finishedJob) warnOfUsersFiles(steps []plan.Event) {
	changed := f.Changes.ChangedUserFiles()
	if len(changed) == 0 || f.Source != nil { // whose agents commit what they like
		return
	}
	who := "the agent"
	if f.ID() != "" && count(steps, plan.EventDone) > 0 {
		who = f.ID() + " is done, and its agent"
	}
	f.warn("%s changed files that had changes before the run; these are not committed: %s", who, changes.Listed(changed))
}
