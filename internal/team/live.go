package team

import (
	"strconv"
	"time"

	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A Live is the progress of a team.
type Live struct {
	Workers  []WorkerLive
	Board    Board
	Summary  *Summary
	Left     time.Duration // by a rough guess; 0 where nothing is known
	Stopping bool
}

// A WorkerLive is the progress of a worker.
type WorkerLive struct {
	Member
	State  string // "working", "waiting", or why it does not run
	Run    string
	Stage  schedule.Stage // "" while no agent runs
	ID     string
	Task   string
	Began  time.Time // of the iteration
	Tokens int
	Cost   float64
	Tool   string
}

// The states of a worker.
const (
	Working   = "working"
	Waiting   = "waiting"
	Restarts  = "restarts"
	Elsewhere = "runs elsewhere" // under another team
)

// live returns the progress of the team.
func (t *Team) live(b Board) Live {
	l := Live{Board: b, Summary: &t.total, Stopping: t.stopping}
	running := 0
	for _, w := range t.workers {
		one := w.live
		one.Member, one.State = w.Member, w.state(t.Now())
		if w.child != nil && one.Stage != "" {
			running++
			t.addProgress(&one)
		}
		l.Workers = append(l.Workers, one)
	}
	if n := t.total.Iterations; n > 0 {
		mean := t.iterating() / time.Duration(n)
		l.Left = mean * time.Duration(b.Pending+b.Done) / time.Duration(max(running, 1))
	}
	return l
}

// iterating returns how long all iterations took.
func (t *Team) iterating() (all time.Duration) {
	for _, w := range t.total.Workers {
		all += w.Took
	}
	return all
}

func (w *worker) state(now time.Time) string {
	switch {
	case w.gone != "":
		return string(w.gone)
	case w.away, w.child == nil && w.elsewhere:
		return Elsewhere
	case w.child == nil && now.Before(w.next):
		return Restarts
	case w.child == nil || w.live.Stage == "":
		return Waiting
	}
	return Working
}

// addProgress adds what the worker's own journal shows of its agent.
func (t *Team) addProgress(l *WorkerLive) {
	j, found := t.Journal(l.Name)
	if !found {
		return
	}
	if live, found := j.Live(l.Run); found {
		l.Tool = journal.Text(live, "tool")
	}
}

// JSON returns {"workers": […], "pending", …}.
func (l Live) JSON() jsonl.Object {
	list := ""
	for i, w := range l.Workers {
		if i > 0 {
			list += ", "
		}
		list += w.json().Text()
	}
	count := func(n int) jsonl.Value { return jsonl.Value(strconv.Itoa(n)) }
	return jsonl.Build([]jsonl.Member{
		{Name: "workers", Value: jsonl.Value("[" + list + "]")},
		{Name: "pending", Value: count(l.Board.Pending)},
		{Name: "ready", Value: count(l.Board.Ready)},
		{Name: "working", Value: count(l.Board.Working)},
		{Name: "landing", Value: count(l.Board.Landing)},
		{Name: "done", Value: count(l.Board.Done)},
		{Name: "landed", Value: count(l.Summary.Landed)},
		{Name: "returned", Value: count(l.Summary.Returned)},
		{Name: "seconds_left", Value: count(int(l.Left.Seconds()))},
	})
}

func (w WorkerLive) json() jsonl.Object {
	members := []jsonl.Member{
		{Name: "name", Value: jsonl.Quote(w.Name)}, {Name: "role", Value: jsonl.Quote(string(w.Role))}, {Name: "state", Value: jsonl.Quote(w.State)},
	}
	for _, m := range [...]struct{ name, text string }{{"stage", string(w.Stage)}, {"id", w.ID}, {"task", w.Task}, {"tool", w.Tool}} {
		if m.text != "" {
			members = append(members, jsonl.Member{Name: m.name, Value: jsonl.Quote(m.text)})
		}
	}
	if !w.Began.IsZero() {
		members = append(members, jsonl.Member{Name: "began", Value: jsonl.Quote(plan.FormatTime(w.Began))})
	}
	return jsonl.Build(append(members,
		jsonl.Member{Name: "tokens", Value: jsonl.Value(strconv.Itoa(w.Tokens))},
		jsonl.Member{Name: "cost", Value: jsonl.Value(strconv.FormatFloat(w.Cost, 'f', 4, 64))}))
}
