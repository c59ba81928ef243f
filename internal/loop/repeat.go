package loop

import (
	"strings"

	"git-ralph/internal/plan"
)

// maxSame is how often in a row an agent may say the same of the same.
const maxSame = 3

// A saying is what an agent said of something, and how often in a row.
type saying struct {
	words string
	times int
}

// repeats reports whether the agent said the same as those before it that worked on the same, and no task became done or was
// accepted: then nothing gets on, whatever else it does. Agents may take turns, so each stage and task counts by itself.
func (it *iteration) repeats() bool {
	words := strings.TrimSpace(it.outcome.Words)
	if words == "" || count(it.steps, plan.EventDone)+count(it.steps, plan.EventAccepted) > 0 {
		return false
	}
	about := string(it.stage()) + " " + it.id()
	if it.id() == "" { // it says nothing of what it did where a command did it
		for _, s := range it.steps {
			if s.What != plan.EventIssueAdded && s.What != plan.EventIssueDone {
				words += " " + s.ID
			}
		}
	}
	said := it.said[about]
	if said.words != words {
		said = saying{words: words}
	}
	said.times++
	it.said[about] = said
	return said.times >= maxSame
}
