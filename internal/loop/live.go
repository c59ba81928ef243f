package loop

import (
	"slices"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/iteration"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// Live is the progress of the current agent and of its run.
type Live struct {
	Iteration int
	Stage     schedule.Stage
	ID        string
	Name      string
	Began     time.Time // of the iteration
	Tokens    int       // of the whole run
	Context   int       // of this agent; 0 if it does not report it
	Window    int       // the limit of Context; 0 if that is unknown
	Cost      float64   // of the whole run
	Tool      string
	Done      int // tasks of this run
	Accepted  int
	Rejected  int
	Left      int           // pending tasks
	Typical   time.Duration // an iteration's time, by median; 0 at first
	Stopping  bool          // a stop was requested
	Until     time.Time     // the end of a wait; then Tool says what for, and most other fields are empty
}

// JSON returns {"iteration", "stage", …}.
func (l Live) JSON() jsonl.Object {
	o := members{}
	o.number("iteration", l.Iteration)
	o.text("stage", string(l.Stage))
	o.text("id", l.ID)
	o.text("name", l.Name)
	o.text("began", plan.FormatTime(l.Began))
	o.number("tokens", l.Tokens)
	o.number("context", l.Context)
	o.number("window", l.Window)
	o.cost(l.Cost)
	o.text("tool", l.Tool)
	return jsonl.Build(o)
}

// A pace records how long iterations take.
type pace struct {
	times []time.Duration // of iterations
	shown time.Time       // when the journal last recorded the progress of the agent
}

// typical returns the median time of an iteration, 0 before the first.
func (p pace) typical() time.Duration {
	if len(p.times) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(p.times))[len(p.times)/2]
}

// live returns the progress of a job's agent; pending is the number of pending tasks.
func (l *Loop) live(job iteration.Job, pending int, r agent.Progress) Live {
	if r.ServiceLimit != "" { // the agent waits for it silently
		r.Tool = "waiting: " + r.ServiceLimit
	}
	return Live{
		Iteration: job.N, Stage: job.Stage(), ID: job.ID(), Name: job.Name(), Began: job.Began,
		Tokens: l.total.Tokens + r.Tokens, Context: r.Context, Window: job.Agent.Window, Cost: l.total.Cost + r.Cost, Tool: r.Tool,
		Done: l.total.Done, Accepted: l.total.Accepted, Rejected: l.total.Rejected, Left: pending, Typical: l.pace.typical(),
		Stopping: l.stopRequested(),
	}
}

// liveTime is how often the journal records the progress of an agent.
const liveTime = time.Second

// progress reports the progress of the agent.
func (l *Loop) progress(live Live) {
	l.Reporter.Progress(live)
	if now := l.Now(); now.Sub(l.pace.shown) >= liveTime {
		l.pace.shown = now
		l.Config.Run.WriteLive(live.JSON())
	}
}
