package githook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// ErrCannotClose: a message names a task or issue that is not there or cannot
// be closed.
var ErrCannotClose = errors.New("the message closes what cannot be closed")

// commitMsg refuses a message that closes what cannot be closed. During
// a rebase or the like, messages are old ones and are not checked.
func (r run) commitMsg(ctx context.Context, file string) error {
	if r.closeSetting(false) == "off" || r.isReplaying() {
		return nil
	}
	text, err := os.ReadFile(r.path(file))
	if err != nil {
		return r.warnUnchecked("the message was not checked", err)
	}
	named := r.closingOf(string(text))
	if named.empty() {
		return nil
	}
	failures, err := r.dryRun(ctx, named)
	if err != nil {
		return r.warnUnchecked("the message was not checked", err)
	}
	failures = withoutIDs(failures, r.closedByHead(ctx))
	if failures = r.dropClosableInHead(ctx, failures, named); len(failures) == 0 {
		return nil
	}
	for _, f := range failures {
		r.Report("error", f.Error())
		r.Report("hint", hintFor(f))
	}
	return fmt.Errorf("%w; `git commit --no-verify` commits it all the same", ErrCannotClose)
}

// isReplaying reports whether git is recreating existing commits, as in a rebase.
func (r run) isReplaying() bool {
	operation := r.repo.Operations().Unfinished()
	return operation != "" && operation != "merge" && operation != "bisect"
}

func (r run) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(r.Dir, file)
}

// closeSetting returns ralph.hooks.close: in which commit tasks that a message
// names are marked done.
func (r run) closeSetting(report bool) string {
	return r.setting(report, "ralph.hooks.close")
}

// closingOf reads a message; words in the text count where a setting says so.
func (r run) closingOf(message string) closing {
	return closingOf(message, r.closeWords(false))
}

func (r run) closeWords(report bool) bool {
	return r.setting(report, "ralph.hooks.closeWords") == "true"
}

// dryRun closes in memory what a message names, and returns an error for each
// task or issue that cannot be closed.
func (r run) dryRun(ctx context.Context, named closing) ([]error, error) {
	snap, err := r.Store.View(ctx)
	if err != nil {
		return nil, err
	}
	return dryRunIn(snap, named)
}

func dryRunIn(snap store.Snapshot, named closing) ([]error, error) {
	p, err := snap.Valid()
	if err != nil {
		return nil, err
	}
	in := store.Inputs{Stamp: plan.Stamp{Random: func(int) int { return 0 }}, Head: "0000000000000000"}
	_, failures := named.apply(p, in, pipeline.Finishing{})
	return failures, nil
}

// dropClosableInHead drops the failures of tasks and issues that could be closed
// in HEAD's plan: they are closed already in the plan that is staged or in the
// worktree, as after `git reset --soft HEAD^`.
func (r run) dropClosableInHead(ctx context.Context, failures []error, named closing) []error {
	if len(failures) == 0 {
		return nil
	}
	snap, err := r.Store.At(ctx, "HEAD")
	if err != nil {
		return failures
	}
	before, err := dryRunIn(snap, named)
	if err != nil {
		return failures
	}
	return slices.DeleteFunc(failures, func(f error) bool {
		return !slices.ContainsFunc(before, func(b error) bool { return idOf(b) == idOf(f) })
	})
}

// closedByHead returns what the message of the commit at HEAD names: a commit
// that amends it may name that again, although it is closed.
func (r run) closedByHead(ctx context.Context) []string {
	head, err := r.repo.HeadCommit(ctx)
	if err != nil {
		return nil
	}
	closed := r.closingOf(head.Message)
	return slices.Concat(closed.tasks, closed.issues)
}

func withoutIDs(failures []error, ids []string) []error {
	return slices.DeleteFunc(failures, func(f error) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(idOf(f), id) })
	})
}
