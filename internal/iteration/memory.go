package iteration

import (
	"fmt"
	"maps"
	"strings"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A Memory is what an iteration leaves for the next one of its run. A run that is started again goes on without it.
type Memory struct {
	// Stuck is the state before an agent left a git operation in progress that still is; nil for none. The next agent works
	// on the same: the plan is now that of the operation, which may be an old one.
	Stuck *State

	feedback feedback
	answers  map[string]answer // the last ones, by stage and task
	maxTasks int               // for VERIFY; 0 for no limit
}

// feedback says what was wrong with an answer to the next agent, if that works on the same.
type feedback struct {
	stage schedule.Stage
	id    string
	text  string
}

// feedbackFor returns the paragraph in the prompt of a state's next agent.
func (m Memory) feedbackFor(s State) string {
	f := m.feedback
	switch {
	case s.Operation != "": // what else was wrong comes after it
		return fmt.Sprintf("## Git is in the middle of a %[1]s\n\nA %[1]s was left unfinished. Until it ends nothing can be committed with "+
			"the plan, and what you do may be lost with it. Finish it or take it back before anything else; `git status` says how.\n", s.Operation)
	case f.text == "" || f.stage != s.Next.Action || f.id != s.itemID():
		return ""
	}
	return "## What was wrong with the former answer\n\n" + f.text + "\n"
}

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
