package iteration

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/changes"
	"git-ralph/internal/evidence"
	"git-ralph/internal/journal"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A Workspace is where iterations run: a worktree with its plan, and the journal of the run. It need not be the user's
// worktree.
type Workspace struct {
	Store   *store.Store
	Source  Source // of the work, in place of the plan; may be nil
	Journal journal.Journal
	Run     *journal.Run     // in the journal; nil where no agent is started
	Changes *changes.Changes // who made the uncommitted changes
	Masker  *mask.Masker
	Checks  *evidence.Runner                 // of tasks, run before VERIFY; nil for none
	History History                          // may be nil
	Warn    func(iteration int, text string) // may be nil
	Fence   Fence                            // may be nil
	Update  Update                           // runs the transactions; nil for the store's own

	ItemRules ItemRules // may be nil

	BuiltInPrompts bool // instead of those of the repository
}

// A Fence returns an error where a task is no longer the run's to change, because somebody else has claimed it. It is called when an
// agent has ended; the error ends the run.
type Fence func(ctx context.Context, id string) error

// An Update runs a transaction on the plan, with what belongs to it besides: the claims of tasks that it finishes. It is given the
// run's own store, whose git commands are under supervision.
type Update func(ctx context.Context, st *store.Store, r store.Request) (store.Result, error)

// A Job is what one iteration has to do.
type Job struct {
	N       int   // its number in the run
	State   State // before it
	Began   time.Time
	Agent   agent.Profile
	Environ []string   // the user's
	Inherit []*os.File // that the agent holds open as long as it runs
	Limits  agent.Limits
	Strict  bool                 // new tasks whose acceptance criteria cannot be checked are refused
	Spec    string               // to be planned, if it is not the plan's yet
	Watch   func(agent.Progress) // called now and then while the agent runs
	Memory  Memory               // of the iteration before

	checked []evidence.Result // of the tasks that VERIFY is given
}

// Stage returns the stage of the iteration.
func (j Job) Stage() schedule.Stage { return j.State.Next.Action }

// ID returns the id of the iteration's task, "" in stages that work on many tasks.
func (j Job) ID() string {
	if j.Stage() == schedule.Investigate {
		return ""
	}
	return j.State.itemID()
}

// Name returns the name of the task with that ID.
func (j Job) Name() string {
	switch {
	case j.ID() == "":
		return ""
	case j.State.Work != nil:
		return j.State.Work.Name
	}
	return j.State.Next.Item.Name()
}

// PromptRoot returns the directory that prompts are read from, "" for the built-in ones.
func (p Workspace) PromptRoot() string {
	if p.BuiltInPrompts {
		return ""
	}
	return p.Store.Repo().Root()
}

func (p Workspace) warn(iteration int, format string, args ...any) {
	if p.Warn != nil {
		p.Warn(iteration, fmt.Sprintf(format, args...))
	}
}

// A finishedJob is a job whose agent has ended.
type finishedJob struct {
	Workspace
	Job
	prompt renderedPrompt
	ended  agent.Outcome
}

func (f finishedJob) warn(format string, args ...any) { f.Workspace.warn(f.N, format, args...) }

// update runs one transaction. That nothing changes is no error. New tasks whose acceptance criteria cannot be checked are
// refused if the job is strict; otherwise they cause a warning.
func (f finishedJob) update(ctx context.Context, r store.Request) error {
	r.Clean = f.Masker.Object
	var vague []string
	do := r.Do
	r.Do = func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		change, err := do(p, in)
		if vague = change.VagueTasks(); err == nil && f.Strict && len(vague) > 0 {
			err = fmt.Errorf("%w: nobody can check these tasks, so nothing was changed:\n%s", report.ErrUnusable, strings.Join(vague, "\n"))
		}
		return change, err
	}
	var err error
	if f.Update != nil {
		_, err = f.Update(ctx, f.Store, r)
	} else {
		_, err = f.Store.Update(ctx, r)
	}
	if errors.Is(err, plan.ErrNothing) {
		return nil
	}
	if err == nil {
		for _, line := range vague {
			f.warn("%s", line)
		}
	}
	return err
}

// change runs a transaction of a mutation alone.
func (f finishedJob) change(ctx context.Context, do func(p *plan.Plan, in store.Inputs) (plan.Change, error)) error {
	return f.update(ctx, store.Request{Do: do})
}

func nothing(*plan.Plan, store.Inputs) (plan.Change, error) { return plan.Change{}, nil }
