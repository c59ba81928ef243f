package loop

import (
	"cmp"
	"fmt"
	"strings"
)

// How many done tasks an agent is given to check at once. It needs most of its context for the checking.
const (
	usualWindow   = 200_000 // tokens, where the agent's is not known
	bytesOfToken  = 3       // at least, in prose and JSON
	partToRead    = 8       // the tasks take one part in so many of the window
	partAfterKill = 4       // after an agent that was stopped the next one gets one task in so many
)

// tasksToVerify gives the done tasks that an agent is to check, a line of JSON each: the first ones, as many as its window
// has room for, one at least.
func (it *iteration) tasksToVerify() string {
	room := cmp.Or(it.Agent.Window, usualWindow) * bytesOfToken / partToRead
	items := it.before.next.Items
	if it.few > 0 {
		items = items[:min(it.few, len(items))]
	}
	var b strings.Builder
	it.shown = 0
	for _, r := range items {
		line := objectText(*r) + "\n"
		if it.shown > 0 && b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
		it.shown++
	}
	if left := len(it.before.next.Items) - it.shown; left > 0 {
		fmt.Fprintf(&b, "\n%d more are said to be done, and are checked after these. What they cover is no new task; "+
			"`git ralph task list` has them.\n", left)
	}
	return b.String()
}

// verifyFewer lets the next VERIFY check fewer tasks than the one that was stopped.
func (it *iteration) verifyFewer() { it.few = max(it.shown/partAfterKill, 1) }
