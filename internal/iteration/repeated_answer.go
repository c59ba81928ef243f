package iteration

import (
	"maps"
	"strings"

	"git-ralph/internal/plan"
)

// maxEqualAnswers is how often in a row agents may give the same answer for the
// same stage and task.
const maxEqualAnswers = 3

// An answer is the whole text of an agent, and how often in a row it was the
// same.
type answer struct {
	text  string
	times int
}

// remember returns the answers with that of the job's agent, and reports whether it repeats those before it for the same
// stage and task, and no task became done or was accepted: then there is no progress, whatever else the agent did. Each
// stage and task counts by itself, since agents may alternate between them.
func (f finishedJob) remember(steps []plan.Event) (answers map[string]answer, repeated bool) {
	text := strings.TrimSpace(f.ended.Output)
	if text == "" || count(steps, plan.EventDone)+count(steps, plan.EventAccepted) > 0 {
		return f.Memory.answers, false
	}
	about := string(f.Stage()) + " " + f.ID()
	if f.ID() == "" { // the answer may not name what was done by commands
		for _, s := range steps {
			if s.Name != plan.EventIssueAdded && s.Name != plan.EventIssueDone && s.Name != plan.EventEdited {
				text += " " + s.ID
			}
		}
	}
	last := f.Memory.answers[about]
	if last.text != text {
		last = answer{text: text}
	}
	last.times++
	answers = maps.Clone(f.Memory.answers)
	if answers == nil {
		answers = map[string]answer{}
	}
	answers[about] = last
	return answers, last.times >= maxEqualAnswers
}
