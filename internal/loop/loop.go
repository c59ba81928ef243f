package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/changes"
	"git-ralph/internal/evidence"
	"git-ralph/internal/iteration"
	"git-ralph/internal/journal"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A Reason says why a run ended.
type Reason string

// The reasons, as the journal and --json name them.
const (
	Complete     Reason = "complete"         // the plan is complete
	Reached      Reason = "goal reached"     // the goal of the run is reached: one iteration, a stage, a task
	Nothing      Reason = "nothing to do"    // there was nothing to do from the start
	LimitHit     Reason = "limit reached"    // of iterations, time, cost or tokens
	NoProgress   Reason = "no progress"      // several iterations in a row changed nothing
	AgentFails   Reason = "agent failing"    // the agent cannot be started, or fails repeatedly
	NotCommitted Reason = "not committed"    // complete or reached, except that git refuses to commit work of a finished task
	NotPushed    Reason = "not pushed"       // complete or reached, except that accepted tasks could not be pushed
	Gate         Reason = "a person decides" // all that is left waits for a person
	Interrupted  Reason = "interrupted"      // by the user
	Broken       Reason = "stopped by error" // an error that no further iteration would repair, such as an invalid plan
)

// A Config holds the dependencies and options of a Loop.
type Config struct {
	Store    *store.Store
	Run      *journal.Run
	Agents   Agents
	Environ  []string   // of the agent, less what an iteration adds
	Inherit  []*os.File // that the agent holds open as long as it runs; may be nil
	Goals    Goals
	Settings Settings
	Reporter Reporter
	Now      func() time.Time
	PID      int
	History  iteration.History                     // may be nil
	Checks   *evidence.Runner                      // of tasks, run before VERIFY; nil for none
	Claims   func(context.Context) schedule.Claims // what others have is passed over; may be nil
	Fence    iteration.Fence                       // may be nil
	Update   iteration.Update                      // may be nil
	Items    iteration.ItemRules                   // may be nil

	// BuiltInPrompts ignores the prompts of the repository.
	BuiltInPrompts bool
	// Untrusted describes the files that can run something and have changed since they were trusted; may be nil.
	Untrusted func() []string

	// StopRequested is closed when the run is to end after the current iteration. The context of Run ends it at once.
	StopRequested <-chan struct{}
}

// A Loop is one run. Make it with New and call Run once.
type Loop struct {
	Config

	workspace iteration.Workspace
	memory    iteration.Memory // of the last iteration
	began     time.Time
	total     Summary
	started   int  // iterations, including those that do not count
	planned   bool // the spec was planned
	lost      int  // tasks that left the plan while HEAD lost commits
	streak    streak
	waits     waits
	unpushed  unpushed
	pace      pace
	warned    warned
}

// A Summary is the result of a run.
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
	Left       changes.Uncommitted
}

// Event returns the event that ends the run.
func (s Summary) Event() Event {
	return Event{
		Kind: RunEnded, Why: s.Why, Text: s.Text, Commits: s.Commits, Took: s.Took, Tokens: s.Tokens, Cost: s.Cost, Left: s.Left,
	}
}

// add counts an iteration whose outcome was recorded.
func (s *Summary) add(o iteration.Outcome) {
	for _, step := range o.Steps {
		switch step.Name {
		case plan.EventDone:
			s.Done++
		case plan.EventAccepted:
			s.Accepted++
		case plan.EventRejected:
			s.Rejected++
		case plan.EventKilled:
			s.Killed++
		}
	}
	s.Commits += o.Commits
}

// Add adds what another run used and did.
func (s *Summary) Add(other Summary) {
	s.Iterations += other.Iterations
	s.Done += other.Done
	s.Accepted += other.Accepted
	s.Rejected += other.Rejected
	s.Killed += other.Killed
	s.Commits += other.Commits
	s.Tokens += other.Tokens
	s.Cost += other.Cost
}

// New returns a loop. Its time starts now, and again with Run.
func New(c Config) *Loop {
	return &Loop{Config: c, began: c.Now(), workspace: iteration.Workspace{
		Store: c.Store, Source: c.Goals.Work, Journal: journal.Of(c.Store.Repo().GitDir()), Run: c.Run, Masker: mask.NewFull(), History: c.History,
		Checks: c.Checks, Fence: c.Fence, Update: c.Update, ItemRules: c.Items, BuiltInPrompts: c.BuiltInPrompts,
	}}
}

// Run runs iterations until a goal or a limit is reached or they make no progress. The error is one that no further iteration
// would repair. The summary is valid with it.
func (l *Loop) Run(ctx context.Context) (Summary, error) {
	l.Store = supervised(l.Store, l.Config.Run.Journal(), l.Config.Run.Name, l.gitLimit, ctx.Done())
	l.workspace.Store, l.workspace.Warn = l.Store, l.warning
	why, text, err := l.iterate(ctx)
	if err != nil && stopped(ctx, err) {
		why, text, err = Interrupted, "", nil
	}
	l.total.Left = l.uncommitted(ctx)
	why, text = l.withRefused(ctx, why, text)
	return l.end(why, text), err
}

// signalDelay is how much later than git we may receive a signal that was sent to both.
const signalDelay = 2 * time.Second

// stopped reports whether ctx ended and so caused err. When a terminal is closed, its signal may end git before it reaches us.
func stopped(ctx context.Context, err error) bool {
	if proc.Terminated(err) {
		select {
		case <-ctx.Done():
		case <-time.After(signalDelay):
		}
	}
	return ctx.Err() != nil
}

// begin records what the user had changed before the run: without that no agent may start.
func (l *Loop) begin(ctx context.Context) error {
	l.began = l.Now()
	before, err := changes.Before(ctx, worktree(l.Store), l.Config.Run.ChangesBefore())
	if err == nil {
		l.workspace.Changes = before
		l.Config.Run.WriteChanges(before.Record())
	}
	l.report(Event{Kind: RunBegan, Run: l.Config.Run.Name, PID: l.PID, Agent: l.Agents.Names(l.Goals)})
	l.warnOfPlan(ctx)
	l.warnOfLimits()
	l.warnOfOperation(0)
	if err == nil {
		l.pushEarlier(ctx)
	}
	return err
}

func worktree(st *store.Store) changes.Worktree {
	return changes.Worktree{Repo: st.Repo(), Plan: st.PlanPath()}
}

// FilesChangedByUser lists the tracked files, except the plan, that the user has changed, and not the last run.
func FilesChangedByUser(ctx context.Context, st *store.Store, j journal.Journal) ([]string, error) {
	before, err := changes.Before(ctx, worktree(st), j.LastChanges())
	if err != nil {
		return nil, err
	}
	return before.UserFiles(), nil
}

// uncommitted returns what is uncommitted when the run ends, and records it for the next run. It returns nothing if the run did
// not begin, as the owner of the changes is then unknown.
func (l *Loop) uncommitted(ctx context.Context) changes.Uncommitted {
	if l.workspace.Changes == nil {
		return changes.Uncommitted{}
	}
	left, record, err := l.workspace.Changes.After(context.WithoutCancel(ctx))
	if err == nil {
		l.Config.Run.WriteChanges(record)
	}
	return left
}

// withRefused changes the reason and the text of a run's end if git refused to commit what was left uncommitted of a finished task, and it
// still is.
func (l *Loop) withRefused(ctx context.Context, why Reason, text string) (Reason, string) {
	if l.memory.Refused == "" || why != Complete && why != Reached {
		return why, text
	}
	files, err := l.workspace.Changes.AgentFiles(context.WithoutCancel(ctx), nil)
	if err != nil || len(files) == 0 {
		return why, text
	}
	return NotCommitted, fmt.Sprintf("%s, but for %s: %s", why, changes.Listed(files), l.memory.Refused)
}

func (l *Loop) end(why Reason, text string) Summary {
	why, text = l.withUnpushed(why, l.workspace.Masker.Text(text))
	l.total.Why, l.total.Text, l.total.Took = why, text, l.Now().Sub(l.began)
	l.report(l.total.Event())
	return l.total
}

// iterate runs iterations until the run is over.
func (l *Loop) iterate(ctx context.Context) (Reason, string, error) {
	if err := l.begin(ctx); err != nil {
		return Broken, err.Error(), err
	}
	for {
		t, err := l.followed(ctx)
		if err != nil {
			return Broken, err.Error(), err
		}
		if why, text := l.endReason(t); why != "" {
			return why, text, nil
		}
		if err := l.Store.AwaitIndex(ctx); err != nil { // an agent whose work cannot be recorded must not begin
			return Broken, err.Error(), err
		}
		job, outcome, err := l.step(ctx, t.State)
		if _, failed := errors.AsType[*iteration.StartError](err); failed {
			return AgentFails, err.Error(), err
		}
		if err != nil {
			return Broken, err.Error(), err
		}
		l.push(ctx, job.N, outcome)
		if why, text := l.endReasonAfter(ctx, job.N, outcome); why != "" {
			return why, text, nil
		}
	}
}

// step runs one iteration, counts it, and reports how it began and ended.
func (l *Loop) step(ctx context.Context, s iteration.State) (iteration.Job, iteration.Outcome, error) {
	l.started++
	l.total.Iterations++
	job := l.job(s)
	l.report(Event{
		Kind: IterationBegan, Iteration: job.N, Stage: job.Stage(), ID: job.ID(), Name: job.Name(), Log: l.workspace.Log(job), Agent: job.Agent.Name,
		Format: string(job.Agent.Format),
	})
	o, err := l.workspace.Do(ctx, job)
	if o.Result == "" {
		return job, o, err
	}
	took := l.Now().Sub(job.Began)
	l.total.Tokens += o.Agent.Tokens
	l.total.Cost += o.Agent.Cost
	if err == nil {
		l.count(job, o, took)
	}
	l.report(Event{
		Kind: IterationEnded, Iteration: job.N, Stage: job.Stage(), ID: job.ID(), Name: job.Name(), Result: o.Result, Text: o.Text, Steps: o.Steps,
		Commits: o.Commits, Took: took, Tokens: o.Agent.Tokens, Cost: o.Agent.Cost,
	})
	return job, o, err
}

// job returns the job of the next iteration.
func (l *Loop) job(s iteration.State) iteration.Job {
	job := l.preview(s)
	pending := len(schedule.Of(s.Plan).Pending())
	if s.Work != nil {
		pending = s.Work.Left
	}
	job.N, job.Environ, job.Inherit, job.Strict, job.Memory = l.started, l.Environ, l.Inherit, l.Goals.Strict, l.memory
	job.Limits = l.Settings.agentLimits(job.Stage())
	job.Watch = func(r agent.Progress) { l.progress(l.live(job, pending, r)) }
	return job
}

// count adds the outcome of an iteration to the state of the loop.
func (l *Loop) count(job iteration.Job, o iteration.Outcome, took time.Duration) {
	l.memory = o.Memory
	l.planned = l.planned || o.Planned
	l.lost += o.Lost
	l.total.add(o)
	if o.Result != iteration.Limited && o.Result != iteration.Failed { // these do not show how long the work takes
		l.pace.times = append(l.pace.times, took)
	}
	l.warnOfOperation(job.N)
	l.warnOfUntrusted(job.N)
	l.warnOfUncounted(job, o)
}
