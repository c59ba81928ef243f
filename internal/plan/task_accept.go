package plan

import (
	"git-ralph/internal/jsonl"
)

// Accept removes done tasks from the plan, as accepted.
func (p *Plan) Accept(ids []string) (Change, error) {
	return p.change(func() (Change, error) {
		var c Change
		for _, id := range ids {
			i, err := p.taskIn("done", id)
			if err != nil {
				return Change{}, err
			}
			task := p.records[i]
			c.Events = append(c.Events, event(EventAccepted, task, jsonl.TextMember("attempt", task.Text("attempt"))))
			c.Removed = append(c.Removed, task)
		}
		p.removeAll(KindTask, ids)
		return c, nil
	})
}
