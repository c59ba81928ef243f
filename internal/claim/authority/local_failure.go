package authority

import (
	"errors"
	"fmt"
	"strings"
)

// ErrLocal: the remote was reached, and git could not write what it sent to this repository.
var ErrLocal = errors.New("git cannot write to this repository")

// ErrNoBranch: the remote has no branch of that name.
var ErrNoBranch = errors.New("the remote has no such branch")

// missingBranchError is an ErrNoBranch.
type missingBranchError struct{ remote, branch string }

func (e *missingBranchError) Error() string {
	return fmt.Sprintf("the remote %s has no branch %s", e.remote, e.branch)
}

// Is reports whether the target is ErrNoBranch.
func (e *missingBranchError) Is(target error) bool { return target == ErrNoBranch }

// localError is an ErrLocal.
type localError struct{ err error } // git's words

func (e *localError) Error() string { return ErrLocal.Error() + ": " + e.err.Error() }

// Hint says what can be done.
func (e *localError) Hint() string {
	return "the remote is there: make room on the disk of this repository, or make it writable, then try again"
}

func (e *localError) Unwrap() []error { return []error{ErrLocal, e.err} }

// fetchError says what kept git from fetching from a remote: this repository, a branch that the remote lacks, or else the remote.
func (r *Remote) fetchError(err error) error {
	if isLocal(err) {
		return &localError{err}
	}
	const missing = "fatal: couldn't find remote ref "
	for line := range strings.Lines(text(err)) {
		if name, is := strings.CutPrefix(strings.TrimSpace(line), missing); is {
			return &missingBranchError{r.name, strings.TrimPrefix(name, "refs/heads/")}
		}
	}
	return fmt.Errorf("%w: %w", ErrRemote, err)
}

// isLocal reports whether git had an answer from the remote, and could not write it here. What goes wrong at the remote has a line that
// begins with "remote:".
func isLocal(err error) bool {
	if isUnreachable(err) {
		return false
	}
	own := ""
	for line := range strings.Lines(text(err)) {
		if !strings.HasPrefix(line, "remote:") {
			own += line
		}
	}
	return containsAny(
		withoutNames(own), "no space left on device", "read-only file system", "permission denied", "disk quota exceeded", "file too large",
		"cannot lock ref", "unpack-objects died of signal", "index-pack died of signal",
	)
}
