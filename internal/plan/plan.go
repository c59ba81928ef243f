package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Records returns every record, unknown kinds included, in the order of the
// file. The slice must not be changed. Later changes of the plan do not affect
// it.
func (p *Plan) Records() []Record {
	if !p.hasBlank() {
		return slices.Clip(p.records)
	}
	return slices.DeleteFunc(slices.Clone(p.records), Record.isBlank)
}

func (p *Plan) hasBlank() bool {
	for i := range p.records {
		if p.records[i].isBlank() {
			return true
		}
	}
	return false
}

// Of returns the records of one kind in the order of the file.
func (p *Plan) Of(kind Kind) []Record {
	var found []Record
	for i := range p.records {
		if p.records[i].kind == kind {
			found = append(found, p.records[i])
		}
	}
	return found
}

// Spec returns the current spec, "" where none is set.
func (p *Plan) Spec() string {
	for i := range p.records {
		if p.records[i].kind == KindSpec {
			return p.records[i].Spec()
		}
	}
	return ""
}

// Task returns the task with an id.
func (p *Plan) Task(id string) (Record, bool) { return p.find(KindTask, id) }

// Issue returns the issue with an id.
func (p *Plan) Issue(id string) (Record, bool) { return p.find(KindIssue, id) }

// Item returns the item with an id.
func (p *Plan) Item(id string) (Record, bool) { return p.find(KindItem, id) }

func (p *Plan) find(kind Kind, id string) (Record, bool) {
	if i := p.index(kind, id); i >= 0 {
		return p.records[i], true
	}
	return Record{}, false
}

// index returns the place of the first record of a kind with an id, or -1.
func (p *Plan) index(kind Kind, id string) int {
	for i := range p.records {
		if p.records[i].has(kind, id) {
			return i
		}
	}
	return -1
}

// ResolveID returns the id of the one task (or issue or item, as kind says) whose id is
// prefix or begins with it. An item may be named by its number, too; see ParseItemNumber.
// The errors are *UnknownIDError and *AmbiguousIDError.
func (p *Plan) ResolveID(kind Kind, prefix string) (string, error) {
	return p.names(kind).resolve(prefix)
}

// ResolveIDs resolves several ids of a kind, and drops repetitions.
func (p *Plan) ResolveIDs(kind Kind, prefixes []string) ([]string, error) {
	names := p.names(kind)
	known := make(map[string]bool, len(prefixes))
	var ids []string
	for _, prefix := range prefixes {
		id, err := names.resolve(prefix)
		if err != nil {
			return nil, err
		}
		if !known[id] {
			known[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// names are what the records of a kind may be named by, read from them once: that takes longer than to compare it.
type names struct {
	kind    Kind
	ids     []string
	numbers []int // of the same records
}

func (p *Plan) names(kind Kind) *names {
	n := &names{kind: kind}
	for i := range p.records {
		if r := &p.records[i]; r.kind == kind {
			n.ids, n.numbers = append(n.ids, r.ID()), append(n.numbers, r.Number())
		}
	}
	return n
}

// resolve is ResolveID.
func (n *names) resolve(prefix string) (string, error) {
	var matches []string
	number := 0
	if n.kind == KindItem {
		number = ParseItemNumber(prefix)
	}
	for i, id := range n.ids {
		if prefix == "" || !strings.HasPrefix(id, prefix) && (number == 0 || n.numbers[i] != number) {
			continue
		}
		if id == prefix {
			return prefix, nil
		}
		matches = append(matches, id)
	}
	slices.Sort(matches)
	switch matches = slices.Compact(matches); len(matches) {
	case 0:
		return "", &UnknownIDError{Kind: n.kind, ID: prefix}
	case 1:
		return matches[0], nil
	}
	return "", &AmbiguousIDError{Prefix: prefix, IDs: matches, IsNumber: number > 0}
}

// An UnknownIDError says that no record of a kind has an id.
type UnknownIDError struct {
	Kind Kind
	ID   string
}

func (e *UnknownIDError) Error() string {
	return fmt.Sprintf("no such %s in the plan: %s", e.Kind, cmp.Or(e.ID, `""`))
}

// An AmbiguousIDError says that a shortened id, or a number of items, stands for more than one.
type AmbiguousIDError struct {
	Prefix   string
	IDs      []string // at least two, sorted
	IsNumber bool
}

func (e *AmbiguousIDError) Error() string { return fmt.Sprintf("%q is %s", e.Prefix, e.what()) }

// what says what the text is, and of which records.
func (e *AmbiguousIDError) what() string {
	const maxNamed = 10
	what, ids := "the beginning of more than one id", strings.Join(e.IDs[:min(len(e.IDs), maxNamed)], ", ")
	if e.IsNumber {
		what = "the number of more than one item"
	}
	if more := len(e.IDs) - maxNamed; more > 0 {
		ids += fmt.Sprintf(" and %d more", more)
	}
	return what + ": " + ids
}

// A RecordIndex finds records by their ids. Looking up each one in the plan would take quadratic time.
type RecordIndex struct {
	Records []Record
	at      map[string]int
}

// NewRecordIndex returns the index of records.
func NewRecordIndex(records []Record) RecordIndex {
	in := RecordIndex{records, make(map[string]int, len(records))}
	for i := range records {
		in.at[records[i].ID()] = i
	}
	return in
}

// Find returns the record of an id.
func (in RecordIndex) Find(id string) (r Record, found bool) {
	at, found := in.at[id]
	if found {
		r = in.Records[at]
	}
	return r, found
}
