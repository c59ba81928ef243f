package loop

import (
	"fmt"
	"strconv"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A Kind says what an Event tells.
type Kind string

// The kinds of events, as the journal and --json name them.
const (
	RunBegan       Kind = "run"
	IterationBegan Kind = "iteration"
	IterationEnded Kind = "outcome"
	Waiting        Kind = "wait"
	Warned         Kind = "warning"
	Pushed         Kind = "push"
	RunEnded       Kind = "end"
)

// An Event is one thing that happened in a run. Which fields hold something depends on its kind.
type Event struct {
	Kind      Kind
	At        time.Time
	Run       string
	PID       int
	Agent     string
	Iteration int
	Stage     schedule.Stage
	ID        string // of the task or issue
	Name      string
	Log       string // as plans name it
	Format    string // of what the log holds
	Result    Result
	Why       Reason
	Text      string // for people
	Steps     []Step
	Commits   int
	Took      time.Duration
	Tokens    int
	Cost      float64
	Until     time.Time
	LeftOver  []string // what lies uncommitted in the worktree at the end
}

// A Step is one change of a record in the course of an iteration.
type Step struct {
	What plan.EventName
	ID   string
	Name string
}

// JSON returns the event as one object: {"t", "at", …}. Fields that hold nothing are left out.
func (e Event) JSON() jsonl.Object {
	o := members{}
	o.text("t", string(e.Kind))
	o.text("at", plan.FormatTime(e.At))
	o.text("run", e.Run)
	o.number("pid", e.PID)
	o.text("agent", e.Agent)
	o.number("iteration", e.Iteration)
	o.text("stage", string(e.Stage))
	o.text("id", e.ID)
	o.text("name", e.Name)
	o.text("log", e.Log)
	o.text("format", e.Format)
	o.text("result", string(e.Result))
	o.text("why", string(e.Why))
	o.text("text", e.Text)
	o.steps(e.Steps)
	o.number("commits", e.Commits)
	o.number("ms", int(e.Took.Milliseconds()))
	o.number("tokens", e.Tokens)
	o.cost(e.Cost)
	if !e.Until.IsZero() {
		o.text("until", plan.FormatTime(e.Until))
	}
	if len(e.LeftOver) > 0 {
		o.add("uncommitted", jsonl.List(e.LeftOver))
	}
	return jsonl.Build(o)
}

// Live is how the agent of the iteration under way gets on.
type Live struct {
	Iteration int
	Stage     schedule.Stage
	ID        string
	Name      string
	Began     time.Time // of the iteration
	Tokens    int       // of the whole run
	Context   int       // of this agent; 0 where it does not tell
	Window    int       // what Context may come to; 0 where that is not known
	Cost      float64   // of the whole run
	Tool      string
	Done      int // tasks of this run
	Accepted  int
	Rejected  int
	Left      int           // pending tasks
	Typical   time.Duration // an iteration's time, by median; 0 at first
	Stopping  bool          // the run ends after this iteration, as was asked for
	Until     time.Time     // the end of a wait; then Tool says what for, and the rest holds nothing
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

// A Reporter tells people or programs how a run goes on. It is called from one goroutine at a time.
type Reporter interface {
	Report(e Event)
	Progress(l Live)
}

// members build an object without what holds nothing.
type members []jsonl.Member

func (m *members) add(name string, value jsonl.Value) {
	*m = append(*m, jsonl.Member{Name: name, Value: value})
}

func (m *members) text(name, text string) {
	if text != "" {
		m.add(name, jsonl.Quote(text))
	}
}

func (m *members) number(name string, n int) {
	if n != 0 {
		m.add(name, jsonl.Value(strconv.Itoa(n)))
	}
}

func (m *members) cost(dollars float64) {
	if dollars != 0 {
		m.add("cost", jsonl.Value(strconv.FormatFloat(dollars, 'f', 4, 64)))
	}
}

func (m *members) steps(steps []Step) {
	if len(steps) == 0 {
		return
	}
	list := ""
	for i, s := range steps {
		if i > 0 {
			list += ", "
		}
		step := members{}
		step.text("what", string(s.What))
		step.text("id", s.ID)
		step.text("name", s.Name)
		list += jsonl.Build(step).Text()
	}
	m.add("steps", jsonl.Value("["+list+"]"))
}

// report writes an event to the journal and to whoever watches. What git and its hooks print of an agent's work may hold a key.
func (l *Loop) report(e Event) {
	e.At, e.Text = l.Now(), l.masker.Text(e.Text)
	l.Config.Run.Write(e.JSON())
	l.Reporter.Report(e)
}

func (l *Loop) warn(n int, format string, args ...any) {
	l.report(Event{Kind: Warned, Iteration: n, Text: fmt.Sprintf(format, args...)})
}

// liveTime is how often the journal records how an agent gets on.
const liveTime = time.Second

// progress reports how the agent gets on.
func (l *Loop) progress(live Live) {
	l.Reporter.Progress(live)
	if now := l.Now(); now.Sub(l.lastLive) >= liveTime {
		l.lastLive = now
		l.Config.Run.WriteLive(live.JSON())
	}
}
