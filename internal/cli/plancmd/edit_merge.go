package plancmd

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// mergeEdits returns the fields to set in a record that was edited as it was when the editor
// opened, and the names of those that somebody else changed
// meanwhile: there both edits are merged, as those of two branches are. What does
// not merge is an error, so that nobody's words are lost.
func mergeEdits(opened, now plan.Record, fields members) (toSet members, merged []string, err error) {
	for _, f := range fields {
		if valueOf(opened, f.Name) != valueOf(now, f.Name) {
			merged = append(merged, f.Name)
		}
	}
	if len(merged) == 0 {
		return fields, nil, nil
	}
	for _, f := range fields {
		if err := plan.CheckField(opened.Kind(), f); f.Value != "" && err != nil {
			return nil, nil, err
		}
	}
	result, err := merge.Merge(lineOf(opened.Object()), lineOf(fields.applyTo(opened.Object())), lineOf(now.Object()))
	if err != nil {
		return nil, nil, err
	}
	if disputed := disputedFields(result); len(disputed) > 0 {
		return nil, nil, fmt.Errorf("%s was changed meanwhile, and the edits of %s do not merge", now.ID(), strings.Join(disputed, ", "))
	}
	p, _ := plan.DecodeBytes(result.Data)
	for _, f := range fields {
		toSet = append(toSet, jsonl.Member{Name: f.Name, Value: valueOf(p.Records()[0], f.Name)})
	}
	return toSet, merged, nil
}

// disputedFields returns the fields in which an edit gave way, or would be recorded as a conflict.
func disputedFields(r merge.Result) []string {
	var names []string
	for _, c := range r.Conflicts {
		names = append(names, c.Field)
	}
	for _, l := range r.Discarded {
		names = append(names, l.Field)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// valueOf returns a field of a record, "" where it has none.
func valueOf(r plan.Record, name string) jsonl.Value {
	v, _ := r.Object().Get(name)
	return v
}

// lineOf returns a plan of one record.
func lineOf(o jsonl.Object) []byte { return []byte(o.Text() + "\n") }
