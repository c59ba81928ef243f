package work

import (
	"context"
	"path/filepath"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/iteration"
	"git-ralph/internal/land"
	"git-ralph/internal/loop"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
	"git-ralph/internal/worktree"
)

// Prepare returns the agents for a worktree, and what describes changes of its files that agents run, as loop.Config has it. The
// error says why no agent may be started there.
type Prepare func(ctx context.Context, st *store.Store) (agents loop.Agents, untrusted func() []string, err error)

// A Worker does tasks of one role, one after the other. Its fields are set before Run, which is called once.
type Worker struct {
	Store     *store.Store // of the worktree in which it was started, which it never changes
	Claims    *authority.Claims
	OpenStore OpenStore
	Loop      loop.Config // of the iterations, less what depends on worktree and task
	Prepare   Prepare
	History   func(*store.Store) iteration.History // may be nil

	Name  string // "" for the first of worker-1, worker-2, … that does not run
	Role  string
	By    string        // who started it
	Into  string        // full name of the target branch
	Lease time.Duration // of its claims
	Once  bool          // one task
	Task  string        // only this one, whatever its role; "" for any of the role
	Rest  bool          // no task: only what needs no claim
	Wait  bool          // for others, where that is all that is left

	Landing land.Options                // of finished branches, less which
	Advance func(context.Context) error // does what is due for pull requests; nil where landing finishes these steps
	Again   time.Duration               // after it, landing and pull requests are tried again; 0 for LandAgain
	TeamRun string                      // the run of a team that started it, "" for none
	HasTeam func() bool                 // reports whether a team goes on, which starts whoever reviews; may be nil
	NoLand  bool                        // the branches of tasks are left to an integrator

	Random func(n int) int // a random number from 0 to n-1

	dir      Directory
	place    *place
	running  running
	target   target
	own      map[string]owned          // claims, by task
	passed   map[string]string         // tasks that got nowhere here, with the round in which that was
	reviewed map[schedule.Stage]string // what got nowhere here
	unlanded string                    // what could not land
	tried    time.Time                 // when that was
	red      string                    // how the check failed at the target's own tip, as it was reported last
	still    stillness
	finished int  // tasks
	waits    bool // what is done could not land yet, and is not given back
	began    time.Time
	total    loop.Summary
}

// Run claims tasks and does them until nothing is left to do. The error is one that ended the worker; the summary is valid
// with it. It is a *safefile.HeldError where a worker of that name runs already.
func (w *Worker) Run(ctx context.Context) (loop.Summary, error) {
	w.reviewed = map[schedule.Stage]string{}
	w.own, w.passed, w.began = map[string]owned{}, map[string]string{}, w.Loop.Now()
	leave, err := w.enterWorktree(ctx)
	if err != nil {
		return loop.Summary{Why: loop.Broken, Text: err.Error()}, err
	}
	defer leave()
	w.Loop.Reporter.Report(loop.Event{Kind: loop.RunBegan, At: w.Loop.Now(), Run: w.place.name, PID: w.Loop.PID, Agent: w.Loop.Agents.Names(w.Loop.Goals)})
	why, text, err := w.work(ctx)
	if err != nil && ctx.Err() != nil {
		why, text, err = loop.Interrupted, "", nil
	}
	w.running.end(err)
	if err != nil {
		why, text = loop.Broken, err.Error()
	}
	w.total.Why, w.total.Text, w.total.Took = why, text, w.took()
	end := w.total.Event()
	end.At = w.Loop.Now()
	w.Loop.Reporter.Report(end)
	return w.total, err
}

func (w *Worker) took() time.Duration { return w.Loop.Now().Sub(w.began) }

// enterWorktree takes the worker's lock, and opens its worktree, which is recovered where the last worker of that name was killed.
func (w *Worker) enterWorktree(ctx context.Context) (leave func(), err error) {
	if w.dir, err = OpenDirectory(ctx, w.Store.Repo()); err != nil {
		return nil, err
	}
	if err = w.readTarget(ctx); err != nil {
		return nil, err
	}
	if err = w.resolveTask(); err != nil {
		return nil, err
	}
	name, held, err := w.hold()
	if err != nil {
		return nil, err
	}
	var killed []git.EndedProcess
	w.running, killed = w.dir.begin(name)
	leave = func() { held.Release() } //nolint:errcheck // the kernel releases it at the end
	if worktree.EndLeft(ctx, w.Store.Repo()) > 0 {
		w.reportKept("ended a check that a killed process had left running")
	}
	w.removeLocks(w.Store.Repo(), killed)
	if err = w.repairOthers(ctx, name); err == nil {
		err = w.repair(ctx, killed)
	}
	if err == nil {
		err = repairWorktree(ctx, w.Store.Repo(), filepath.Join(w.dir.path, name), w.target.tip, w.reportKept)
	}
	if err == nil {
		w.place, err = w.dir.openPlace(ctx, name, w.target.tip, w.OpenStore)
	}
	if err == nil {
		w.removeLocks(w.place.st.Repo(), killed)
		err = w.place.recover(ctx, w.Loop.Now(), w.Loop.Settings, w.target.tip, w.reportKept)
		w.running.recovered(err)
	}
	if err != nil {
		leave()
	}
	return leave, err
}

// work does tasks until there is a reason to end.
func (w *Worker) work(ctx context.Context) (loop.Reason, string, error) {
	for {
		if why, text := w.endReason(); why != "" {
			return why, text, nil
		}
		t, s, err := w.take(ctx)
		if err != nil {
			if err = w.survive(ctx, err); err != nil {
				return loop.Broken, "", err
			}
			continue
		}
		did, why, text, err := w.one(ctx, t, s)
		if why != "" || err != nil {
			return why, text, err
		}
		if did && w.Once {
			return w.endOfOne()
		}
	}
}

// one does a task that was claimed, else what needs no claim, else it waits. The reason is why the worker ends.
func (w *Worker) one(ctx context.Context, t *taken, s survey) (did bool, why loop.Reason, text string, err error) {
	if t != nil {
		why, text, err = w.round(ctx, t)
		return true, why, text, err
	}
	if w.Task == "" {
		if did, why, text, err = w.rest(ctx, s); did || why != "" || err != nil {
			return did, why, text, err
		}
	}
	if why, text = w.idle(s); why == "" {
		err = w.sleep(ctx, s)
	}
	return false, why, text, err
}

// rest does what needs no claim: it lands what waits, or reviews.
func (w *Worker) rest(ctx context.Context, s survey) (did bool, why loop.Reason, text string, err error) {
	if did, err = w.landAll(ctx, s); did || err != nil {
		return did, "", "", err
	}
	for _, stage := range w.stages() {
		if did, why, text, err = w.review(ctx, stage); did || why != "" || err != nil {
			return did, why, text, err
		}
	}
	return false, "", "", nil
}

// endReason returns why no further task is to be begun, "" for nothing.
func (w *Worker) endReason() (loop.Reason, string) {
	if w.stopRequested() {
		return loop.Interrupted, ""
	}
	if limit := w.Loop.Goals.Limit(w.total, w.took()); limit != "" {
		return loop.LimitHit, limit
	}
	return "", ""
}

// endOfOne is the end of a worker that was to do one task.
func (w *Worker) endOfOne() (loop.Reason, string, error) {
	switch {
	case w.finished > 0:
		return loop.Reached, "", nil
	case w.waits:
		return Held, "what is done waits to land", nil
	}
	return loop.NoProgress, "nothing was finished", nil
}

// remotePause is how long a worker waits before it tries again to reach the remote that has the claims.
const remotePause = 10 * time.Second

// survive waits where an error may go away by itself, and returns any other one.
func (w *Worker) survive(ctx context.Context, err error) error {
	if !w.Wait || !isAny(err, authority.ErrRemote, authority.ErrUnknown) {
		return err
	}
	w.warn("", err.Error())
	return w.pause(ctx, remotePause)
}
