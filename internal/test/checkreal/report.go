package main

import (
	"fmt"
	"io"
	"slices"
)

// maxShown is how many failures of one kind are shown in full.
const maxShown = 5

// report collects verdicts and prints a line a check.
type report struct {
	out            io.Writer
	passed, failed int

	tally map[string]int // of the check under way: what was observed, how often
	first map[string]string
	good  int
	bad   int
}

// begin starts a check.
func (r *report) begin() {
	r.tally, r.first = map[string]int{}, map[string]string{}
	r.good, r.bad = 0, 0
}

// ok counts one thing that held.
func (r *report) ok() { r.good++ }

// fail counts one thing that did not hold.
func (r *report) fail(format string, args ...any) {
	r.bad++
	if r.bad <= maxShown {
		fmt.Fprintf(r.out, "FAIL  %s\n", fmt.Sprintf(format, args...))
	}
}

// note counts an observation that is neither, and keeps its first example.
func (r *report) note(kind, example string) {
	if r.tally[kind]++; r.tally[kind] == 1 {
		r.first[kind] = example
	}
}

// end prints the check's line and its observations.
func (r *report) end(what string) {
	verdict := "ok"
	if r.bad > 0 {
		verdict = "FAIL"
	}
	fmt.Fprintf(r.out, "%-4s  %-58s %d of %d\n", verdict, what, r.good, r.good+r.bad)
	kinds := make([]string, 0, len(r.tally))
	for kind := range r.tally {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		fmt.Fprintf(r.out, "      %s: %d, first %s\n", kind, r.tally[kind], r.first[kind])
	}
	r.passed += r.good
	r.failed += r.bad
}

// say prints a line that is no verdict.
func (r *report) say(format string, args ...any) { fmt.Fprintf(r.out, "      "+format+"\n", args...) }

// close prints the last line and returns the number of failures.
func (r *report) close() int {
	fmt.Fprintf(r.out, "%d passed, %d failed\n", r.passed, r.failed)
	return r.failed
}
