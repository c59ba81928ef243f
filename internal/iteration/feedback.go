package iteration

import (
	"fmt"

	"git-ralph/internal/schedule"
)

// feedback says what was wrong with a report. It is for the next agent on the same stage and task.
type feedback struct {
	stage schedule.Stage
	id    string
	text  string
}

// feedbackFor returns the paragraph for the prompt of a state's next agent.
func (m Memory) feedbackFor(s State) string {
	f := m.feedback
	switch {
	case s.Operation != "": // other feedback waits until it has ended
		return fmt.Sprintf("## Git is in the middle of a %[1]s\n\nA %[1]s was left unfinished. Until it ends nothing can be committed with "+
			"the plan, and what you do may be lost with it. Finish it or abort it before anything else; `git status` says how.\n", s.Operation)
	case f.text == "" || f.stage != s.Next.Action || f.id != s.itemID():
		return ""
	}
	return "## What was wrong with the former answer\n\n" + f.text + "\n"
}
