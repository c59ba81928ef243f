package loop

import (
	"fmt"
	"strconv"
	"time"

	"git-ralph/internal/changes"
	"git-ralph/internal/iteration"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A Kind says what an Event is about.
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

// An Event is one thing that happened in a run. Which fields are set depends on its kind.
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
	Result    iteration.Result
	Why       Reason
	Text      string // for people
	Steps     []plan.Event
	Commits   int
	Took      time.Duration
	Tokens    int
	Cost      float64
	Until     time.Time
	Left      changes.Uncommitted // when the run ends
}

// JSON returns the event as one object: {"t", "at", …}. Empty fields are left out.
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
	o.paths("uncommitted", e.Left.Run)
	o.paths("uncommitted_yours", e.Left.Yours)
	o.paths("uncommitted_earlier", e.Left.Earlier)
	return jsonl.Build(o)
}

// A Reporter shows people or programs the progress of a run. It is called from one goroutine at a time.
type Reporter interface {
	Report(e Event)
	Progress(l Live)
}

// members build an object without empty members.
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

func (m *members) paths(name string, paths []string) {
	if len(paths) > 0 {
		m.add(name, jsonl.List(paths))
	}
}

func (m *members) steps(steps []plan.Event) {
	if len(steps) == 0 {
		return
	}
	list := ""
	for i, s := range steps {
		if i > 0 {
			list += ", "
		}
		step := members{}
		step.text("what", string(s.Name))
		step.text("id", s.ID)
		step.text("name", s.Title)
		step.text("to", s.Text("to"))
		list += jsonl.Build(step).Text()
	}
	m.add("steps", jsonl.Value("["+list+"]"))
}

// report writes an event to the journal and to the Reporter. Its text is masked, since it may quote what git and its hooks
// print.
func (l *Loop) report(e Event) {
	e.At, e.Text = l.Now(), l.workspace.Masker.Text(e.Text)
	l.Config.Run.WriteEvent(e.JSON())
	if log := l.Store.Repo().Git().Debug; log != nil {
		record(log, e)
	}
	l.Reporter.Report(e)
}

func (l *Loop) warn(n int, format string, args ...any) { l.warning(n, fmt.Sprintf(format, args...)) }

func (l *Loop) warning(n int, text string) { l.report(Event{Kind: Warned, Iteration: n, Text: text}) }
