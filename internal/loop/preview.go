package loop

import (
	"context"

	"git-ralph/internal/plan"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// A Preview is what the next iteration would be, or why there is none.
type Preview struct {
	Stage  schedule.Stage
	Prompt string
	Why    Reason
	Text   string
}

// Ready returns why Run would start nothing, if so. Prompts that cannot be used and agents that are not installed are
// errors now, not in the middle of a night; where there is nothing to do, no agent is needed.
func (l *Loop) Ready(ctx context.Context) (why Reason, text string, err error) {
	s, err := l.look(ctx)
	if err != nil {
		return "", "", err
	}
	if s.waits != nil && l.Goals.Task != "" {
		return "", "", s.waits
	}
	why, text = l.over(s)
	if why == "" && s.head == "" && !l.Goals.Plan {
		return "", "", plan.ErrNoHead // no task could be done
	}
	if why == Nothing && l.Goals.Push && l.unpushed(ctx) > 0 {
		return "", "", nil
	}
	if why != "" {
		return why, text, nil
	}
	return "", "", l.canStart()
}

// canStart returns an error where a prompt cannot be used or an agent is not installed.
func (l *Loop) canStart() error {
	for _, stage := range prompt.Stages() {
		if _, err := prompt.Load(l.promptRoot(), stage); err != nil {
			return err
		}
	}
	return l.Agents.Check(l.Goals, l.Environ)
}

// Preview tells what Run would do first. It starts and changes nothing.
func (l *Loop) Preview(ctx context.Context) (Preview, error) {
	s, err := l.look(ctx)
	if err != nil {
		return Preview{}, err
	}
	if s.waits != nil && l.Goals.Task != "" {
		return Preview{}, s.waits
	}
	if why, text := l.over(s); why != "" {
		return Preview{Why: why, Text: text}, nil
	}
	return l.render(ctx, s)
}

// Render tells what an agent would be told in a stage, whichever the plan is in: of the task that would come first there.
// Without a stage it is Preview.
func (l *Loop) Render(ctx context.Context, stage schedule.Stage) (Preview, error) {
	if stage == "" {
		return l.Preview(ctx)
	}
	s, err := l.look(ctx)
	if err != nil {
		return Preview{}, err
	}
	if stage != s.next.Action {
		s.next = nextIn(s, stage)
	}
	if s.next.Item == nil && (s.next.Action == schedule.Build || s.next.Action == schedule.Decompose) {
		return Preview{Why: Nothing, Text: "no task is pending"}, nil
	}
	return l.render(ctx, s)
}

// nextIn is what would be next if the plan were in a stage.
func nextIn(s state, stage schedule.Stage) schedule.Next {
	sched, next := schedule.Of(s.plan), schedule.Next{Action: stage}
	switch stage {
	case schedule.Build, schedule.Decompose:
		if pending := sched.Pending(); len(pending) > 0 {
			next.Item = pending[0]
		}
	case schedule.Verify:
		next.Items = sched.Done()
	}
	return next
}

func (l *Loop) render(ctx context.Context, s state) (Preview, error) {
	p, err := prompt.Load(l.promptRoot(), s.next.Action)
	if err != nil {
		return Preview{}, err
	}
	it := &iteration{Loop: l, before: s}
	values, err := it.values(ctx)
	return Preview{Stage: s.next.Action, Prompt: p.Render(values)}, err
}

// promptRoot is where prompts are read from; "" for the built-in ones.
func (c Config) promptRoot() string {
	if c.BuiltInPrompts {
		return ""
	}
	return c.Store.Repo().Root()
}
