package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"git-ralph/internal/agent"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/runcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/trustprompt"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/journal"
	"git-ralph/internal/loop"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
	"git-ralph/internal/work"
	"git-ralph/internal/workplan"
)

// maxProblems is how many problems of a plan are listed at once.
const maxProblems = 20

// Report prints an error and returns the exit code. It is the only place
// where errors are printed.
func Report(e *term.Env, err error) int {
	if err == nil {
		return cmdline.ExitDone
	}
	if interrupt, ok := errors.AsType[*term.Interrupt](err); ok {
		if number, ok := interrupt.Signal.(syscall.Signal); ok {
			return cmdline.SignalBase + int(number)
		}
		return cmdline.ExitFailed
	}
	if status, ok := errors.AsType[cmdline.StatusError](err); ok {
		return int(status)
	}
	if invalid, ok := errors.AsType[*plan.InvalidError](err); ok {
		reportInvalid(e, invalid)
		if hinted, ok := errors.AsType[*cmdline.HintedError](err); ok {
			e.Hint(hinted.Hint)
		}
		return cmdline.ExitInvalid
	}
	if invalid, ok := errors.AsType[*workplan.InvalidError](err); ok && len(invalid.Problems) > maxProblems {
		first := workplan.InvalidError{File: invalid.File, Problems: invalid.Problems[:maxProblems]}
		e.Say("error", fmt.Sprintf("%v\n%s: %d more", &first, invalid.File, len(invalid.Problems)-maxProblems))
		return codeFor(err)
	}
	if end, ok := errors.AsType[*runcmd.EndError](err); ok {
		return codeForEnd(end)
	}
	e.Say("error", errorText(err))
	if hint := planio.HintFor(err); hint != "" {
		e.Hint(hint)
	}
	return codeFor(err)
}

// errorText returns the message of an error. It names a directory that cannot be written
// to, not the temporary file that could not be made there.
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
func reportInvalid(e *term.Env, invalid *plan.InvalidError) {
	reported := map[string]bool{"": true}
	for i, p := range invalid.Problems {
		if i == maxProblems {
			e.Say("error", fmt.Sprintf("%s: %d more", invalid.File, len(invalid.Problems)-i))
			break
		}
		e.Say("error", p.In(invalid.File))
	}
	if !strings.Contains(invalid.File, ":") && invalid.File != term.StdinName && !slices.ContainsFunc(invalid.Problems, func(p plan.Problem) bool { return p.Hint != "" }) {
		e.Hint("correct the line; `git ralph doctor --fix` repairs what it can and names the last valid plan")
	}
	for _, p := range invalid.Problems[:min(len(invalid.Problems), maxProblems)] {
		if !reported[p.Hint] {
			e.Hint(p.Hint)
		}
		reported[p.Hint] = true
	}
}

// codeFor returns the exit code of an error.
func codeFor(err error) int {
	if coded, ok := errors.AsType[*cmdline.CodedError](err); ok {
		return coded.Code
	}
	if _, ok := errors.AsType[*cmdline.UsageError](err); ok {
		return cmdline.ExitUsage
	}
	if _, ok := errors.AsType[*trustprompt.UntrustedError](err); ok {
		return cmdline.ExitUsage
	}
	if unknown, ok := errors.AsType[*loop.UnknownStageError](err); ok && unknown.Flag {
		return cmdline.ExitUsage
	}
	if _, ok := errors.AsType[*cmdline.NothingError](err); ok || errors.Is(err, plan.ErrNothing) || errors.Is(err, plan.ErrPresent) {
		return cmdline.ExitNothing
	}
	if _, ok := errors.AsType[*runcmd.WaitingError](err); ok {
		return cmdline.ExitNoProgress
	}
	if errors.Is(err, agent.ErrMissing) {
		return cmdline.ExitAgent
	}
	if _, ok := errors.AsType[*workplan.InvalidError](err); ok || errors.Is(err, store.ErrUnmerged) || errors.Is(err, store.ErrFileUnmerged) {
		return cmdline.ExitInvalid
	}
	if errors.Is(err, store.ErrLocked) || errors.Is(err, safefile.ErrLocked) || errors.Is(err, journal.ErrRunning) {
		return cmdline.ExitLocked
	}
	if _, ok := errors.AsType[*safefile.HeldError](err); ok {
		return cmdline.ExitLocked
	}
	if _, ok := errors.AsType[*commit.LockedError](err); ok { // index.lock
		return cmdline.ExitLocked
	}
	if _, ok := errors.AsType[*planio.ClaimedError](err); ok {
		return cmdline.ExitLocked
	}
	if _, ok := errors.AsType[*authority.RefusedError](err); ok {
		return cmdline.ExitLocked
	}
	return cmdline.ExitFailed
}

// codeForEnd returns the exit code of a run whose end was reported already.
func codeForEnd(end *runcmd.EndError) int {
	switch end.Why {
	case loop.Complete, loop.Reached:
		return cmdline.ExitDone
	case loop.Nothing:
		return cmdline.ExitNothing
	case loop.LimitHit:
		return cmdline.ExitLimit
	case loop.NoProgress:
		return cmdline.ExitNoProgress
	case work.Held:
		return cmdline.ExitLocked
	case loop.Gate:
		return cmdline.ExitGate
	case loop.AgentFails:
		return cmdline.ExitAgent
	case loop.Interrupted:
		if end.Signal == syscall.SIGPIPE {
			return cmdline.ExitPipe
		}
		return cmdline.ExitInterrupted
	}
	return cmdline.ExitFailed
}

// withChange adds to an error what became of the change that was made before it, so that
// nobody makes it again.
func withChange(e *term.Env, err error) error {
	if err == nil || e.Changed == "" {
		return err
	}
	return fmt.Errorf("%w; the change is %s", err, e.Changed)
}
