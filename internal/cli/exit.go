package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agent"
	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

// Exit codes. Every command's help lists those that it can have.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2 // the command line is wrong
	exitNothing = 3 // there was nothing to do
	exitLocked  = 4 // another process holds the lock
	exitInvalid = 5 // the plan is not valid, or in conflict
)

// signalBase is what shells add to a signal's number to make an exit code.
const signalBase = 128

// An Interrupt is the cause of a context that a signal cancelled, and the error
// of what it broke off.
type Interrupt struct{ Signal os.Signal }

func (i *Interrupt) Error() string { return i.Signal.String() }

// A usageError says what is wrong with a command line.
type usageError struct {
	text    string
	hint    string
	command string // as help knows it, such as "git ralph task add"
}

// usage is a usageError found by a command itself.
func usage(c *cli.Context, format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...), command: c.Command.HelpName}
}

func (e *usageError) Error() string { return e.text }

// advice is what to do about a wrong command line.
func (e *usageError) advice() string {
	if e.hint != "" {
		return e.hint
	}
	if words, found := strings.CutPrefix(e.command, program+" "); found {
		return fmt.Sprintf("`%s help %s` shows how it is used", program, words)
	}
	return fmt.Sprintf("`%s help` lists the commands", program)
}

// A nothingError says that there was nothing for a command to do.
type nothingError struct{ text, hint string }

func (e *nothingError) Error() string { return e.text }

// A hintedError is an error together with what to do about it.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() }

func (e *hintedError) Unwrap() error { return e.err }

// A statusError ends the program with a code after everything was said.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("status %d", int(e)) }

// maxProblems is how many problems of a plan are listed at once.
const maxProblems = 20

// report says what went wrong and returns the exit code. It is the one place
// where errors become words.
func (e *Env) report(err error) int {
	if err == nil {
		return exitDone
	}
	if interrupt, ok := errors.AsType[*Interrupt](err); ok {
		if number, ok := interrupt.Signal.(syscall.Signal); ok {
			return signalBase + int(number)
		}
		return exitFailed
	}
	if status, ok := errors.AsType[statusError](err); ok {
		return int(status)
	}
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok {
		e.reportInvalid(invalid)
		return exitInvalid
	}
	e.say("error", errorText(err))
	if hint := hintFor(err); hint != "" {
		e.hint(hint)
	}
	return codeFor(err)
}

// errorText returns what an error says. A directory that cannot be written to is
// named, not the temporary file that could not be made there.
func errorText(err error) string {
	path, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return err.Error()
	}
	switch filepath.Ext(path.Path) {
	case ".tmp", ".token", ".lock":
		return fmt.Sprintf("cannot write in the directory %s: %v", filepath.Dir(path.Path), path.Err)
	}
	return err.Error()
}

// reportInvalid lists the problems of a plan, and each hint once.
func (e *Env) reportInvalid(invalid *plan.InvalidError) {
	told := map[string]bool{"": true}
	for i, p := range invalid.Problems {
		if i == maxProblems {
			e.say("error", fmt.Sprintf("%s: %d more", invalid.File, len(invalid.Problems)-i))
			break
		}
		e.say("error", p.In(invalid.File))
	}
	if !strings.Contains(invalid.File, ":") && invalid.File != stdinName && !slices.ContainsFunc(invalid.Problems, func(p plan.Problem) bool { return p.Hint != "" }) {
		e.hint("correct the line; `git ralph doctor --fix` repairs what it can and names the last valid plan")
	}
	for _, p := range invalid.Problems[:min(len(invalid.Problems), maxProblems)] {
		if !told[p.Hint] {
			e.hint(p.Hint)
		}
		told[p.Hint] = true
	}
}

// codeFor returns the exit code of an error.
func codeFor(err error) int {
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*untrustedError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*nothingError](err); ok || errors.Is(err, plan.ErrNothing) {
		return exitNothing
	}
	if _, ok := errors.AsType[*waitingError](err); ok {
		return exitNoProgress
	}
	if errors.Is(err, agent.ErrMissing) {
		return exitAgent
	}
	if errors.Is(err, store.ErrUnmerged) {
		return exitInvalid
	}
	if errors.Is(err, store.ErrLocked) || errors.Is(err, safefile.ErrEdited) || errors.Is(err, journal.ErrRunning) {
		return exitLocked
	}
	if _, ok := errors.AsType[*git.LockedError](err); ok { // index.lock
		return exitLocked
	}
	return exitFailed
}

// hintFor says what the user can do about an error, "" where nobody knows.
func hintFor(err error) string {
	switch e := err.(type) { //nolint:errorlint // only the outermost knows what was asked for
	case *usageError:
		return e.advice()
	case *nothingError:
		return e.hint
	case *hintedError:
		return e.hint
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

// hintForSentinel knows the errors that are values.
func hintForSentinel(err error) string {
	for _, known := range [...]struct {
		err  error
		hint string
	}{
		{git.ErrGone, "in the repository that a linked worktree belongs to, `git worktree repair PATH` connects them again"},
		{git.ErrNotRepository, "`git init` makes one here; -C names another directory"},
		{store.ErrBare, "run it in a worktree: `git worktree add` makes one"},
		{store.ErrStaged, "commit it, or take it out of the index with `git restore --staged`"},
		{store.ErrMoved, "nothing was changed; run the command again, on the plan that is there now"},
		{store.ErrUnmerged, "`git ralph resolve --all` merges the plan, record by record"},
		{store.ErrLocked, "try again when it has finished; `git config ralph.lockTimeout` says how long to wait"},
		{journal.ErrRunning, "`git ralph status` shows how it gets on"},
		{agent.ErrUnknown, "built in are " + strings.Join(agent.Names(), ", ") + "; `git config ralph.agent.NAME.command` defines another"},
		{agent.ErrReads, "`git ralph trust` trusts the repository; `git config ralph.agent.NAME.untrustedArgs` says how an agent leaves them out"},
		{agent.ErrMissing, "--agent, or `git config ralph.agent NAME`, chooses another"},
		{store.ErrSpecOutside, "agents work in the repository alone: copy the spec there"},
		{store.ErrSpecHidden, "rename one of the two"},
		{store.ErrNoSpec, "write it, or name another one with `git ralph set-spec FILE`"},
		{safefile.ErrEdited, "wait for that program to end; if none is running, a crash left the lock file behind and it may be removed"},
		{safefile.ErrReadOnly, "nothing was changed; `chmod u+w` makes it writable"},
		{git.ErrNoWorktreeConfig, "`git config extensions.worktreeConfig true` gives them one; see `git help worktree`"},
		{plan.ErrNoSpec, "set one with `git ralph set-spec FILE`, or name one with --spec"},
		{plan.ErrNoHead, "make a first commit"},
		{git.ErrHalfRebased, "`git rebase --abort` gives them up with it; `git rebase --continue` goes on"},
		{fs.ErrPermission, "nothing was changed; make it writable, or run git ralph as the user who owns it"},
		{syscall.EROFS, "nothing was changed; the file system is mounted read-only"},
		{git.ErrBadRevision, "`git log` shows the commits there are"},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return ""
}

// hintForDetail knows the errors that are types.
func hintForDetail(err error) string {
	if _, ok := errors.AsType[*plan.BlockedError](err); ok {
		return "--force marks it done all the same"
	}
	if state, ok := errors.AsType[*plan.StateError](err); ok && state.Unknown {
		return plan.StrangeHint(state.ID)
	}
	if _, ok := errors.AsType[*plan.DependantsError](err); ok {
		return "--cascade cancels those too, --detach drops the dependency"
	}
	if unknown, ok := errors.AsType[*plan.UnknownIDError](err); ok {
		return fmt.Sprintf("`git ralph %s list` shows the ids there are", unknown.Kind)
	}
	if field, ok := errors.AsType[*plan.FieldError](err); ok && field.Field == "deps" {
		return "`git ralph task list` and `git ralph issue list` show the ids there are"
	}
	if _, ok := errors.AsType[*plan.AmbiguousIDError](err); ok {
		return "give more of the id"
	}
	return ""
}

// outputError makes an error of a failed write to standard output. A reader
// that went away, such as head, is none.
func outputError(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("cannot write to standard output: %w", reasonOf(err))
}

// reasonOf leaves out what an error of the file system says about operation and
// path, where the sentence around it says so already.
func reasonOf(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
