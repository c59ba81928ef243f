package endtoend

import (
	"slices"
	"sync"
	"testing"

	"git-ralph/internal/test/historytest"
	"git-ralph/internal/test/oracle"
)

// endings counts how well it is known how tasks ended.
type endings struct {
	sync.Mutex
	recorded               int // by a message or a tombstone
	inferred, inferredTrue int
	lost                   int
}

// Of plans that were edited by hand, and from which tasks, tombstones and whole plans went and came back, the endings that are
// reported are those of an independent reading of docs/history.md, and the true ones unless "source" says that they are
// inferred. `make fuzz` draws a thousand; RALPH_SEED and RALPH_HISTORIES choose them.
func TestEndingsOfPlansEditedByHand(t *testing.T) {
	first, n := setting("RALPH_SEED", 1), setting("RALPH_HISTORIES", 12)
	var found endings
	eachHistory(t, first, n, historytest.DrawEndings, found.check)
	t.Logf("%d recorded endings; of %d inferred ones %d are true; %d lost", found.recorded, found.inferred, found.inferredTrue, found.lost)
	if found.recorded == 0 || found.inferred == 0 {
		t.Error("nothing was compared")
	}
}

// check compares how tasks are said to have ended with how they did.
func (n *endings) check(t *testing.T, d historytest.Drawn, h oracle.Report) {
	n.Lock()
	defer n.Unlock()
	for _, task := range h.Tasks {
		moment := map[string]*oracle.Moment{"accepted": task.Accepted, "rejected": task.Rejected, "cancelled": task.Cancelled}[task.Status]
		if task.Status == "lost" {
			n.lost++
		}
		if moment == nil {
			continue
		}
		isTrue := slices.Contains(d.Ends[task.ID], task.Status) || slices.Contains(d.Ends[task.ID], "any")
		if moment.Source == "inferred" {
			n.inferred++
			if isTrue {
				n.inferredTrue++
			}
			continue
		}
		n.recorded++
		if !isTrue && len(d.Ends[task.ID]) > 0 {
			t.Errorf("%s is %s by %s, truly %q", task.ID, task.Status, moment.Commit, d.Ends[task.ID])
		}
	}
}
