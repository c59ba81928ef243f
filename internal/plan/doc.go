// Package plan is the plan file: its records, their identity and order, what
// makes a file valid, and every change that a command can make to it.
//
// Decode turns the bytes of a plan file into a Plan and the problems found in
// it; Encode gives back the same bytes, but for the records that a mutation
// changed. A mutation is a method of Plan that changes it in memory and
// returns a Change: the records as they are now, and the events that the
// commit message will report. Nothing here reads a file, a clock or a source of
// randomness; those are handed in.
//
// The format is described in docs/plan-format.md.
package plan
