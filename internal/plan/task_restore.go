package plan

import (
	"errors"

	"git-ralph/internal/jsonl"
)

// ErrPresent says that a task that is to be restored is in the plan.
var ErrPresent = errors.New("is in the plan")

// Restore adds a removed task again, as it was but pending. It keeps its
// dependencies; those that are no longer in the plan do not block it.
func (p *Plan) Restore(task Record) (Change, error) {
	if _, found := p.find(KindTask, task.ID()); found {
		return Change{}, &PresentError{ID: task.ID()}
	}
	return p.change(func() (Change, error) {
		pending := build(KindTask, task.Object(),
			jsonl.TextMember("s", "p"), jsonl.TextMember("done_at", ""), jsonl.TextMember("attempt", ""), jsonl.TextMember("kill", ""), jsonl.TextMember("kill_log", ""),
			jsonl.Member{Name: "conflict"},
		)
		p.add(pending)
		e := event(EventReopened, pending, jsonl.TextMember("name", pending.Name()), jsonl.TextMember("spec", pending.Spec()))
		return Change{Events: []Event{e}, Records: []Record{pending}}, nil
	})
}

// A PresentError is ErrPresent with the task's id.
type PresentError struct{ ID string }

func (e *PresentError) Error() string { return e.ID + " " + ErrPresent.Error() }

// Is makes errors.Is find ErrPresent.
func (e *PresentError) Is(target error) bool { return target == ErrPresent }
