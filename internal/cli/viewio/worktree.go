package viewio

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
	"git-ralph/internal/view"
	"git-ralph/internal/worktree"
)

// A Worktree reads what views show of the worktree that a user is in. Each method reads anew, and returns values that are not changed
// afterwards. Several goroutines may use it.
type Worktree struct {
	env term.Env

	mu     sync.Mutex
	runs   map[string]knownRun // by their directory
	past   knownHistory
	landed map[done]landed.Verdict
	target string // the commit that landed is about
}

// A knownHistory is the history that was read last, where nothing of it was missing.
type knownHistory struct {
	state string // that it is of, as history.Reader has it; "" for none
	*fold.History
}

// done is a done task that was judged.
type done struct {
	id      string
	attempt plan.Attempt
}

// In returns the worktree that a directory is in; "" is that of the environment. Messages about what is read are not printed but part
// of the data.
func In(env *term.Env, dir string) *Worktree {
	w := &Worktree{env: *env, runs: map[string]knownRun{}}
	if dir != "" {
		w.env.Dir = dir
	}
	return w
}

// open opens the store. Messages go to the data.
func (w *Worktree) open(ctx context.Context, d *view.Data) (*term.Env, *store.Store, error) {
	env := w.env
	d.Messages = slices.Clip(d.Messages)
	env.Message = func(sort, text string) { d.Messages = append(d.Messages, view.Message{Sort: sort, Text: text}) }
	st, err := planio.Open(ctx, &env)
	return &env, st, err
}

// Read reads plan and claims. The errors are those of planio.Source.View.
func (w *Worktree) Read(ctx context.Context) (*view.Data, error) {
	read := &view.Data{}
	env, st, err := w.open(ctx, read)
	if err != nil {
		return nil, err
	}
	v, err := planio.ViewWorktree(ctx, env, st)
	if err != nil {
		return nil, err
	}
	d := view.New(v.Plan, v.Schedule)
	d.Moment, d.Root, d.Messages = env.Now().Local(), st.Repo().Root(), read.Messages
	d.Claims, d.Own, d.Abandoned, d.Invalid = v.Claims.Held, v.Claims.Own, v.Claims.Abandoned, v.Invalid()
	return d, nil
}

// ReadAt reads the plan of a commit, for a history that was read, which may be nil.
func (w *Worktree) ReadAt(ctx context.Context, rev string, h *fold.History) (*view.Data, error) {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return nil, err
	}
	snap, err := st.At(ctx, rev)
	if err != nil {
		return nil, err
	}
	_, invalid := snap.Valid()
	if !snap.Problems.Readable() {
		return nil, invalid
	}
	reader := st.Repo().Reader(ctx)
	defer reader.Close()
	id, err := reader.Resolve(rev)
	if err != nil {
		return nil, err
	}
	seconds, err := reader.Time(id)
	if err != nil {
		return nil, err
	}
	d := view.New(snap.Plan, schedule.Of(snap.Plan))
	d.Moment, d.Root, d.History, d.Invalid = time.Unix(seconds, 0), st.Repo().Root(), h, invalid
	d.Commit, err = git.ParseHash(id)
	return d, err
}

// WithHistory returns data with the history, which is read again where something was committed.
func (w *Worktree) WithHistory(ctx context.Context, d *view.Data) (*view.Data, error) {
	all := *d
	env, st, err := w.open(ctx, &all)
	if err != nil {
		return nil, err
	}
	reader, err := history.Open(ctx, planio.HistoryOf(env, st))
	if err != nil {
		return nil, err
	}
	defer reader.Close() //nolint:errcheck // nothing was written
	state := reader.State()
	w.mu.Lock()
	known := w.past
	w.mu.Unlock()
	if state != "" && known.state == state {
		all.History = known.History
		return &all, nil
	}
	w.keepHistory(knownHistory{}) // two at once may be too much
	if all.History, err = planio.ReadNewest(ctx, env, st, reader, 0, false); err != nil {
		return nil, err
	}
	all.History.Shrink()
	if !reader.IsComplete() {
		state = ""
	}
	w.keepHistory(knownHistory{state, all.History})
	return &all, nil
}

func (w *Worktree) keepHistory(h knownHistory) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.past = h
}

// WithLanded returns data, which have the history, with what has landed. Where ralph.target is not set, nobody asks that.
func (w *Worktree) WithLanded(ctx context.Context, d *view.Data) (*view.Data, error) {
	all := *d
	_, st, err := w.open(ctx, &all)
	if err != nil || !planio.TargetSet(ctx, st) || d.Commit != (git.Hash{}) {
		return &all, err
	}
	target, err := planio.JudgedCommit(ctx, st)
	if err != nil {
		return nil, err
	}
	var unknown []*plan.Record
	all.Landed = map[string]landed.Verdict{}
	known := w.judged(target)
	for _, r := range d.Schedule.Done() {
		if verdict, found := known[done{r.ID(), r.Attempt()}]; found {
			all.Landed[r.ID()] = verdict
		} else {
			unknown = append(unknown, r)
		}
	}
	verdicts, err := planio.LandedBy(ctx, st, unknown, func() (*fold.History, error) { return d.History, nil })
	if err != nil {
		return nil, err
	}
	maps.Copy(all.Landed, verdicts)
	w.keepJudged(target, d.Schedule.Done(), all.Landed)
	return &all, nil
}

// judged returns what is known of tasks under a target.
func (w *Worktree) judged(target string) map[done]landed.Verdict {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.target != target {
		return nil
	}
	return w.landed
}

// keepJudged keeps what was found out, as long as the target does not move. What is unknown may be found out later.
func (w *Worktree) keepJudged(target string, tasks []*plan.Record, verdicts map[string]landed.Verdict) {
	known := map[done]landed.Verdict{}
	for _, r := range tasks {
		if v := verdicts[r.ID()]; v == landed.Yes || v == landed.No && !r.CodeIsElsewhere() {
			known[done{r.ID(), r.Attempt()}] = v
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.target, w.landed = target, known
}

// All reads everything.
func (w *Worktree) All(ctx context.Context) (*view.Data, error) {
	d, err := w.Read(ctx)
	for _, more := range [...]func(context.Context, *view.Data) (*view.Data, error){w.WithRuns, w.WithHistory, w.WithLanded} {
		if err == nil {
			d, err = more(ctx, d)
		}
	}
	return d, err
}

// AddReceipts adds the receipts of a task's acceptances.
func (w *Worktree) AddReceipts(ctx context.Context, t *view.Task) error {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return err
	}
	events := make([]*fold.Event, len(t.Events))
	for i := range t.Events {
		events[i] = t.Events[i].Event
	}
	all := planio.ReadReceipts(ctx, st.Repo(), events)
	for i := range t.Events {
		t.Events[i].Receipts = all[t.Events[i].Event]
	}
	return nil
}

// HasUncommitted reports whether the plan's file differs from HEAD's.
func (w *Worktree) HasUncommitted(ctx context.Context) (bool, error) {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return false, err
	}
	changes, err := st.Repo().Changes(ctx, st.PlanPath())
	return len(changes) > 0, err
}

// List lists the worktrees of the repository that are there, the main one first.
func (w *Worktree) List(ctx context.Context) ([]worktree.Listed, error) {
	_, st, err := w.open(ctx, &view.Data{})
	if err != nil {
		return nil, err
	}
	all, err := worktree.List(ctx, st.Repo())
	found := all[:0]
	for _, t := range all {
		if !t.Bare && !t.IsGone() {
			found = append(found, t)
		}
	}
	return found, err
}
