package authority

import (
	"errors"
	"strings"

	"git-ralph/internal/proc"
)

// hookError says that git ended before it pushed anything, as where a pre-push hook fails. It is an ErrUnknown.
type hookError struct {
	printed string // by the hook on standard output, "" for nothing
	err     error
}

func (e *hookError) Error() string {
	text := "nothing was pushed: the pre-push hook failed"
	if e.printed != "" {
		text += ": " + e.printed
	}
	return text + ": " + e.err.Error()
}

func (e *hookError) Unwrap() []error { return []error{ErrUnknown, e.err} }

// asHookError returns the error of a push that failed in a pre-push hook. After the hook git names the remote first, and errors
// of the connection are fatal.
func asHookError(printed string, err error) (*hookError, bool) {
	var failed *proc.Error
	if !errors.As(err, &failed) || failed.Code != 1 || !strings.Contains(failed.Stderr, "failed to push some refs") ||
		strings.Contains(failed.Stderr, "fatal:") || strings.HasPrefix(printed, "To ") || strings.Contains(printed, "\nTo ") {
		return nil, false
	}
	return &hookError{strings.TrimSpace(printed), err}, true
}
