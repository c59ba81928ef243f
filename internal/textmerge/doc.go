// Package textmerge compares prose and merges it three ways, by words.
//
// Words are those of Unicode (UAX 29), with white space and signs among them; a
// hyphenated word is one. No character that people see is ever split, and in
// scripts without spaces each character is a word. A line break within a
// paragraph is a space. Compare returns what differs between two texts; Merge
// brings the edits of two sides together (docs/merge.md, "Prose").
//
// # How texts are compared
//
// Word by word, if that takes no more steps than the length of the texts allows:
// texts of any length do if they differ in few places. Else the paragraphs that
// both have once are paired, then the words that both have once, and what stands
// between them is compared by itself. What is remaining is one edit.
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
// to people, and so is a text in which the edits of both sides, though apart,
// drop a sentence that both have or repeat one: a conflict that is recorded can
// be settled, and a text that is wrong goes unseen.
//
// The answer depends on the three texts alone, never on a clock.
package textmerge
