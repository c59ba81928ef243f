package loop

import (
	"context"
	"strings"

	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
)

// tellNoUpstream says at the beginning what would else be found out when something is to be pushed.
func (l *Loop) tellNoUpstream(ctx context.Context) {
	if !l.Goals.Push {
		return
	}
	if err := l.Store.Repo().HasUpstream(ctx); err != nil {
		l.refuse(0, err)
	}
}

// push shares what was accepted. That it cannot be is told, and tried again after the next step; the work is safe here.
func (l *Loop) push(ctx context.Context, it *iteration) {
	l.owed += count(it.steps, plan.EventAccepted)
	if !l.Goals.Push || l.owed == 0 {
		return
	}
	if err := l.synchronize(ctx); err != nil {
		l.refuse(it.n, err)
		return
	}
	l.report(Event{Kind: Pushed, Iteration: it.n, Text: plural(l.owed, "accepted task")})
	l.owed, l.refused = 0, ""
}

func (l *Loop) synchronize(ctx context.Context) error {
	head, err := l.Store.Repo().Head(ctx)
	if err != nil {
		return err
	}
	l.Config.Run.Pushing(head)
	defer l.Config.Run.Pushed()
	return l.Store.Repo().Synchronize(ctx, journal.RunVariable+"="+l.Config.Run.Name)
}

// refuse tells why nothing can be pushed, once for each reason.
func (l *Loop) refuse(n int, err error) {
	if l.refused != err.Error() {
		l.refused = err.Error()
		l.warn(n, "%s", l.refused)
	}
}

// withOwed adds to the end of a run that accepted work was not pushed: nobody else has it.
func (l *Loop) withOwed(why Reason, text string) (Reason, string) {
	switch {
	case !l.Goals.Push || l.owed == 0:
		return why, text
	case why == Complete || why == Reached:
		return NotPushed, string(why) + " here; " + l.refused
	}
	return why, strings.TrimPrefix(text+"; not pushed: "+l.refused, "; ")
}
