package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A Result is a merged plan and what a person may want to know of it.
type Result struct {
	Data      []byte           // the plan's file; may be one of the inputs, unchanged; nil from MergeInPieces
	Pieces    [][]byte         // the plan's file in pieces, most of them parts of the inputs
	Conflicts []Conflict       // that this merge recorded, sorted
	Discarded []DiscardedValue // values that are no longer in the plan, sorted
	Steps     int              // the work beyond reading: bytes, values and edges looked at
}

// A Conflict is a field in which this merge recorded candidates that neither
// side had recorded before.
type Conflict struct {
	ID    string // of the record, "" for the spec's
	Field string // its name, or plan.Removed

	Dep   string // of "deps": the dependency that was left out, since it closes a cycle
	Cycle string // the cycle, as ids; "" where there are too many to name each
}

// A DiscardedValue is a value that a merge rule drops without a conflict
// (docs/merge.md, "What a merge discards").
type DiscardedValue struct {
	ID    string // of the record
	Field string
	Value string // the dropped value, as JSON; "null" where it was a removal
	Kept  string // the value that was kept, as JSON; "null" where the field, or the record, is gone
}

// An Input names one of the three inputs.
type Input string

// The inputs, in git's words.
const (
	Base   Input = "base"
	Ours   Input = "ours"
	Theirs Input = "theirs"
)

// An InvalidError says that an input cannot be read as a plan.
type InvalidError struct {
	Input    Input
	Problems plan.Problems // at least one
}

func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.In(string(e.Input))
	}
	return "cannot merge: " + strings.Join(lines, "\n")
}

// Merge merges two plans that both came from base. The inputs are contents of
// plan files, which may be empty and must not be changed afterwards. The errors
// are *InvalidError and *ResultError. Where two inputs are equal, the third one
// is the result, and is not checked.
func Merge(base, ours, theirs []byte) (Result, error) {
	result, err := MergeInPieces(base, ours, theirs)
	if result.Data = slices.Concat(result.Pieces...); len(result.Pieces) == 1 {
		result.Data = result.Pieces[0]
	}
	return result, err
}

// MergeInPieces is Merge without joining the result, for callers that only write
// it to a file: joining a large plan takes longer than merging it.
func MergeInPieces(base, ours, theirs []byte) (Result, error) {
	switch {
	case bytes.Equal(base, theirs), bytes.Equal(ours, theirs):
		return Result{Pieces: [][]byte{ours}}, nil
	case bytes.Equal(base, ours):
		return Result{Pieces: [][]byte{theirs}}, nil
	}
	sides := [2]input{{who: Ours, data: text(ours)}, {who: Theirs, data: text(theirs)}}
	if sides[0].data > sides[1].data {
		sides[0], sides[1] = sides[1], sides[0]
	}
	m := merger{in: [inputs]input{{who: Base, data: text(base)}, sides[0], sides[1]}}
	return m.run()
}

// A ResultError says that the merge of valid plans is invalid. That is a bug in
// this package, and the result must not be used.
type ResultError struct{ Problem plan.Problem }

func (e *ResultError) Error() string {
	return "the merged plan would be invalid: " + e.Problem.String()
}

func text(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

func data(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// The indexes of the inputs in arrays. The order of the sides depends on
// nothing but their content.
const (
	base = iota
	one
	two
	inputs
)

// A merger is one merge in progress.
type merger struct {
	in      [inputs]input
	same    []bool // of the base's lines: it is the same in all inputs
	reader  plan.LineReader
	problem *InvalidError // the first one found

	entries    []*entry              // tasks, issues, items and the spec that are not the same everywhere
	wholeLines map[string]*wholeLine // all other such lines, by their text
	tombstones tombstones
	renamed    bool // a record got another id before it was compared

	conflicts []Conflict
	discarded []DiscardedValue
	known     map[string]bool // strings in the inputs that may be ids, and ids that records got; see hasID
	steps     int
}

func (m *merger) run() (Result, error) {
	m.read()
	m.followRenames()
	m.group()
	m.separateNames()
	if m.problem != nil {
		return Result{}, m.problem
	}
	if side := m.agreed(); side != nil {
		return Result{Pieces: [][]byte{data(side.data)}}, nil
	}
	m.collectTombstones()
	for _, e := range m.entries {
		if e.kind != plan.KindSpec {
			m.decide(e)
		}
	}
	for _, kind := range [...]plan.Kind{plan.KindTask, plan.KindItem} {
		m.repairDeps(kind)
	}
	m.chooseSpec()
	if err := m.validate(); err != nil {
		return Result{}, err
	}
	pieces := m.write()
	slices.SortFunc(m.conflicts, func(a, b Conflict) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Field, b.Field), strings.Compare(a.Dep, b.Dep))
	})
	slices.SortFunc(m.discarded, func(a, b DiscardedValue) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Field, b.Field), strings.Compare(a.Value, b.Value), strings.Compare(a.Kept, b.Kept))
	})
	return Result{Pieces: pieces, Conflicts: slices.Compact(m.conflicts), Discarded: slices.Compact(m.discarded), Steps: m.steps}, nil
}

// fail notes why an input cannot be read. The first reason counts.
func (m *merger) fail(who Input, problems plan.Problems) {
	if m.problem == nil && len(problems) > 0 {
		m.problem = &InvalidError{Input: who, Problems: problems}
	}
}

// repeated notes that an input has an id twice.
func (m *merger) repeated(who Input, kind plan.Kind, id string, line int32) {
	m.fail(who, plan.Problems{{
		Severity: plan.Error, Line: int(line) + 1, Column: 1, Code: plan.CodeDuplicateID, ID: id,
		Message: fmt.Sprintf("two %ss have the id %s", kind, id), Expected: "each id once",
	}})
}

// discard reports a value that is dropped in favour of kept.
func (m *merger) discard(id, field string, v, kept jsonl.Value) {
	m.discarded = append(m.discarded, DiscardedValue{ID: id, Field: field, Value: cmp.Or(string(v), "null"), Kept: cmp.Or(string(kept), "null")})
}
