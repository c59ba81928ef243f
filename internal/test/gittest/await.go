package gittest

import (
	"testing"
	"time"
)

// awaitLimit ends a wait for what never happens. On a machine that is busy with other things, what takes a moment can take minutes.
const awaitLimit = 5 * time.Minute

// Await waits until something has happened, or fails the test.
func Await(t testing.TB, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(awaitLimit); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, awaitLimit)
		}
	}
}
