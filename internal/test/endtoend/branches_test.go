package endtoend

import (
	"os"
	"slices"
	"sync"
	"testing"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/historytest"
	"git-ralph/internal/test/oracle"
)

// What has to hold of the branches that are named for events of plans that were edited by hand.
const (
	truePercent = 91  // the true branch is among those named
	mostNamed   = 1.3 // on average
)

// namings counts how well branches are named.
type namings struct {
	sync.Mutex
	events, right, named int // where no message says it
	said, saidRight      int // where one does
}

// Of plans that were edited by hand, in repositories with merges under all kinds of subjects, squashes, renames, fast-forwards
// and stacked branches, the branches of events are those that an independent reading of docs/history.md gives, and nearly
// always the true ones. `make fuzz` draws a thousand; RALPH_SEED and RALPH_HISTORIES choose them.
func TestBranchesOfPlansEditedByHand(t *testing.T) {
	first, n := setting("RALPH_SEED", 1), setting("RALPH_HISTORIES", 16)
	var found namings
	eachHistory(t, first, n, historytest.DrawByHand, found.count)
	average := float64(found.named) / float64(found.events)
	t.Logf("of %d events %.1f %% name the true branch, %.2f branches on average; %d of %d where a message says it",
		found.events, 100*float64(found.right)/float64(found.events), average, found.saidRight, found.said)
	if 100*found.right < truePercent*found.events || average > mostNamed || found.saidRight < found.said || found.said == 0 {
		t.Error("want more")
	}
}

// logs returns local branches the logs that they are to have, and takes other logs away.
func logs(t *testing.T, r *gittest.Repo, d historytest.Drawn) *gittest.Repo {
	t.Helper()
	if err := os.RemoveAll(r.Path(".git/logs")); err != nil {
		t.Fatal(err)
	}
	for branch, log := range d.Logs {
		r.WriteFile(".git/logs/refs/heads/"+branch, log)
	}
	return r
}

// count compares the branches of events with the true ones.
func (n *namings) count(t *testing.T, d historytest.Drawn, h oracle.Report) {
	n.Lock()
	defer n.Unlock()
	for _, e := range h.Events {
		var names []string
		said := false
		for _, id := range append([]string{e.Commit}, e.Also...) {
			names = append(names, d.Made[id].Branches...)
			said = said || d.Made[id].Said
		}
		if names == nil { // a merge's own
			continue
		}
		right := 0
		if slices.ContainsFunc(e.Branches, func(b string) bool { return slices.Contains(names, b) }) {
			right = 1
		} else if os.Getenv("RALPH_VERBOSE") != "" {
			t.Logf("%s %s: %q, truly %q", e.Event, e.Commit, e.Branches, names)
		}
		if said {
			n.said, n.saidRight = n.said+1, n.saidRight+right
			continue
		}
		n.events, n.right, n.named = n.events+1, n.right+right, n.named+len(e.Branches)
	}
}
