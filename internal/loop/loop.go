package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	Complete    Reason = "complete"         // nothing is left in the plan
	Reached     Reason = "goal reached"     // what was asked for is done: one iteration, a stage, a task
	Nothing     Reason = "nothing to do"    // there was nothing to begin with
	LimitHit    Reason = "limit reached"    // of iterations, time, cost or tokens
	NoProgress  Reason = "no progress"      // several iterations in a row changed nothing
	AgentFails  Reason = "agent failing"    // it cannot be started, or fails again and again
	NotPushed   Reason = "not pushed"       // else complete or reached, but what was accepted could not be pushed
	Interrupted Reason = "interrupted"      // by the user
	Broken      Reason = "stopped by error" // the plan cannot be read, or the like; the error says it
)

// A Config is what a Loop needs from outside.
type Config struct {
	Store    *store.Store
	Run      *journal.Run
	Agents   Agents
	Environ  []string // of the agent, less what the loop adds
	Goals    Goals
	Settings Settings
	Reporter Reporter
	Now      func() time.Time
	PID      int
	History  History // may be nil

	// BuiltInPrompts leaves out the prompts that the repository has.
	BuiltInPrompts bool
	// Untrusted lists what can run something and changed since it was trusted, in words for people; may be nil.
	Untrusted func() []string

	// Soft is closed when the run is to end after the iteration under way. The context of Run ends it at once.
	Soft <-chan struct{}
}

// A Loop is one run. Make it with New and call Run once.
type Loop struct {
	Config

	began      time.Time
	total      Summary
	started    int             // iterations, those that count for none included
	times      []time.Duration // of iterations
	idle       int             // iterations in a row without progress
	failed     int             // of these, those in which the agent failed
	waited     time.Duration   // for limits, in a row
	waits      int             // how often, since the agent's service last answered
	feedback   feedback        // for the next iteration
	planned    bool            // the spec was planned
	gone       int             // tasks that left the plan while HEAD lost commits
	unfinished string          // what git was in the middle of
	stuck      *state          // before an agent left an operation in progress that is still so; nil for none
	owed       int             // tasks that were accepted and not pushed
	pushed     bool            // what an earlier run accepted
	refused    string          // why not, as it was told last
	few        int             // tasks that VERIFY is given at most; 0 for no limit
	mine       signatures      // what the user had changed before the run
	kept       signatures      // of these, what git knows of, as it was after the last iteration: never committed
	lastLive   time.Time
	uncounted  bool // it was reported which limits cannot hold
	damaged    int  // iterations in a row that destroyed something
	masker     *mask.Masker
	changed    []string          // what changed since it was trusted
	said       map[string]saying // by the stage and the task
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

// New makes a loop. Its time begins now, and anew with Run.
func New(c Config) *Loop {
	return &Loop{Config: c, began: c.Now(), masker: mask.Load(), said: map[string]saying{}}
}

// patience is how many iterations in a row may change nothing.
const patience = 3

// Run goes round until a goal is reached or a guard says no. The error is one that no further iteration would repair; the
// summary is valid with it.
func (l *Loop) Run(ctx context.Context) (Summary, error) {
	l.Store = l.supervised(ctx.Done())
	why, text, err := l.iterate(ctx)
	if err != nil && stopped(ctx, err) {
		why, err = Interrupted, nil
	}
	l.total.LeftOver = l.leftOver(ctx)
	return l.end(why, text), err
}

// ownSignal is how much later than git we may hear a signal that was sent to both.
const ownSignal = 2 * time.Second

// stopped reports whether err comes of the end of ctx. A terminal that is closed may have ended git before we hear of it.
func stopped(ctx context.Context, err error) bool {
	if proc.Dismissed(err) {
		select {
		case <-ctx.Done():
		case <-time.After(ownSignal):
		}
	}
	return ctx.Err() != nil
}

func (l *Loop) begin(ctx context.Context) error {
	l.began = l.Now()
	err := l.findOwnChanges(ctx)
	l.report(Event{Kind: RunBegan, Run: l.Config.Run.Name, PID: l.PID, Agent: l.Agents.Names(l.Goals)})
	l.warnOfSpec(ctx)
	l.warnOfLimits()
	l.tellUnfinished(0)
	if err == nil {
		l.pushLeft(ctx)
	}
	return err
}

func (l *Loop) end(why Reason, text string) Summary {
	why, text = l.withOwed(why, l.masker.Text(text))
	l.total.Why, l.total.Text, l.total.Took = why, text, l.Now().Sub(l.began)
	l.report(l.total.Event())
	return l.total
}

// Event is the one that ends the run.
func (s Summary) Event() Event {
	return Event{
		Kind: RunEnded, Why: s.Why, Text: s.Text, Commits: s.Commits, Took: s.Took, Tokens: s.Tokens, Cost: s.Cost, LeftOver: s.LeftOver,
	}
}

// iterate runs iterations until the run is over.
func (l *Loop) iterate(ctx context.Context) (Reason, string, error) {
	if err := l.begin(ctx); err != nil {
		return Broken, err.Error(), err
	}
	for {
		state, err := l.now(ctx)
		if err != nil {
			return Broken, err.Error(), err
		}
		if why, text := l.over(state); why != "" {
			return why, text, nil
		}
		if err := l.Store.AwaitIndex(ctx); err != nil { // an agent whose work cannot be noted need not begin
			return Broken, err.Error(), err
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

// now is look, or what the agent was to do that left the operation which is still in progress.
func (l *Loop) now(ctx context.Context) (state, error) {
	if l.stuck != nil && l.Store.Repo().Unfinished() != "" {
		return *l.stuck, nil
	}
	l.stuck = nil
	return l.look(ctx)
}

// A state is the plan and HEAD at a moment.
type state struct {
	plan   *plan.Plan
	next   schedule.Next
	head   string // "" before the first commit
	branch string // "" where HEAD is detached
	waits  error  // what the task that was asked for waits for; nil where it does not

	operation string // what git is in the middle of; "" for nothing
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
	if snap.Missing {
		p = &plan.Plan{} // an agent deleted it: HEAD's plan is not what it left
	}
	head, err := l.Store.Repo().Head(ctx)
	if err != nil {
		return state{}, err
	}
	branch, err := l.Store.Repo().Branch(ctx)
	if err != nil {
		return state{}, err
	}
	s := state{plan: p, next: schedule.Of(p).Next(), head: head, branch: branch, operation: l.Store.Repo().Unfinished()}
	l.direct(&s)
	return s, nil
}

// softly reports whether the run is to end after the iteration.
func (l *Loop) softly() bool {
	select {
	case <-l.Soft:
		return true
	default:
		return false
	}
}

// judge looks at how an iteration went, and returns why the run ends, if it does.
func (l *Loop) judge(ctx context.Context, it *iteration) (why Reason, text string) {
	if it.result == ResultInterrupted {
		return Interrupted, ""
	}
	if it.result == ResultLimited {
		if l.countWait(it) >= patience {
			return AgentFails, "its service still refuses: " + it.text
		}
		return l.waitOut(ctx, it)
	}
	l.waited, l.waits = 0, 0
	if why, text := l.judgeDamage(it); why != "" {
		return why, text
	}
	if it.progress {
		l.idle, l.failed = 0, 0
		return "", ""
	}
	l.idle++
	if it.result == ResultFailed {
		l.failed++
	}
	switch {
	case l.Goals.Once && it.result == ResultFailed:
		return AgentFails, it.text
	case l.idle < patience:
		return "", ""
	case l.failed >= patience:
		return AgentFails, it.text
	}
	return NoProgress, fmt.Sprintf("%d iterations in a row changed nothing", l.idle)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
