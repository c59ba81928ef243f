package iteration

import (
	"context"
	"slices"

	"git-ralph/internal/agent"
	"git-ralph/internal/plan"
)

// A Source is what a run works on in place of the plan, such as a workplan.
type Source interface {
	// Look returns how the work is now.
	Look(ctx context.Context) (Work, error)
}

// Work is how a Source is at one moment. An agent changes it by commands and edits; it does not report.
type Work struct {
	ID, Name string                   // of what to do next; "" where it cannot be read
	Done     []plan.Event             // of the tasks that are done
	Left     int                      // tasks that are not
	Mark     string                   // another one whenever the work, HEAD or a file of the worktree changed
	Prompt   string                   // of the next agent
	Missing  string                   // what keeps the work from being done; "" where it is
	Promised func(output string) bool // reports whether an agent says that the work is done
	Invalid  error                    // why it cannot be read, which an agent may repair
	Over     error                    // why there is no further iteration although the work is not done
}

// IsDone reports whether nothing is left to do.
func (w Work) IsDone() bool { return w.Missing == "" && w.Invalid == nil && w.Over == nil }

// settleWork looks at what the agent did, and commits what it left of a task that it finished. Where it says that the work is done, and
// it is not, the next prompt says what is missing.
func (f finishedJob) settleWork(ctx context.Context, s settled) (settled, error) {
	work, err := f.Source.Look(ctx)
	if err != nil {
		return settled{}, err
	}
	refused, tried, err := f.commitLeft(ctx, work)
	if err != nil {
		return settled{}, err
	}
	if tried {
		s.memory.Refused = refused
	}
	if work, err = f.Source.Look(ctx); err != nil { // HEAD may be another one
		return settled{}, err
	}
	if s.after, err = ReadBeside(ctx, f.Store); err != nil {
		return settled{}, err
	}
	s.after.Work = &work
	if work.Invalid != nil && s.damage == "" && f.ended.End != agent.Interrupted && !limited(f.ended) {
		s.damage = "the agent left an invalid file: " + work.Invalid.Error()
	}
	if s.applied.feedback = refused; refused == "" && f.ended.Success() && work.Missing != "" && work.Promised(f.ended.Output) {
		s.applied.feedback = work.Missing
	}
	s.memory.feedback = feedback{f.Stage(), s.after.itemID(), s.applied.feedback}
	return s, nil
}

// steps returns what changed in the plan, and which tasks of a Source have become done.
func (f finishedJob) steps(after State) []plan.Event {
	var steps []plan.Event
	if f.State.Invalid == nil && after.Invalid == nil {
		steps = plan.Events(f.State.Plan, after.Plan)
	}
	if f.Source == nil {
		return steps
	}
	return append(steps, f.finished(*after.Work, steps)...) // a task of the plan may have come from the work, and have its id
}

// finished returns the tasks of a Source that have become done, but for those that are known.
func (f finishedJob) finished(now Work, known []plan.Event) (all []plan.Event) {
	known = slices.Concat(f.State.Work.Done, known)
	for _, done := range now.Done {
		if !slices.ContainsFunc(known, func(e plan.Event) bool { return e.Name == done.Name && e.ID == done.ID }) {
			all = append(all, done)
		}
	}
	return all
}
