package loop

import (
	"context"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/iteration"
)

// waits counts the waits in a row for a limit of the agent's service.
type waits struct {
	n    int           // since the service last answered
	time time.Duration // in all
}

// A service that says "in 0.1 s" again and again, or a backoff of 0, must not start thousands of agents: waits in a row
// double until they are as long as ralph.backoff, or as minBackoff if that is longer.
const (
	minWait    = time.Millisecond
	minBackoff = time.Second
)

// maxWaits is how often in a row a limit is waited out, without any answer of the agent's service, before that counts as a
// failure of the agent.
const maxWaits = 3

// waitForService waits until a limit of the agent's service is likely to be over: as long as it says, else twice as long
// each time. It returns why the run ends, if it does.
func (l *Loop) waitForService(ctx context.Context, n int, o iteration.Outcome) (why Reason, text string) {
	if o.Agent.Answered {
		l.waits.n = 0
	}
	if l.waits.n++; l.waits.n > maxWaits {
		l.waits.n = 1
		l.streak.failed++
	}
	if l.streak.failed >= maxIdleIterations {
		return AgentFails, "the agent's service still refuses: " + o.Text
	}
	now := l.Now()
	until := l.serviceEnds(o.Agent, now)
	wait := until.Sub(now)
	l.waits.time += wait
	switch maxWait := l.Settings.MaxWait; {
	case maxWait > 0 && l.waits.time > maxWait:
		return AgentFails, "the agent's service still refuses: " + o.Text
	case l.Goals.Time > 0 && until.Sub(l.began) >= l.Goals.Time:
		return LimitHit, timeText(l.Goals.Time) + ", and the agent's service refuses for longer than that: " + o.Text
	}
	l.total.Iterations-- // nothing was done in it
	l.report(Event{Kind: Waiting, Iteration: n, Text: o.Text, Until: until})
	if !l.sleep(ctx, wait, Live{Iteration: n, Tool: o.Text, Until: until}) {
		return Interrupted, ""
	}
	return "", ""
}

// serviceEnds returns when to try again.
func (l *Loop) serviceEnds(o agent.Outcome, now time.Time) time.Time {
	until, known := agent.ServiceLimitEnd(o.ServiceLimit, o.ServiceLimitAt)
	if !known || until.Before(now) {
		until = now.Add(max(l.Settings.Backoff, l.waits.time))
	}
	return now.Add(max(until.Sub(now), min(l.waits.time, max(l.Settings.Backoff, minBackoff)), minWait))
}

// countdown is how often a wait is reported.
const countdown = time.Second

// sleep waits, and reports it. It returns false if the run is to end meanwhile.
func (l *Loop) sleep(ctx context.Context, wait time.Duration, live Live) bool {
	over := time.After(wait)
	tick := time.NewTicker(countdown)
	defer tick.Stop()
	for {
		l.Reporter.Progress(live)
		select {
		case <-over:
			return true
		case <-l.StopRequested:
			return false
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}
