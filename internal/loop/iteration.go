package loop

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// A Result says how an iteration ended.
type Result string

// The results, as the journal and --json name them.
const (
	ResultProgress    Result = "progress"    // the plan or the code got on
	ResultBlocked     Result = "blocked"     // the agent could not go on, and the task waits for an issue that says why
	ResultNone        Result = "no progress" // nothing changed
	ResultKilled      Result = "killed"      // by a limit
	ResultFailed      Result = "failed"      // the agent did
	ResultLimited     Result = "limited"     // by its service; worth to wait and try again
	ResultInterrupted Result = "interrupted" // by the user
)

// A startError says that the agent could not be started.
type startError struct{ err error }

func (e *startError) Error() string { return "cannot start the agent: " + e.err.Error() }

func (e *startError) Unwrap() error { return e.err }

// An iteration is one start of an agent and what came of it.
type iteration struct {
	*Loop
	n       int
	before  state
	began   time.Time
	left    int // pending tasks at its beginning
	prompt  string
	shown   int      // tasks that VERIFY was given
	named   []string // files that the agent names, where it told the plan itself
	blocked string   // why the agent could not go on, as it reported
	applied bool     // what it left uncommitted was

	outcome  agent.Outcome
	steps    []Step
	commits  int
	result   Result
	progress bool
	damage   string // what the agent destroyed and we made good
	repeated bool   // it said what was said before, and no more
	text     string // for people: why it is so
}

func (l *Loop) newIteration(s state) *iteration {
	l.started++
	l.total.Iterations++
	return &iteration{Loop: l, n: l.started, before: s, began: l.Now(), left: len(schedule.Of(s.plan).Pending())}
}

func (it *iteration) stage() schedule.Stage { return it.before.next.Action }

// agent is the one of the stage.
func (it *iteration) agent() agent.Profile { return it.Agents[it.stage()] }

// id is that of the task that is worked on, "" in stages that work on many.
func (it *iteration) id() string {
	if it.stage() == schedule.Investigate {
		return ""
	}
	return idOf(it.before.next)
}

func (it *iteration) name() string {
	if it.id() == "" {
		return ""
	}
	return it.before.next.Item.Name()
}

func (it *iteration) log() string { return journal.LogName(it.Config.Run.Name, it.n) }

// run runs the agent and looks at what came of it. The error is one that the next iteration would meet too.
func (it *iteration) run(ctx context.Context) error {
	it.report(Event{
		Kind: IterationBegan, Iteration: it.n, Stage: it.stage(), ID: it.id(), Name: it.name(), Log: it.log(), Agent: it.agent().Name,
		Format: string(it.agent().Format),
	})
	if err := it.ask(ctx); err != nil {
		return err
	}
	after, err := it.settle(ctx)
	if err != nil {
		return fmt.Errorf("the outcome of iteration %d is not in the plan: %w", it.n, err)
	}
	it.sum(ctx, after)
	it.report(Event{
		Kind: IterationEnded, Iteration: it.n, Stage: it.stage(), ID: it.id(), Name: it.name(), Result: it.result, Text: it.text, Steps: it.steps,
		Commits: it.commits, Took: it.Now().Sub(it.began), Tokens: it.outcome.Tokens, Cost: it.outcome.Cost,
	})
	return nil
}

// ask starts the agent with the stage's prompt and waits for its end.
func (it *iteration) ask(ctx context.Context) error {
	p, err := prompt.Load(it.promptRoot(), it.stage())
	if err != nil {
		return err
	}
	values, err := it.values(ctx)
	if err != nil {
		return err
	}
	it.prompt = p.Render(values)
	file, err := it.Config.Run.WritePrompt(it.n, it.prompt)
	if err != nil {
		return err
	}
	log, err := it.Config.Run.OpenLog(it.n)
	if err != nil {
		return err
	}
	defer log.Close()                   //nolint:errcheck // a log that is not whole is no reason to stop
	it.Config.Run.AgentBegan(proc.ID{}) // should this process be killed before it knows more
	it.outcome, err = agent.Run{
		Profile: it.agent(), Prompt: file, Dir: it.Store.Repo().Root(), Log: log, Limits: it.limits(),
		Env:     it.environ(),
		Masker:  it.masker,
		Started: it.Config.Run.AgentBegan,
		Watch:   func(r agent.Reading) { log.Tick(); it.Loop.progress(it.live(r)) },
		Warn:    func() { it.warn(it.n, "the agent's context is filling up: more than %d %% of it is used", warnPart) },
	}.Do(ctx)
	if it.outcome.End != agent.Exited || it.outcome.Code < 0 { // its git commands were killed with it
		for _, path := range it.Store.Repo().RemoveLocks(git.Gone{Began: it.began}) {
			it.warn(it.n, "removed the lock file of a git command that was killed: %s", path)
		}
	}
	it.Config.Run.AgentEnded() // last: what a kill leaves undone here is done by the next command
	if err != nil {
		return &startError{err}
	}
	return nil
}

// environ is the agent's: the user's, and which part of which run it is.
func (it *iteration) environ() []string {
	return append(slices.Clone(it.Environ),
		journal.RunVariable+"="+it.Config.Run.Name,
		"GIT_RALPH_ITERATION="+strconv.Itoa(it.n),
		"GIT_RALPH_STAGE="+string(it.stage()),
		"GIT_RALPH_TASK="+it.id(),
	)
}

// How full an agent's context may become, in percent of its window.
const (
	warnPart = 70
	stopPart = 95
)

func (it *iteration) limits() agent.Limits {
	s, window := it.Settings, it.agent().Window
	return agent.Limits{
		Time: s.TimeLimit[it.stage()], Idle: s.Idle, Final: s.Final, Grace: s.Grace,
		Warn: window * warnPart / 100, Context: window * stopPart / 100,
	}
}

func (it *iteration) live(r agent.Reading) Live {
	if r.Limit != "" { // its own waiting for it is silent
		r.Tool = "waiting: " + r.Limit
	}
	return Live{
		Iteration: it.n, Stage: it.stage(), ID: it.id(), Name: it.name(), Began: it.began,
		Tokens: it.total.Tokens + r.Tokens, Context: r.Context, Window: it.agent().Window, Cost: it.total.Cost + r.Cost, Tool: r.Tool,
		Done: it.total.Done, Accepted: it.total.Accepted, Rejected: it.total.Rejected, Left: it.left, Typical: median(it.times),
		Stopping: it.softly(),
	}
}

func median(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)/2]
}

// settle applies what the agent reported, and what its end means for the task, and returns the state after it.
func (it *iteration) settle(ctx context.Context) (state, error) {
	ctx = context.WithoutCancel(ctx) // what the agent did is recorded whole, also when the run is to end
	if it.leftOperation() {
		return *it.stuck, nil
	}
	damage, err := it.repair(ctx)
	if err != nil {
		return state{}, err
	}
	if damage != "" {
		it.damage = damage
	}
	now, err := it.look(ctx)
	if err != nil {
		return state{}, err
	}
	switch {
	case it.outcome.End == agent.Interrupted, it.limited(), it.damage != "":
	case it.outcome.End != agent.Exited:
		err = it.kill(ctx, now)
	case it.outcome.Success():
		it.feedback = feedback{} // it was told
		err = it.applyReport(ctx, now)
	}
	if err == nil {
		now, err = it.commitEdits(ctx)
	}
	if err == nil {
		err = it.commitWork(ctx, now)
	}
	if err == nil {
		err = it.guardTasks(ctx, now)
	}
	if err != nil {
		return state{}, err
	}
	return it.look(ctx)
}

// sum counts what the iteration came to, and reports it.
func (it *iteration) sum(ctx context.Context, after state) {
	it.steps = stepsBetween(it.before.plan, after.plan)
	it.tellBranch(after.branch)
	it.tellUnfinished(it.n)
	it.tellUnkept(ctx, after)
	it.reportKept()
	it.suggestIssues(after)
	it.tellUntrusted()
	commits, lost := it.newCommits(ctx, it.before.head, after.head)
	it.commits = commits
	if lost {
		it.gone += count(it.steps, plan.EventCancelled) + count(it.steps, plan.EventAccepted)
	}
	it.repeated = it.repeats()
	it.progress = !lost && it.stuck == nil && it.damage == "" && !it.repeated && (gotOn(it.steps) || it.planned || commits > 0 && !it.onlyPlan(ctx, after.head))
	it.planned = it.planned || it.Goals.Plan && count(it.steps, plan.EventAdded) > 0 // by commands of its own
	it.result, it.text = it.describe()
	if it.result != ResultLimited && it.result != ResultFailed { // these tell nothing of how long the work takes
		it.times = append(it.times, it.Now().Sub(it.began))
	}
	t := &it.total
	t.Done += count(it.steps, plan.EventDone)
	t.Accepted += count(it.steps, plan.EventAccepted)
	t.Rejected += count(it.steps, plan.EventRejected)
	t.Killed += count(it.steps, plan.EventKilled)
	t.Commits += it.commits
	t.Tokens += it.outcome.Tokens
	t.Cost += it.outcome.Cost
	it.tellUncounted()
}
