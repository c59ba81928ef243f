package planio

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"git-ralph/internal/agent"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

// PresentHint is what to do about a task that was to be restored and is in the plan already.
const PresentHint = "`git ralph task show ID` shows a task in the plan; `git ralph task reject ID REASON` makes a done one pending"

// HintFor returns what the user can do about an error, "" where there is nothing to suggest.
func HintFor(err error) string {
	switch e := err.(type) { //nolint:errorlint // only the outermost has the command line
	case *cmdline.UsageError:
		return e.Advice()
	case *cmdline.NothingError:
		return e.Hint
	case *cmdline.HintedError:
		return e.Hint
	}
	if e, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		return e.Hint()
	}
	if hint := hintForSentinel(err); hint != "" {
		return hint
	}
	return hintForDetail(err)
}

// hintForSentinel returns the hint for an error that is a value.
func hintForSentinel(err error) string {
	for _, known := range [...]struct {
		err  error
		hint string
	}{
		{git.ErrGone, "in the repository that a linked worktree belongs to, `git worktree repair PATH` connects them again"},
		{git.ErrNotRepository, "`git init` makes one here; -C names another directory"},
		{store.ErrBare, "run it in a worktree: `git worktree add` makes one"},
		{store.ErrEmptyBare, "push a branch that holds a plan to it"},
		{store.ErrStaged, "commit it, or take it out of the index with `git restore --staged`"},
		{store.ErrMoved, "nothing was changed; run the command again, on the plan that is there now"},
		{store.ErrUnmerged, "`git ralph resolve --all` merges the plan, record by record"},
		{store.ErrLocked, "try again when it has finished; `git config ralph.lockTimeout` says how long to wait"},
		{journal.ErrRunning, "`git ralph status` shows its progress"},
		{agent.ErrUnknown, "built in are " + strings.Join(agent.Names(), ", ") + "; `git config ralph.agent.NAME.command` defines another"},
		{agent.ErrNoUntrustedArgs, "`git ralph trust` trusts the repository; `git config ralph.agent.NAME.untrustedArgs` says how an agent leaves them out"},
		{agent.ErrMissing, "--agent, or `git config ralph.agent NAME`, chooses another"},
		{store.ErrSpecOutside, "agents work in the repository alone: copy the spec there"},
		{store.ErrSpecHidden, "rename one of the two"},
		{store.ErrNoSpec, "write it, or name another one with `git ralph set-spec FILE`"},
		{safefile.ErrLocked, "wait for that program to end; if none is running, a crash left the lock file behind and it may be removed"},
		{safefile.ErrReadOnly, "nothing was changed; `chmod u+w` makes it writable"},
		{config.ErrNoWorktreeConfig, "`git config extensions.worktreeConfig true` gives them one; see `git help worktree`"},
		{plan.ErrNoSpec, "set one with `git ralph set-spec FILE`, or name one with --spec"},
		{plan.ErrNoHead, "make a first commit"},
		{git.ErrHalfRebased, "`git rebase --abort` gives up both the rebase and the changes; `git rebase --continue` resumes it"},
		{fs.ErrPermission, "nothing was changed; make it writable, or run git ralph as the user who owns it"},
		{syscall.EROFS, "nothing was changed; the file system is mounted read-only"},
		{syscall.ENOSPC, "make room on that disk"},
		{plan.ErrPresent, PresentHint},
		{git.ErrBadRevision, "`git log` shows the commits there are"},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return ""
}

// hintForDetail returns the hint for an error that is recognised by its type.
func hintForDetail(err error) string {
	if _, ok := errors.AsType[*plan.BlockedError](err); ok {
		return "--force marks it done all the same"
	}
	if state, ok := errors.AsType[*plan.StateError](err); ok && state.Unknown {
		return plan.UnknownStateHint(state.ID)
	}
	if _, ok := errors.AsType[*plan.DependantsError](err); ok {
		return "--cascade cancels those too, --detach drops the dependency"
	}
	if unknown, ok := errors.AsType[*plan.UnknownIDError](err); ok {
		return fmt.Sprintf("`git ralph %s list` shows the ids there are", unknown.Kind)
	}
	if ambiguous, ok := errors.AsType[*plan.AmbiguousIDError](err); ok {
		if ambiguous.IsNumber {
			return "name one by its id; `git ralph item edit ID --number N` gives it a number of its own"
		}
		return "give a longer part of the id"
	}
	return ""
}
