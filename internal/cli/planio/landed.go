package planio

import (
	"context"
	"encoding/hex"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// TargetSet reports whether ralph.target is set. Without it nobody asks whether a task has landed.
func TargetSet(ctx context.Context, st *store.Store) bool {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return false
	}
	name, ok := settings.Get("ralph.target")
	return ok && name != ""
}

// OpenJudge returns a judge of what has landed in the target branch, as it was last fetched. It is to be closed.
func OpenJudge(ctx context.Context, st *store.Store) (*landed.Judge, error) {
	ref, err := judgedTarget(ctx, st)
	if err != nil {
		return nil, err
	}
	return landed.Open(ctx, st.Repo(), st.PlanPath(), ref), nil
}

// JudgedCommit returns the commit that OpenJudge judges by, "" where there is none.
func JudgedCommit(ctx context.Context, st *store.Store) (string, error) {
	ref, err := judgedTarget(ctx, st)
	if err != nil || ref == "" {
		return "", err
	}
	return st.Repo().IDAt(ctx, ref)
}

// judgedTarget returns the name that the target has here.
func judgedTarget(ctx context.Context, st *store.Store) (string, error) {
	target, err := TargetBranch(ctx, st, "")
	if err != nil {
		return "", err
	}
	claims, err := OpenAuthority(ctx, st)
	if err != nil {
		return "", err
	}
	if copied := claims.Copy(target); copied != target {
		if id, err := st.Repo().IDAt(ctx, copied); err == nil && id != "" {
			return copied, nil
		}
	}
	return target, nil
}

// Landed judges the done tasks of a worktree's plan. It reads the history, which says what made them done.
func Landed(ctx context.Context, e *term.Env, st *store.Store, tasks []*plan.Record) (map[string]landed.Verdict, error) {
	return LandedBy(ctx, st, tasks, func() (*fold.History, error) { return history.Read(ctx, HistoryOf(e, st)) })
}

// LandedBy is Landed with a history that is read where one is needed.
func LandedBy(ctx context.Context, st *store.Store, tasks []*plan.Record, read func() (*fold.History, error)) (map[string]landed.Verdict, error) {
	verdicts := map[string]landed.Verdict{}
	if len(tasks) == 0 {
		return verdicts, nil
	}
	j, err := OpenJudge(ctx, st)
	if err != nil {
		return nil, err
	}
	defer j.Close() //nolint:errcheck // nothing was written
	var h *fold.History
	for _, r := range tasks {
		t := landed.Task{ID: r.ID(), Attempt: r.Attempt()}
		if r.CodeIsElsewhere() { // a pull request is to merge it
			verdicts[t.ID] = landed.No
			continue
		}
		if h == nil {
			if h, err = read(); err != nil {
				return nil, err
			}
		}
		verdicts[t.ID] = JudgeDone(j, h, t)
	}
	return verdicts, nil
}

// JudgeDone judges a task with the commits that made it done.
func JudgeDone(j *landed.Judge, h *fold.History, t landed.Task) landed.Verdict {
	done := doneEvent(h, t)
	if done == nil && !h.Complete {
		return landed.Unknown
	}
	if done != nil {
		for _, id := range append([]git.Hash{done.Commit}, done.Also...) {
			t.Commits = append(t.Commits, hex.EncodeToString(id[:h.IDSize()]))
		}
	}
	return j.Of(t)
}

// doneEvent returns the event by which an attempt at a task was done.
func doneEvent(h *fold.History, t landed.Task) *fold.Event {
	for _, l := range h.Lives {
		if l.Kind != plan.KindTask || !l.Has(t.ID) {
			continue
		}
		for _, e := range l.Events {
			if e.Name == plan.EventDone && plan.SameAttempt(plan.Attempt{ID: e.Attempt, DoneAt: e.DoneAt}, t.Attempt) {
				return e
			}
		}
	}
	return nil
}

// DoneOn returns the branch on which a task was done, "" where that is not known.
func DoneOn(ctx context.Context, e *term.Env, st *store.Store, r *plan.Record) (string, error) {
	h, err := history.Read(ctx, HistoryOf(e, st))
	if err != nil {
		return "", err
	}
	if done := doneEvent(h, landed.Task{ID: r.ID(), Attempt: r.Attempt()}); done != nil {
		return done.Branch, nil
	}
	return "", nil
}
