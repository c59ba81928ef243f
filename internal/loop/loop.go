package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A Reason says why a run ended.
type Reason string

// The reasons, as the journal and --json name them.
const (
	Complete    Reason = "complete"         // nothing is left in the plan
	Reached     Reason = "goal reached"     // what was asked for is done: one iteration, a stage, a task
	Nothing     Reason = "nothing to do"    // there was nothing to begin with
	LimitHit    Reason = "limit reached"    // of iterations, time, cost or tokens
	NoProgress  Reason = "no progress"      // several iterations in a row changed nothing
	AgentFails  Reason = "agent failing"    // it cannot be started, or fails again and again
	Interrupted Reason = "interrupted"      // by the user
	Broken      Reason = "stopped by error" // the plan cannot be read, or the like; the error says it
)

// Goals say how far a run goes. Zero values set no limit.
type Goals struct {
	Iterations int
	Time       time.Duration
	Cost       float64 // US dollars
	Tokens     int
	Once       bool           // one iteration
	Stage      schedule.Stage // as long as the plan is in it
	Task       string         // until this task is done
	Push       bool           // fetch, rebase and push after each iteration that accepted something
	Plan       bool           // plan the current spec, and nothing else
	Strict     bool           // of Plan: tasks whose acceptance criteria cannot be checked are refused
}

// A Config is what a Loop needs from outside.
type Config struct {
	Store    *store.Store
	Run      *journal.Run
	Agent    agent.Profile
	Environ  []string // of the agent, less what the loop adds
	Goals    Goals
	Settings Settings
	Reporter Reporter
	Now      func() time.Time
	PID      int

	// Soft is closed when the run is to end after the iteration under way. The context of Run ends it at once.
	Soft <-chan struct{}
}

// A Loop is one run. Make it with New and call Run once.
type Loop struct {
	Config

	began    time.Time
	total    Summary
	times    []time.Duration      // of iterations
	idle     int                  // iterations in a row without progress
	failed   int                  // of these, those in which the agent failed
	waited   time.Duration        // for limits, in a row
	feedback feedback             // for the next iteration
	planned  bool                 // the spec was planned
	mine     map[string]signature // what the user had changed before the run
	lastLive time.Time
}

// A Summary is what a run came to.
type Summary struct {
	Why        Reason
	Iterations int
	Done       int
	Accepted   int
	Rejected   int
	Killed     int
	Commits    int
	Tokens     int
	Cost       float64
	Took       time.Duration
	Text       string // more about why; may be empty
	LeftOver   []string
}

// New makes a loop.
func New(c Config) *Loop { return &Loop{Config: c} }

// patience is how many iterations in a row may change nothing.
const patience = 3

// Run goes round until a goal is reached or a guard says no. The error is one that no further iteration would mend; the
// summary is valid with it.
func (l *Loop) Run(ctx context.Context) (Summary, error) {
	l.begin(ctx)
	why, text, err := l.iterate(ctx)
	if err != nil && ctx.Err() != nil {
		why, err = Interrupted, nil
	}
	l.total.LeftOver = l.leftOver(ctx)
	return l.end(why, text), err
}

func (l *Loop) begin(ctx context.Context) {
	l.began = l.Now()
	l.mine = l.ownChanges(ctx)
	l.report(Event{Kind: RunBegan, Run: l.Config.Run.Name, PID: l.PID, Agent: l.Agent.Name})
}

func (l *Loop) end(why Reason, text string) Summary {
	l.total.Why, l.total.Text, l.total.Took = why, text, l.Now().Sub(l.began)
	l.report(Event{
		Kind: RunEnded, Why: why, Text: text, Commits: l.total.Commits, Took: l.total.Took, Tokens: l.total.Tokens, Cost: l.total.Cost,
	})
	return l.total
}

// iterate runs iterations until the run is over.
func (l *Loop) iterate(ctx context.Context) (Reason, string, error) {
	for {
		state, err := l.look(ctx)
		if err != nil {
			return Broken, err.Error(), err
		}
		if why, text := l.over(state); why != "" {
			return why, text, nil
		}
		it := l.newIteration(state)
		err = it.run(ctx)
		if _, startFailed := errors.AsType[*startError](err); startFailed {
			return AgentFails, err.Error(), err
		}
		if err != nil {
			return Broken, err.Error(), err
		}
		l.push(ctx, it)
		if why, text := l.judge(ctx, it); why != "" {
			return why, text, nil
		}
	}
}

// A state is the plan and HEAD at a moment.
type state struct {
	plan *plan.Plan
	next schedule.Next
	head string // "" before the first commit
}

// look reads the plan and HEAD. What an agent left of the plan may be no plan at all.
func (l *Loop) look(ctx context.Context) (state, error) {
	snap, err := l.Store.View(ctx)
	if err != nil {
		return state{}, err
	}
	p, err := snap.Valid()
	if err != nil {
		return state{}, err
	}
	head, err := l.Store.Repo().Head(ctx)
	if err != nil {
		return state{}, err
	}
	s := state{plan: p, next: schedule.Of(p).Next(), head: head}
	return s, l.direct(&s)
}

// direct turns next to what the goals ask for, and to the issues where every task waits.
func (l *Loop) direct(s *state) error {
	if l.Goals.Plan {
		s.next = schedule.Next{Action: schedule.Plan}
		return nil
	}
	if len(s.next.Stalled) > 0 && len(s.plan.Of(plan.KindIssue)) > 0 {
		s.next = schedule.Next{Action: schedule.Investigate, Item: schedule.Of(s.plan).Issues()[0]}
	}
	if l.Goals.Task == "" {
		return nil
	}
	task, found := s.plan.Task(l.Goals.Task)
	if !found || !task.Pending() {
		return nil
	}
	if waits := s.plan.Waits(task); len(waits) > 0 {
		return &plan.BlockedError{ID: task.ID(), Waits: waits}
	}
	s.next = schedule.Next{Action: schedule.Build, Item: &task}
	if task.Text("kill") != "" {
		s.next.Action = schedule.Decompose
	}
	return nil
}

// over tells why there is to be no further iteration, if so.
func (l *Loop) over(s state) (why Reason, text string) {
	first := l.total.Iterations == 0
	if l.softly() {
		return Interrupted, ""
	}
	if why := l.goalReached(s, first); why != "" {
		return why, ""
	}
	if l.Goals.Plan {
		return l.limitHit()
	}
	switch {
	case s.next.Action == schedule.Plan:
		return Nothing, "no spec is planned"
	case s.next.Action == schedule.Complete && first:
		return Nothing, "the plan is complete"
	case s.next.Action == schedule.Complete:
		return Complete, ""
	case s.next.Action == schedule.Build && s.next.Item == nil:
		return NoProgress, "every task waits for another"
	}
	return l.limitHit()
}

// goalReached tells whether what was asked for is done, or cannot be begun.
func (l *Loop) goalReached(s state, first bool) Reason {
	reached := Reached
	if first {
		reached = Nothing
	}
	task, found := s.plan.Task(l.Goals.Task)
	switch {
	case l.Goals.Once && !first, l.planned:
		return Reached
	case l.Goals.Plan:
		return ""
	case l.Goals.Stage != "" && s.next.Action != l.Goals.Stage && s.next.Action != schedule.Complete:
		return reached
	case l.Goals.Task != "" && (!found || !task.Pending()):
		return reached
	}
	return ""
}

func (l *Loop) limitHit() (Reason, string) {
	g := l.Goals
	switch {
	case g.Iterations > 0 && l.total.Iterations >= g.Iterations:
		return LimitHit, fmt.Sprintf("%d iterations", g.Iterations)
	case g.Time > 0 && l.Now().Sub(l.began) >= g.Time:
		return LimitHit, g.Time.String()
	case g.Cost > 0 && l.total.Cost >= g.Cost:
		return LimitHit, fmt.Sprintf("$%.2f", g.Cost)
	case g.Tokens > 0 && l.total.Tokens >= g.Tokens:
		return LimitHit, fmt.Sprintf("%d tokens", g.Tokens)
	}
	return "", ""
}

// softly tells whether the run is to end after the iteration.
func (l *Loop) softly() bool {
	select {
	case <-l.Soft:
		return true
	default:
		return false
	}
}

// judge looks at how an iteration went, and tells why the run ends, if it does.
func (l *Loop) judge(ctx context.Context, it *iteration) (why Reason, text string) {
	if it.result == ResultInterrupted {
		return Interrupted, ""
	}
	if it.result == ResultLimited {
		return l.waitOut(ctx, it)
	}
	l.waited = 0
	if it.progress {
		l.idle, l.failed = 0, 0
		return "", ""
	}
	l.idle++
	if it.result == ResultFailed {
		l.failed++
	}
	switch {
	case l.idle < patience:
		return "", ""
	case l.failed >= patience:
		return AgentFails, it.text
	}
	return NoProgress, fmt.Sprintf("%d iterations in a row changed nothing", l.idle)
}

// push shares what was accepted. That it cannot be is told, and tried again after the next step; the work is safe here.
func (l *Loop) push(ctx context.Context, it *iteration) {
	if !l.Goals.Push || count(it.steps, plan.EventAccepted) == 0 {
		return
	}
	if err := l.Store.Repo().Synchronize(ctx); err != nil {
		l.warn(it.n, "%v", err)
		return
	}
	l.report(Event{Kind: Pushed, Iteration: it.n, Text: plural(count(it.steps, plan.EventAccepted), "accepted task")})
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// report tells an event to the journal and to whoever watches.
func (l *Loop) report(e Event) {
	e.At = l.Now()
	l.Config.Run.Write(e.JSON())
	l.Reporter.Report(e)
}

func (l *Loop) warn(n int, format string, args ...any) {
	l.report(Event{Kind: Warned, Iteration: n, Text: fmt.Sprintf(format, args...)})
}

// liveTime is how often the journal is told how an agent gets on.
const liveTime = time.Second

// progress tells how the agent gets on.
func (l *Loop) progress(live Live) {
	l.Reporter.Progress(live)
	if now := l.Now(); now.Sub(l.lastLive) >= liveTime {
		l.lastLive = now
		l.Config.Run.WriteLive(live.JSON())
	}
}

// feedback is what the next agent is told about the answer of the one before, if it works on the same.
type feedback struct {
	stage schedule.Stage
	id    string
	text  string
}

func (l *Loop) feedbackFor(next schedule.Next) string {
	f := l.feedback
	if f.text == "" || f.stage != next.Action || f.id != idOf(next) {
		return ""
	}
	return "## What was wrong with the former answer\n\n" + f.text + "\n"
}

func idOf(next schedule.Next) string {
	if next.Item == nil {
		return ""
	}
	return next.Item.ID()
}

// jsonLines returns records as a line of JSON each.
func jsonLines(records []plan.Record) string {
	text := ""
	for _, r := range records {
		text += objectText(r) + "\n"
	}
	return text
}

// objectText returns a record's JSON without white space around it.
func objectText(r plan.Record) string { return jsonl.Build(r.Object().Members()).Text() }
