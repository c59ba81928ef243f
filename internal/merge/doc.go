// Package merge makes one plan of three: a base and two sides that both came
// from it. It merges record by record and field by field, and applies what the
// fields mean. Where two edits cannot both hold, the record keeps one value
// and lists all of them in its field "conflict"; the result is always a valid
// plan.
//
// The rules, with an example each, and the laws that they obey stand in
// docs/merge.md. The chief law is that nothing depends on which side is
// "ours": Merge puts the sides into an order of its own at the start.
//
// Lines that are the same in all three inputs are carried over unread, as far
// as nothing that changed points at them. That is what makes merging a large
// plan faster than a merge of plain text.
package merge
