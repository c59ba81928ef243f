package loop

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/iteration"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// A Preview is what the next iteration would be, or why there would be none.
type Preview struct {
	Stage  schedule.Stage
	Prompt string
	Why    Reason
	Text   string
}

// Ready returns why Run would not start an agent, "" if it would. The error is that of an invalid prompt or a missing
// agent, which is found before the run unless there is nothing to do.
func (l *Loop) Ready(ctx context.Context) (why Reason, text string, err error) {
	t, err := l.unblocked(ctx)
	if err != nil {
		return "", "", err
	}
	why, text = l.endReason(t)
	if why == "" && t.Head == "" && !l.Goals.Plan {
		return "", "", plan.ErrNoHead // no task could be done
	}
	if _, due, err := l.follows(ctx, t.State); due || err != nil {
		return "", "", err
	}
	if why == Nothing && l.Goals.Push && l.countUnpushed(ctx) > 0 {
		return "", "", nil
	}
	if why != "" {
		return why, text, nil
	}
	return "", "", l.canStart()
}

// unblocked returns the target. It is an error if the task of Goals.Task is blocked.
func (l *Loop) unblocked(ctx context.Context) (target, error) {
	t, err := l.target(ctx)
	if err == nil && l.Goals.Task != "" {
		err = t.blocked
	}
	return t, err
}

// canStart returns an error where a prompt cannot be used or an agent is not installed.
func (l *Loop) canStart() error {
	names := prompt.Names()
	if l.Goals.Work != nil {
		names = nil // it has prompts of its own
	}
	for _, name := range names {
		if _, err := prompt.Load(l.workspace.PromptRoot(), name); err != nil {
			return err
		}
	}
	return l.Agents.Check(l.Goals, l.Environ)
}

// Preview returns what Run would do first. It starts and changes nothing.
func (l *Loop) Preview(ctx context.Context) (Preview, error) {
	t, err := l.unblocked(ctx)
	if err != nil {
		return Preview{}, err
	}
	if why, text := l.endReason(t); why != "" {
		return Preview{Why: why, Text: text}, nil
	}
	return l.render(ctx, t.State)
}

// Render returns a prompt, whichever stage the plan is in, for the task that would come first there. Without a
// name it is Preview.
func (l *Loop) Render(ctx context.Context, name prompt.Name) (Preview, error) {
	if name == "" {
		return l.Preview(ctx)
	}
	t, err := l.target(ctx)
	if err != nil {
		return Preview{}, err
	}
	stage := schedule.Stage(strings.ToUpper(string(name)))
	if !slices.Contains(prompt.Stages(), stage) {
		return l.renderStep(ctx, t.State, name)
	}
	if stage != t.Next.Action {
		t.Next = nextIn(t.Plan, stage)
	}
	if t.Next.Item == nil && (stage == schedule.Build || stage == schedule.Decompose) {
		return Preview{Why: Nothing, Text: "no task is pending"}, nil
	}
	return l.render(ctx, t.State)
}

// renderStep returns the prompt of a step for the first pending task that does it for an item: a ready one, if there is any.
func (l *Loop) renderStep(ctx context.Context, s iteration.State, name prompt.Name) (Preview, error) {
	sched := schedule.Of(s.Plan)
	for _, task := range append(sched.Ready(), sched.Pending()...) {
		if t, _ := pipeline.TaskOf(s.Plan, *task); prompt.OfStep(t.Step) == name {
			s.Next = schedule.Next{Action: schedule.Build, Item: task}
			return l.render(ctx, s)
		}
	}
	return Preview{Why: Nothing, Text: "no pending task of an item is for " + string(name)}, nil
}

// nextIn returns what would be next if the plan were in a stage.
func nextIn(p *plan.Plan, stage schedule.Stage) schedule.Next {
	sched, next := schedule.Of(p), schedule.Next{Action: stage}
	switch stage {
	case schedule.Build, schedule.Decompose:
		if pending := sched.Pending(); len(pending) > 0 {
			next.Item = pending[0]
		}
	case schedule.Verify:
		next.Items = sched.ToVerify()
	}
	return next
}

func (l *Loop) render(ctx context.Context, s iteration.State) (Preview, error) {
	text, err := l.workspace.Render(ctx, l.preview(s))
	return Preview{Stage: s.Next.Action, Prompt: text}, err
}

// preview returns the job for a state, with what its prompt depends on.
func (l *Loop) preview(s iteration.State) iteration.Job {
	return iteration.Job{State: s, Began: l.Now(), Agent: l.Agents[s.Next.Action], Spec: l.Goals.Spec}
}
