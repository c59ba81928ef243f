// Package schedule says what is to be done next: which tasks wait for what, in
// which stage the plan is, and which task, tasks or issue come next.
//
// Everything follows from the records of one plan; the order of lines carries
// no meaning, except for old records that do not say when they were made. The
// rules are in docs/promises.md, "Stage and next".
package schedule
