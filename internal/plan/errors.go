package plan

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of mutations. Those with details are types of their own.
var (
	// ErrNothing says that there is nothing for the mutation to do.
	ErrNothing = errors.New("nothing to do")
	// ErrNoSpec says that a task or issue names no spec and none is set.
	ErrNoSpec = errors.New("no spec is set")
	// ErrNoHead says that a task cannot be done before there is a commit.
	ErrNoHead = errors.New("there is no commit yet that a task could be done at")
)

// An UnchangedError says that a record already has the values that were to be
// set. errors.Is reports it as ErrNothing.
type UnchangedError struct{ ID string }

func (e *UnchangedError) Error() string { return e.ID + " already has that value" }

func (e *UnchangedError) Unwrap() error { return ErrNothing }

// A StateError says that a record is not in the state that a mutation needs.
type StateError struct {
	ID   string
	Is   string // what it is, such as "done"
	Want string // what the mutation needs, such as "pending"

	Unknown bool // the state is unknown: the task can be edited to be pending, or cancelled
}

// UnknownStateHint says what can be done about a task in an unknown state.
func UnknownStateHint(id string) string {
	return fmt.Sprintf("`git ralph task edit %s '{\"s\": \"p\"}'` makes it pending, `git ralph task cancel %[1]s` removes it", id)
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s is %s, not %s", e.ID, e.Is, e.Want)
}

// A BlockedError says that a task still waits for others.
type BlockedError struct {
	ID       string
	WaitsFor []string
}

func (e *BlockedError) Error() string {
	return fmt.Sprintf("%s waits for %s", e.ID, strings.Join(e.WaitsFor, ", "))
}

// A DependantsError says that tasks cannot be removed because others depend on
// them.
type DependantsError struct {
	IDs        []string // of the tasks to remove
	Dependants []string // that depend on them
}

func (e *DependantsError) Error() string {
	depends, on := "depends", "it"
	if len(e.Dependants) > 1 {
		depends = "depend"
	}
	if len(e.IDs) > 1 {
		on = "them"
	}
	return fmt.Sprintf("%s cannot be removed: %s %s on %s", strings.Join(e.IDs, ", "), strings.Join(e.Dependants, ", "), depends, on)
}

// A FieldError says that a field cannot have a value.
type FieldError struct {
	Where   string // which of several inputs, such as "task 3"; may be empty
	Field   string
	Message string
	hint    string
}

// Hint shows what the field accepts, "" where the message says it.
func (e *FieldError) Hint() string { return e.hint }

func (e *FieldError) Error() string {
	text := fmt.Sprintf("field %q %s", e.Field, e.Message)
	if e.Where != "" {
		return e.Where + ": " + text
	}
	return text
}
