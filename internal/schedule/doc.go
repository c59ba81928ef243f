// Package schedule computes what to do next: which tasks are blocked and by what,
// the stage of the plan, and the next task, tasks or issue.
//
// Everything follows from the records of one plan; the order of lines carries
// no meaning, except for old records that do not say when they were made. The
// rules are in docs/promises.md, "Stage and next".
package schedule
