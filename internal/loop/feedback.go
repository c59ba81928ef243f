package loop

import (
	"git-ralph/internal/schedule"
)

// feedback is what the next agent is told about the answer of the one before, if it works on the same.
type feedback struct {
	stage schedule.Stage
	id    string
	text  string
}

func (l *Loop) feedbackFor(s state) string {
	f, next := l.feedback, s.next
	if about := aboutOperation(s.operation); about != "" {
		return about // whatever else was wrong comes after it
	}
	if f.text == "" || f.stage != next.Action || f.id != idOf(next) {
		return ""
	}
	return "## What was wrong with the former answer\n\n" + f.text + "\n"
}

func idOf(next schedule.Next) string {
	if next.Item == nil {
		return ""
	}
	return next.Item.ID()
}
