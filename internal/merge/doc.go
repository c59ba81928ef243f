// Package merge makes one plan of three: a base and two sides that both came
// from it. It merges record by record and field by field, by rules for the
// meaning of each field. Where two edits contradict each other, the record
// keeps one value and lists all of them in its field "conflict"; the result is
// always a valid plan.
//
// The rules, with an example for each, and the laws that they obey are in
// docs/merge.md. The first law is that nothing depends on which side is "ours":
// Merge puts the sides into an order of its own at the start.
//
// Lines that are the same in all three inputs are copied without being parsed,
// unless something that changed refers to them. This makes merging a large plan
// faster than a merge of plain text.
package merge
