package fold

import (
	"cmp"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Between returns what happened from one content of a plan to another, in the order in which it happened; nil stands for no
// plan.
func Between(before, after []byte) []Told {
	book := NewBook()
	reader := book.Reader()
	f := folder{Input: Input{Book: book}, scratch: &scratch{}}
	versions := [2]*Version{}
	for i, data := range [...][]byte{before, after} {
		if data != nil {
			versions[i] = reader.Read(data)
		}
	}
	told := f.compare(nil, none, none, versions[0], versions[1], nil)
	sortTold(told)
	return told
}

// Record returns the record that an event is of, as it is after it or was last.
func (t *Told) Record() plan.Record {
	var reader plan.Reader
	record, _ := reader.Record(jsonl.Line{Text: cmp.Or(t.After, t.Before), Number: 1})
	return record
}
