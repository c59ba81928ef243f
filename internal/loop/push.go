package loop

import (
	"context"
	"strings"

	"git-ralph/internal/plan"
)

// pushLeft pushes what an earlier run accepted and could not push. That there is no upstream is told now; else it would be
// found out when something is to be pushed.
func (l *Loop) pushLeft(ctx context.Context) {
	if !l.Goals.Push {
		return
	}
	if err := l.Store.Repo().HasUpstream(ctx); err != nil {
		l.refuse(0, err)
		return
	}
	if l.owed = l.unpushed(ctx); l.owed > 0 {
		l.pushOwed(ctx, 0)
		l.pushed = l.owed == 0
	}
}

// unpushed counts the tasks whose acceptance is not pushed.
func (l *Loop) unpushed(ctx context.Context) int {
	n, err := l.Store.Unpushed(ctx, plan.EventAccepted)
	if err != nil {
		return 0 // then nothing can be pushed either, which is told when it is tried
	}
	return n
}

// push shares what was accepted. That it cannot be is told, and tried again after the next step; the work is safe here.
func (l *Loop) push(ctx context.Context, it *iteration) {
	l.owed += count(it.steps, plan.EventAccepted)
	l.pushOwed(ctx, it.n)
}

func (l *Loop) pushOwed(ctx context.Context, n int) {
	if !l.Goals.Push || l.owed == 0 {
		return
	}
	if err := l.synchronize(ctx); err != nil {
		l.refuse(n, err)
		return
	}
	l.report(Event{Kind: Pushed, Iteration: n, Text: plural(l.owed, "accepted task")})
	l.owed, l.refused = 0, ""
}

func (l *Loop) synchronize(ctx context.Context) error {
	head, err := l.Store.Repo().Head(ctx)
	if err != nil {
		return err
	}
	l.Config.Run.Pushing(head)
	defer l.Config.Run.Pushed()
	return l.Store.Repo().Synchronize(ctx)
}

// refuse warns why nothing can be pushed, once for each reason.
func (l *Loop) refuse(n int, err error) {
	if l.refused != err.Error() {
		l.refused = err.Error()
		l.warn(n, "%s", l.refused)
	}
}

// withOwed adds to the end of a run that accepted work was not pushed: nobody else has it.
func (l *Loop) withOwed(why Reason, text string) (Reason, string) {
	switch {
	case why == Nothing && l.pushed:
		return Reached, "what an earlier run accepted is pushed now"
	case !l.Goals.Push || l.owed == 0:
		return why, text
	case why == Complete || why == Reached || why == Nothing:
		return NotPushed, string(why) + " here; " + l.refused
	}
	return why, strings.TrimPrefix(text+"; not pushed: "+l.refused, "; ")
}
