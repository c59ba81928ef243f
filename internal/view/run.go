package view

import (
	"slices"
	"time"

	"git-ralph/internal/plan"
)

// A Run is a run of agents, as the journal of a worktree has it.
type Run struct {
	Name       string // it begins with the time in UTC
	Worktree   string // its root
	Agent      string // the program, "" for a team
	Began      time.Time
	Ended      time.Time   // zero where it is under way, or was killed
	PID        int         // while it is under way, else 0
	Why        string      // why it ended, as package loop names it; "" while it is under way
	Text       string      // how it ended, for people
	Iterations []Iteration // the oldest first
}

// An Iteration is one start of an agent.
type Iteration struct {
	Run    string
	Number int    // from 1, by worker
	Worker string // of a team's run, else ""
	Stage  string
	ID     string // of the task or issue
	Name   string // of it
	Log    string // the name of its log in the journal of its worktree
	Began  time.Time

	Result  string // as package iteration names it; "" while it is under way, and where the run was killed
	Text    string // how it ended, for people
	Took    time.Duration
	Commits int
	Steps   []plan.Event // what it did, with name, id and title
	Tokens  int          // without those from a cache; 0 where the agent does not report it
	Cost    float64      // in US dollars, likewise
}

// isAbout reports whether an iteration was about a task. One that verified several tasks says so by what it did.
func (i Iteration) isAbout(id string) bool {
	return i.ID == id || i.ID == "" && slices.ContainsFunc(i.Steps, func(s plan.Event) bool { return s.ID == id })
}

// A Worker is at work now.
type Worker struct {
	Name     string // of a worker of a team, else that of the run
	Worktree string
	State    string // what it does where it has no task
	Stage    string
	ID       string // of the task or issue
	Task     string // its name
	Tool     string // what the agent uses
	Began    time.Time
	Tokens   int
	Cost     float64
}

// Usage is what iterations took.
type Usage struct {
	Iterations int
	Took       time.Duration
	Tokens     int
	Cost       float64 // in US dollars
}

// Add counts an iteration.
func (u *Usage) Add(i Iteration) {
	u.Iterations++
	u.Took += i.Took
	u.Tokens += i.Tokens
	u.Cost += i.Cost
}

// UsageOf returns what the iterations of runs took that match.
func UsageOf(runs []Run, matches func(Iteration) bool) (u Usage) {
	for _, r := range runs {
		for _, i := range r.Iterations {
			if matches(i) {
				u.Add(i)
			}
		}
	}
	return u
}
