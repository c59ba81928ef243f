package runcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-ralph/internal/changes"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// commitFirst commits a plan with uncommitted changes, if the user agrees after seeing what it removes. Enter means
// yes.
func commitFirst(ctx context.Context, e *term.Env, st *store.Store, agreed bool) error {
	edits, err := st.Uncommitted(ctx)
	if err != nil || edits == nil {
		return err
	}
	if _, err := st.ValidPlan(ctx); err != nil { // a plan that is not valid is not to be committed
		return err
	}
	if len(edits.Removed) > 0 {
		e.Warn(fmt.Sprintf("the uncommitted changes of %s remove %s", st.PlanPath(), store.ListNames(edits.Removed)))
	}
	if !agreed {
		if !e.Interactive {
			return &cmdline.HintedError{Err: errUncommitted, Hint: "commit it, or give --commit-plan"}
		}
		answer, err := e.Ask("plan.jsonl has uncommitted changes. Commit now? [Y/n] ")
		if err != nil || !term.IsYes(answer) {
			return term.ErrAborted
		}
	}
	_, err = planio.Transact(ctx, e, st, store.Request{
		OwnEdits: true, Keep: store.KeepAll, Do: func(*plan.Plan, store.Inputs) (plan.Change, error) { return plan.Change{}, nil },
	})
	return err
}

// errDirty refuses a run that would mix the user's work with its own.
var errDirty = errors.New("files have uncommitted changes that no run left")

// allowDirty asks whether a run may begin although the user has changed files other than except. Enter means no.
func allowDirty(ctx context.Context, e *term.Env, c runner, agreed bool, except ...string) error {
	dirty, err := loop.FilesChangedByUser(ctx, c.store, c.journal)
	dirty = slices.DeleteFunc(dirty, func(path string) bool { return slices.Contains(except, path) })
	if err != nil || len(dirty) == 0 || agreed {
		return err
	}
	if !e.Interactive {
		return &cmdline.HintedError{Err: fmt.Errorf("%w: %s", errDirty, changes.Listed(dirty)), Hint: "`git stash` sets them aside; --allow-dirty begins and never commits them"}
	}
	if !e.Confirm("These files have uncommitted changes that no run left: " + changes.Listed(dirty) + "\nBegin, and never commit these files?") {
		return term.ErrAborted
	}
	return nil
}

var errUncommitted = errors.New("the plan has uncommitted changes")
