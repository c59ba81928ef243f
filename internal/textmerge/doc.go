// Package textmerge compares prose and merges it three ways, by words.
//
// Words are those of Unicode (UAX 29), white space and signs among them: no
// character that people see is ever split, and in scripts without spaces each
// character is a word. Compare tells what differs between two texts; Merge
// brings the edits of two sides together (docs/merge.md, "Prose").
//
// # When two edits overlap
//
// An edit is a run of base words that gave way to other words; either may be
// none. Two edits of different sides merge when a word that both sides kept
// stands between them. They overlap when nothing or only white space does:
//
//   - both change the same words, or words beside each other ("100 ms" to
//     "200 ms" and to "100 s" must not become "200 s", which nobody wrote);
//   - one inserts directly before or after what the other changed;
//   - both insert at the same place.
//
// An edit stands wherever it could equally stand: in a list, a new line
// "- x" may begin at its own "-" or behind the next item's, and it touches
// what either touches.
//
// Edits that overlap and give the same text are one edit. Any others are left
// to people, for a conflict that is recorded can be settled and a text that is
// wrong goes unseen.
//
// The answer depends on the three texts alone, never on a clock: the time it
// takes is bounded by their length instead.
package textmerge
