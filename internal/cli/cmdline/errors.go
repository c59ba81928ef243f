package cmdline

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// A UsageError is an error in a command line.
type UsageError struct {
	Text    string
	Hint    string
	Command string // as users type it, such as "git ralph task add"
}

// Usage returns a UsageError that a command itself found.
func Usage(c *cli.Context, format string, args ...any) error {
	return &UsageError{Text: fmt.Sprintf(format, args...), Command: c.Command.HelpName}
}

func (e *UsageError) Error() string { return e.Text }

// Advice returns what to do about a wrong command line.
func (e *UsageError) Advice() string {
	if e.Hint != "" {
		return e.Hint
	}
	if words, found := strings.CutPrefix(e.Command, Program+" "); found {
		return fmt.Sprintf("`%s help %s` shows how it is used", Program, words)
	}
	return fmt.Sprintf("`%s help` lists the commands", Program)
}

// A NothingError says that there was nothing for a command to do.
type NothingError struct{ Text, Hint string }

func (e *NothingError) Error() string { return e.Text }

// A HintedError is an error together with what to do about it.
type HintedError struct {
	Err  error
	Hint string
}

func (e *HintedError) Error() string { return e.Err.Error() }

func (e *HintedError) Unwrap() error { return e.Err }

// A CodedError ends the program with an exit code of its own.
type CodedError struct {
	Err  error
	Code int
}

func (e *CodedError) Error() string { return e.Err.Error() }

func (e *CodedError) Unwrap() error { return e.Err }

// Program is the program as users type it.
const Program = "git ralph"
