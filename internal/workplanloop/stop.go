package workplanloop

import (
	"fmt"

	"git-ralph/internal/workplan"
)

// The guards of a loop: how many stops in a row may find nothing changed, or the file invalid.
const (
	maxIdle    = 3
	maxInvalid = 2
)

// Seen is what a stop finds.
type Seen struct {
	Gone    bool           // the file does not exist
	Plan    *workplan.File // nil where the file is gone or invalid
	Invalid error          // why it is invalid
	Mark    string         // of the workplan, HEAD and the worktree
	Message string         // the agent's last message
	Hub     bool           // git ralph updates the State Hub by itself
}

// An Answer is what a stop is answered. Where Prompt is "", the agent stops and the loop is over.
type Answer struct {
	Prompt  string
	Message string // for the user: why the loop ended
}

// Stop returns what a stop is answered, and the loop as it goes on.
func (l Loop) Stop(s Seen) (Loop, Answer) {
	if s.Plan != nil && s.Plan.Done() {
		return l, Answer{Message: fmt.Sprintf("Workplan %s is done. The loop ended after %s.", workplan.Shown(s.Plan.ID), iterations(l.Iteration))}
	}
	if why := l.over(s); why != "" {
		return l, Answer{Message: "The workplan loop ended: " + why}
	}
	l.Iteration++
	l.Idle = l.idle(s)
	l.Mark = s.Mark
	if s.Plan == nil {
		l.Invalid++
		return l, Answer{Prompt: notValid + s.Invalid.Error() + "\n\nRepair that in the file and nothing else, and end your turn."}
	}
	l.Invalid = 0
	if Promised(s.Message) {
		return l, Answer{Prompt: "The workplan is not done: " + s.Plan.Missing()}
	}
	return l, Answer{Prompt: l.Prompt(s.Plan, s.Hub)}
}

// over returns why the loop ends although the workplan is not done, "" where it goes on.
func (l Loop) over(s Seen) string {
	switch {
	case l.Stopped:
		return "`git ralph workplan loop stop`"
	case s.Gone:
		return "the workplan is gone: " + workplan.OneLine(l.File)
	case s.Plan == nil && l.Invalid+1 >= maxInvalid:
		return fmt.Sprintf("the workplan was invalid %d times in a row: %v", maxInvalid, s.Invalid)
	case s.Plan != nil && s.Plan.Status == workplan.Paused:
		return "the workplan is paused"
	case l.Iteration >= l.Max:
		return fmt.Sprintf("it reached its limit of %s", iterations(l.Max))
	case l.idle(s) >= maxIdle:
		return fmt.Sprintf("%s changed neither the workplan nor HEAD nor the worktree", iterations(maxIdle))
	}
	return ""
}

// idle returns how many stops in a row have found nothing changed.
func (l Loop) idle(s Seen) int {
	if s.Mark != l.Mark {
		return 0
	}
	return l.Idle + 1
}

func iterations(n int) string {
	if n == 1 {
		return "1 iteration"
	}
	return fmt.Sprintf("%d iterations", n)
}
