package record

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// PlanEvents returns events as the messages of our own commits have them.
func PlanEvents(reported []Event) []plan.Event {
	var events []plan.Event
	for _, t := range reported {
		record := t.Record()
		e := plan.Event{Name: t.Name, ID: t.ID, Title: record.Name()}
		detail := func(name, value string) {
			if value != "" {
				e.Detail = append(e.Detail, jsonl.Member{Name: name, Value: jsonl.Quote(value)})
			}
		}
		switch t.Name {
		case plan.EventAdded:
			detail("name", record.Name())
			detail("spec", record.Spec())
		case plan.EventIssueAdded:
			detail("desc", record.Text("desc"))
			detail("spec", record.Spec())
		case plan.EventItemAdded:
			detail("name", record.Name())
		case plan.EventItemMoved:
			detail("to", record.Text("state"))
		case plan.EventKilled:
			detail("kill", t.Reason)
		case plan.EventDone, plan.EventAccepted, plan.EventRejected:
			detail("attempt", t.Attempt)
			if t.Name == plan.EventRejected {
				detail("reason", t.Reason)
			}
			if t.Successor != "" {
				e.Name, e.Detail = plan.EventSuperseded, nil
				detail("superseded_by", t.Successor)
			}
		}
		events = append(events, e)
	}
	return events
}
