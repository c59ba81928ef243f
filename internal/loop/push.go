package loop

import (
	"context"
	"strings"

	"git-ralph/internal/iteration"
	"git-ralph/internal/plan"
)

// unpushed counts the accepted tasks that are not pushed.
type unpushed struct {
	tasks   int
	failure string // why they could not be pushed, as it was reported last
	earlier bool   // what an earlier run accepted was pushed now
}

// pushEarlier pushes what an earlier run accepted and could not push. A missing upstream is reported now, and not only when
// something has been accepted.
func (l *Loop) pushEarlier(ctx context.Context) {
	if !l.Goals.Push {
		return
	}
	if err := l.Store.Repo().Upstream().Exists(ctx); err != nil {
		l.warnOfPush(0, err)
		return
	}
	if l.unpushed.tasks = l.countUnpushed(ctx); l.unpushed.tasks > 0 {
		l.pushUnpushed(ctx, 0)
		l.unpushed.earlier = l.unpushed.tasks == 0
	}
}

// countUnpushed counts the tasks whose acceptance is not pushed.
func (l *Loop) countUnpushed(ctx context.Context) int {
	n, err := l.Store.Unpushed(ctx, plan.EventAccepted)
	if err != nil {
		return 0 // then nothing can be pushed either, which is reported when it is tried
	}
	return n
}

// push pushes what was accepted. A failure is reported, and the push is tried again after the next iteration; the work is safe
// in the local repository.
func (l *Loop) push(ctx context.Context, n int, o iteration.Outcome) {
	for _, step := range o.Steps {
		if step.Name == plan.EventAccepted {
			l.unpushed.tasks++
		}
	}
	l.pushUnpushed(ctx, n)
}

func (l *Loop) pushUnpushed(ctx context.Context, n int) {
	if !l.Goals.Push || l.unpushed.tasks == 0 {
		return
	}
	if err := l.synchronize(ctx); err != nil {
		l.warnOfPush(n, err)
		return
	}
	l.report(Event{Kind: Pushed, Iteration: n, Text: plural(l.unpushed.tasks, "accepted task")})
	l.unpushed.tasks, l.unpushed.failure = 0, ""
}

func (l *Loop) synchronize(ctx context.Context) error {
	head, err := l.Store.Repo().Head(ctx)
	if err != nil {
		return err
	}
	l.Config.Run.PushBegan(head)
	defer l.Config.Run.PushEnded()
	return l.Store.Repo().Upstream().Synchronize(ctx)
}

// warnOfPush warns that the push failed, once per reason.
func (l *Loop) warnOfPush(n int, err error) {
	if l.unpushed.failure != err.Error() {
		l.unpushed.failure = err.Error()
		l.warn(n, "%s", l.unpushed.failure)
	}
}

// withUnpushed changes the reason and the text of a run's end if accepted work was not pushed: nobody else has it.
func (l *Loop) withUnpushed(why Reason, text string) (Reason, string) {
	switch {
	case why == Nothing && l.unpushed.earlier:
		return Reached, "pushed what an earlier run accepted"
	case !l.Goals.Push || l.unpushed.tasks == 0:
		return why, text
	case why == Complete || why == Reached || why == Nothing:
		return NotPushed, string(why) + " here; " + l.unpushed.failure
	}
	return why, strings.TrimPrefix(text+"; not pushed: "+l.unpushed.failure, "; ")
}
