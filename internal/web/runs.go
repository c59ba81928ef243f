package web

import (
	"slices"

	"git-ralph/internal/view"
)

// maxRuns is how many runs are sent, the newest first.
const maxRuns = 200

// runs is the JSON of who works now, and of the runs of agents.
type runs struct {
	Workers []worker `json:"workers"`
	Runs    []run    `json:"runs"`
	Usage   usage    `json:"usage"` // of all runs
	Older   int      `json:"older,omitempty"`
}

type worker struct {
	Name     string  `json:"name"`
	Worktree string  `json:"worktree"`
	State    string  `json:"state,omitempty"`
	Stage    string  `json:"stage,omitempty"`
	ID       string  `json:"id,omitempty"`
	Task     string  `json:"task,omitempty"`
	Tool     string  `json:"tool,omitempty"`
	Began    string  `json:"began,omitempty"`
	Tokens   int     `json:"tokens,omitempty"`
	Cost     float64 `json:"cost,omitempty"`
}

type run struct {
	Name       string    `json:"name"`
	Worktree   string    `json:"worktree"`
	Agent      string    `json:"agent,omitempty"`
	Began      string    `json:"began"`
	Ended      string    `json:"ended,omitempty"`
	Active     bool      `json:"active,omitempty"`
	Why        string    `json:"why,omitempty"`
	Text       string    `json:"text,omitempty"`
	Usage      usage     `json:"usage"`
	Iterations []iterate `json:"iterations,omitempty"`
}

// iterate is one start of an agent.
type iterate struct {
	Run     string  `json:"run"`
	Number  int     `json:"number"`
	Worker  string  `json:"worker,omitempty"`
	Stage   string  `json:"stage,omitempty"`
	ID      string  `json:"id,omitempty"`
	Name    string  `json:"name,omitempty"`
	Began   string  `json:"began"`
	Result  string  `json:"result,omitempty"`
	Text    string  `json:"text,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Commits int     `json:"commits,omitempty"`
	Tokens  int     `json:"tokens,omitempty"`
	Cost    float64 `json:"cost,omitempty"`
}

type usage struct {
	Iterations int     `json:"iterations"`
	Seconds    float64 `json:"seconds"`
	Tokens     int     `json:"tokens"`
	Cost       float64 `json:"cost"` // in US dollars
}

func newUsage(u view.Usage) usage { return usage{u.Iterations, u.Took.Seconds(), u.Tokens, u.Cost} }

func newRuns(d *view.Data) runs {
	all := func(view.Iteration) bool { return true }
	r := runs{Workers: []worker{}, Runs: []run{}, Usage: newUsage(view.UsageOf(d.Runs, all))}
	for _, w := range d.Workers {
		r.Workers = append(r.Workers, newWorker(w))
	}
	for _, one := range slices.Backward(d.Runs) {
		if len(r.Runs) == maxRuns {
			r.Older = len(d.Runs) - maxRuns
			break
		}
		shown := run{
			Name: one.Name, Worktree: one.Worktree, Agent: one.Agent, Began: timeText(one.Began), Ended: timeText(one.Ended), Active: one.PID != 0,
			Why: one.Why, Text: one.Text, Usage: newUsage(view.UsageOf([]view.Run{one}, all)),
		}
		for _, i := range one.Iterations {
			shown.Iterations = append(shown.Iterations, newIteration(i))
		}
		r.Runs = append(r.Runs, shown)
	}
	return r
}

func newWorker(w view.Worker) worker {
	return worker{w.Name, w.Worktree, w.State, w.Stage, w.ID, w.Task, w.Tool, timeText(w.Began), w.Tokens, w.Cost}
}

func newIteration(i view.Iteration) iterate {
	return iterate{i.Run, i.Number, i.Worker, i.Stage, i.ID, i.Name, timeText(i.Began), i.Result, i.Text, i.Took.Seconds(), i.Commits, i.Tokens, i.Cost}
}
