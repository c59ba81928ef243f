package failure

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/debugissue"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/github/mirror"
)

// A Step is what the issue of a failure is to be sent.
type Step struct {
	ID   string // of the failure
	What string // in a word or two
	mirror.Sending
}

// Lacking returns since when issues are to be read to find those that were made for failures without being among some issues, by their
// label for instance: a day before the first of these failures. ok is false where there is none.
func Lacking(c *debuglog.Collection, issues []mirror.Issue) (since time.Time, ok bool) {
	found := byFailure(issues)
	for id, f := range c.Failures {
		if len(found[id]) == 0 && (!ok || f.First.Before(since)) {
			since, ok = f.First, true
		}
	}
	return since.Add(-24 * time.Hour), ok
}

// Steps returns what issues are to be sent so that there is one for each failure, which counts all that is known of it. Doing it twice
// is the same as once. An issue that was closed is opened again where its failure has come back since then, but for one that was closed
// as not planned.
func Steps(c *debuglog.Collection, issues []mirror.Issue) (steps []Step) {
	found := byFailure(issues)
	for _, f := range debugissue.Sorted(c.Failures) {
		steps = append(steps, stepsOf(f, debugissue.OwnTally(c, f), found[f.ID])...)
	}
	return steps
}

// byFailure returns the issues of each failure, first the one that counts: the oldest one that is open, else the one that was closed last.
func byFailure(issues []mirror.Issue) map[string][]mirror.Issue {
	all := map[string][]mirror.Issue{}
	for _, i := range issues {
		id, _, ok := i.Counted()
		known := slices.ContainsFunc(all[id], func(other mirror.Issue) bool { return other.Number == i.Number })
		if ok && !known {
			all[id] = append(all[id], i)
		}
	}
	for _, some := range all {
		slices.SortFunc(some, func(a, b mirror.Issue) int {
			if a.Closed != b.Closed {
				return map[bool]int{false: -1, true: 1}[a.Closed]
			}
			return cmp.Or(strings.Compare(b.ClosedAt, a.ClosedAt), cmp.Compare(a.Number, b.Number))
		})
	}
	return all
}

func stepsOf(f *debuglog.Failure, tally debugissue.Tally, issues []mirror.Issue) (steps []Step) {
	if len(issues) == 0 {
		return []Step{{f.ID, "issue", mirror.Sending{Create: true, AddLabels: []string{debugissue.Label}, Fields: map[string]string{
			"title": title(f), "body": mirror.WithCount(about(f), f.ID, tally.String(), tally.Sentence()),
		}}}}
	}
	first := issues[0]
	if closed, err := time.Parse(time.RFC3339, first.ClosedAt); first.Closed && (first.NotPlanned || err != nil || f.Last.Unix() <= closed.Unix()) {
		return nil
	}
	for _, i := range issues {
		_, text, _ := i.Counted()
		tally.Join(debugissue.ParseTally(text))
	}
	s := Step{f.ID, "count", mirror.Sending{Issue: first, Fields: map[string]string{}}}
	if _, text, _ := first.Counted(); text != tally.String() {
		s.Fields["body"] = mirror.WithCount(first.Body, f.ID, tally.String(), tally.Sentence())
	}
	if first.Closed {
		s.What, s.Fields["state"] = "opened again", "open"
	}
	if !slices.Contains(first.Labels, debugissue.Label) {
		s.AddLabels = []string{debugissue.Label}
	}
	if !s.Empty() {
		steps = append(steps, s)
	}
	for _, other := range issues[1:] { // two clones made one at the same time; its count is in the first one by now
		if !other.Closed {
			steps = append(steps, Step{f.ID, "closed as a duplicate", mirror.Sending{Issue: other, Fields: map[string]string{"state": "closed", "state_reason": "not_planned"}}})
		}
	}
	return steps
}

// maxTitle is how long a title at GitHub may be, in characters.
const maxTitle = 256

func title(f *debuglog.Failure) string {
	text := []rune(debugissue.Describe(f.Signature))
	return string(text[:min(len(text), maxTitle)])
}

// about returns the beginning of the body of an issue. The signature is code, so that it mentions nobody, and has no marker.
func about(f *debuglog.Failure) string {
	signature := strings.Join(strings.Fields(f.Signature), " ")
	return "`git ralph debug collate` found this in a debug log:\n\n    " + strings.ReplaceAll(signature, "<!--", "<!- -")
}
