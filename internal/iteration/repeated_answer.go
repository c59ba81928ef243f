package iteration

import (
	"maps"
	"strings"

	"git-ralph/internal/plan"
)

// maxEqualAnswers is how often in a row an agent may answer the same to the same.
const maxEqualAnswers = 3

// An answer is all that an agent said, and how often in a row.
type answer struct {
	text  string
	times int
}

// remember returns the answers with that of an attempt, and reports whether it is the same as those before it to the same,
// and no task became done or was accepted: then nothing gets on, whatever else the agent does. Agents may take turns, so
// each stage and task counts by itself.
func (a attempt) remember(steps []plan.Event) (answers map[string]answer, repeated bool) {
	text := strings.TrimSpace(a.ended.Output)
	if text == "" || count(steps, plan.EventDone)+count(steps, plan.EventAccepted) > 0 {
		return a.Memory.answers, false
	}
	about := string(a.Stage()) + " " + a.ID()
	if a.ID() == "" { // where a command did the work, the answer does not say what it was
		for _, s := range steps {
			if s.Name != plan.EventIssueAdded && s.Name != plan.EventIssueDone && s.Name != plan.EventEdited {
				text += " " + s.ID
			}
		}
	}
	last := a.Memory.answers[about]
	if last.text != text {
		last = answer{text: text}
	}
	last.times++
	answers = maps.Clone(a.Memory.answers)
	if answers == nil {
		answers = map[string]answer{}
	}
	answers[about] = last
	return answers, last.times >= maxEqualAnswers
}
