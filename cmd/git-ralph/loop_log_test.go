package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// How scenarios of the loop look at the history that they make: by what `git ralph log` reports that it did not report before.

// reported is the command of scripts:
//
//	reported [EVENT…]   `git ralph log` must report these events, and no other, that it did not report at the last `reported` here
//
// Events are in the log's own words, oldest first: 'done t-one', 'rejected t-one main one \(no test\)'. Each is a regular
// expression for all words of a line or the first ones. What the log reported and reports no more is 'lost: …'.
func reported(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: told [EVENT...]")
	}
	ts.Check(ts.Exec("git", "ralph", "log", "--all", "--reverse", "--format", "text"))
	ts.Check(compareTold(filepath.Join(ts.Getenv("WORK"), ".told"), ts.ReadFile("stdout"), args))
}

// compareTold holds what a log reports beyond what is kept in a file against what it should, and keeps it there.
func compareTold(file, log string, want []string) error {
	kept, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	now := reportedEvents(log)
	got := newlyTold(strings.Split(strings.TrimSpace(string(kept)), "\n"), now)
	same := slices.EqualFunc(want, got, func(pattern, event string) bool {
		matches, matchErr := regexp.MatchString("^(?:"+pattern+")(?: |$)", event)
		return matchErr == nil && matches
	})
	if !same {
		return fmt.Errorf("`git ralph log` tells\n  %s\nexpected\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return os.WriteFile(file, []byte(strings.Join(now, "\n")), 0o666)
}

// toldEvents gives the lines of a log without commits and dates, which no test knows. Those of one commit are sorted, but not
// by their ids, which are random.
func reportedEvents(log string) []string {
	var events []string
	first, last := 0, "" // where the events of a commit begin, and which it is
	for line := range strings.Lines(log) {
		words := strings.Fields(line)
		if len(words) < 3 {
			continue
		}
		if len(words[2]) == len("15:04") && words[2][2] == ':' { // a day with several events shows the time
			words = slices.Delete(words, 2, 3)
		}
		if words[0] != last {
			first, last = len(events), words[0]
		}
		if i := slices.Index(words, "author"); i > 2 { // the author is everybody's
			words = slices.Delete(words, i, i+1)
		}
		if len(words[2]) == len("15:04") && words[2][2] == ':' {
			words = slices.Delete(words, 2, 3)
		}
		events = append(events, strings.Join(words[2:], " "))
		slices.SortStableFunc(events[first:], func(a, b string) int { return strings.Compare(withoutID(a), withoutID(b)) })
	}
	return events
}

func withoutID(event string) string {
	words := strings.Fields(event)
	return strings.Join(slices.Delete(words, min(1, len(words)), min(2, len(words))), " ")
}

// newlyTold gives the events that are reported now and were not before, behind those that are reported no more.
func newlyTold(before, now []string) []string {
	var lost, fresh []string
	left := slices.Clone(now)
	for _, event := range before {
		if at := slices.Index(left, event); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else if event != "" {
			lost = append(lost, "lost: "+event)
		}
	}
	for _, event := range slices.Backward(now) { // of those that look alike the last are new
		if at := slices.Index(left, event); at >= 0 {
			left = slices.Delete(left, at, at+1)
			fresh = append(fresh, event)
		}
	}
	slices.Reverse(fresh)
	return append(lost, fresh...)
}
