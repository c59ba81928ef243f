package loop

import (
	"cmp"
	"fmt"
	"strings"

	"git-ralph/internal/plan"
)

// How many tasks an agent is given at once. It needs most of its context for the work.
const (
	usualWindow   = 200_000 // tokens, where the agent's is not known
	bytesOfToken  = 3       // at least, in prose and JSON
	partToRead    = 8       // the tasks take one part in so many of the window
	partAfterKill = 4       // after an agent that was stopped the next one gets one task in so many
)

// fitting returns the first records, a line of JSON each, as many as the agent's window has room for, one at least.
func (it *iteration) fitting(records []plan.Record) (text string, shown int) {
	room := cmp.Or(it.agent().Window, usualWindow) * bytesOfToken / partToRead
	var b strings.Builder
	for _, r := range records {
		line := objectText(r) + "\n"
		if shown > 0 && b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
		shown++
	}
	return b.String(), shown
}

// tasksInPlan returns the tasks that an agent is to know of.
func (it *iteration) tasksInPlan() string {
	tasks := it.before.plan.Of(plan.KindTask)
	text, shown := it.fitting(tasks)
	if left := len(tasks) - shown; left > 0 {
		text += fmt.Sprintf("\n%d more are in the plan: `git ralph task list` has them.\n", left)
	}
	return text
}

// tasksToVerify returns the done tasks that an agent is to check.
func (it *iteration) tasksToVerify() string {
	items := it.before.next.Items
	if it.few > 0 {
		items = items[:min(it.few, len(items))]
	}
	records := make([]plan.Record, len(items))
	for i, r := range items {
		records[i] = *r
	}
	var text string
	text, it.shown = it.fitting(records)
	if left := len(it.before.next.Items) - it.shown; left > 0 {
		text += fmt.Sprintf("\n%d more are said to be done, and are checked after these. What they cover is no new task; "+
			"`git ralph task list` has them.\n", left)
	}
	return text
}

// verifyFewer lets the next VERIFY check fewer tasks than the one that was stopped.
func (it *iteration) verifyFewer() { it.few = max(it.shown/partAfterKill, 1) }
