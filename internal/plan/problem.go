package plan

import (
	"fmt"
	"strings"
)

// A Code names a kind of problem, for programs.
type Code string

// Problems that a file can have. Those that Decode reports come first.
const (
	CodeInvalidJSON     Code = "invalid-json"
	CodeInvalidUTF8     Code = "invalid-utf8"
	CodeDuplicateMember Code = "duplicate-member"
	CodeConflictMarker  Code = "conflict-marker"
	CodeWrongType       Code = "wrong-type"
	CodeDuplicateID     Code = "duplicate-id"

	CodeDependencyCycle    Code = "dependency-cycle"
	CodeMissingField       Code = "missing-field"
	CodeMalformedID        Code = "malformed-id"
	CodeUnknownValue       Code = "unknown-value"
	CodeNullField          Code = "null-field"
	CodeImpossibleState    Code = "impossible-state"
	CodeTwoSpecs           Code = "two-specs"
	CodeDuplicateNumber    Code = "duplicate-number"
	CodeParentCycle        Code = "parent-cycle"
	CodeDanglingDependency Code = "dangling-dependency"
	CodeVagueAcceptance    Code = "vague-acceptance"
	CodeNotCanonical       Code = "not-canonical"
)

// A Severity says what a problem means for the plan.
type Severity string

// An error makes the file invalid. A warning is worth a look. Advice is given
// only when asked for.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Advice  Severity = "advice"
)

// A Problem is one thing that is wrong in a plan file.
type Problem struct {
	Line     int // from 1; 0 where it concerns no single line
	Column   int // in characters, from 1; 0 with Line 0
	Severity Severity
	Code     Code
	ID       string // of the record, where it has one
	Dep      string // the dependency that it is about, if it is
	Message  string // what was found
	Expected string // what is accepted; may be empty
	Hint     string // what to do about it; may be empty
}

// A problemKey identifies a problem in two versions of a plan, whatever its line.
type problemKey struct {
	code        Code
	id, message string
}

// key leaves out a message that names a line.
func (p Problem) key() problemKey {
	if p.Code == CodeTwoSpecs || p.Code == CodeDuplicateID {
		return problemKey{code: p.Code, id: p.ID}
	}
	return problemKey{p.Code, p.ID, p.Message}
}

// String returns the message and what was expected.
func (p Problem) String() string {
	if p.Expected == "" {
		return p.Message
	}
	return p.Message + ", expected " + p.Expected
}

// In returns the problem as compilers write it: file:line:column: message.
func (p Problem) In(file string) string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", file, p)
	}
	return fmt.Sprintf("%s:%d:%d: %s", file, p.Line, p.Column, p)
}

// Problems are what is wrong with one file.
type Problems []Problem

// Readable reports whether every line could be read: there is no problem but
// duplicate ids. Queries accept such a plan; mutations do not.
func (ps Problems) Readable() bool {
	for _, p := range ps {
		switch p.Code {
		case CodeInvalidJSON, CodeInvalidUTF8, CodeDuplicateMember, CodeConflictMarker, CodeWrongType:
			return false
		}
	}
	return true
}

// Errors returns the problems that make the file invalid.
func (ps Problems) Errors() Problems {
	var errs Problems
	for _, p := range ps {
		if p.Severity == Error {
			errs = append(errs, p)
		}
	}
	return errs
}

// An InvalidError says that a plan file is not valid.
type InvalidError struct {
	File     string
	Problems Problems // at least one
}

func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.In(e.File)
	}
	return strings.Join(lines, "\n")
}
