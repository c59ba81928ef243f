package hub

import "encoding/json"

// A Protocol is how a hub is reached.
type Protocol string

// The protocols.
const (
	REST Protocol = "rest"
	MCP  Protocol = "mcp"
)

// An operation is something that a hub can do.
type operation string

const (
	setTask        operation = "set task"
	setTasks       operation = "set tasks"
	setWorkstream  operation = "set workstream"
	addEvent       operation = "add event"
	readTask       operation = "read task"
	readWorkstream operation = "read workstream"
	readEvents     operation = "read events"
)

// values are what a request is made of.
type values struct {
	ID     string // of the task or workstream
	Status string // in the words of the hub
	Tasks  []taskValue
	Event  Event
	Key    string // of the event
}

type taskValue struct{ ID, Status string }

type fields = map[string]any

// A form is one way in which hubs are known to take an operation. {id} in a path is replaced.
type form struct {
	Method, Path string // REST
	Tool         string // MCP
	Words        Vocabulary
	Body         func(values) fields
}

// forms is the table of all that is known of a hub's interface: the forms of each operation, the newest first where hubs are known to
// differ. Where a hub refuses one, the next is tried.
func forms(p Protocol, op operation) []form {
	if p == MCP {
		return mcpForms(op)
	}
	return restForms(op)
}

func restForms(op operation) []form {
	switch op {
	case setTask:
		return []form{
			{Method: "PATCH", Path: "/tasks/{id}", Words: Old, Body: statusField},
			{Method: "PATCH", Path: "/tasks/{id}", Words: New, Body: statusField},
		}
	case setTasks:
		return []form{
			{Method: "POST", Path: "/tasks/bulk-status-sync", Words: Old, Body: taskList},
		}
	case setWorkstream:
		return []form{
			{Method: "PATCH", Path: "/workplans/{id}", Words: New, Body: statusField},
			{Method: "PATCH", Path: "/workplans/{id}", Words: Old, Body: statusField},
			{Method: "PATCH", Path: "/workstreams/{id}", Words: Old, Body: statusField},
			{Method: "PATCH", Path: "/workstreams/{id}", Words: New, Body: statusField},
		}
	case addEvent:
		return []form{
			{Method: "POST", Path: "/progress", Body: eventFields},
			{Method: "POST", Path: "/progress", Body: eventFieldsText},
		}
	case readTask:
		return []form{{Method: "GET", Path: "/tasks/{id}"}}
	case readWorkstream:
		return []form{{Method: "GET", Path: "/workplans/{id}"}, {Method: "GET", Path: "/workstreams/{id}"}}
	case readEvents:
		return []form{{Method: "GET", Path: "/progress?workstream_id={id}&event_type=milestone"}}
	}
	return nil
}

func mcpForms(op operation) []form {
	switch op {
	case setTask:
		return []form{
			{Tool: "update_task_status", Words: Old, Body: taskStatus},
			{Tool: "update_task_status", Words: New, Body: taskStatus},
		}
	case setWorkstream:
		return []form{
			{Tool: "update_workplan_status", Words: New, Body: workplanStatus},
			{Tool: "update_workstream_status", Words: Old, Body: workstreamStatus},
			{Tool: "update_workstream_status", Words: New, Body: workstreamStatus},
		}
	case addEvent:
		return []form{
			{Tool: "add_progress_event", Body: eventFields},
			{Tool: "add_progress_event", Body: eventFieldsText},
		}
	case readTask:
		return []form{{Tool: "get_task", Body: taskID}}
	case readWorkstream:
		return []form{{Tool: "get_workplan", Body: workplanID}, {Tool: "get_workstream", Body: workstreamID}}
	case readEvents:
		return []form{
			{Tool: "list_progress_events", Body: workstreamID},
			{Tool: "get_progress_events", Body: workstreamID},
			{Tool: "list_progress", Body: workstreamID},
		}
	}
	return nil // it has no tool for it
}

func statusField(v values) fields      { return fields{"status": v.Status} }
func taskID(v values) fields           { return fields{"task_id": v.ID} }
func workplanID(v values) fields       { return fields{"workplan_id": v.ID} }
func workstreamID(v values) fields     { return fields{"workstream_id": v.ID} }
func taskStatus(v values) fields       { return fields{"task_id": v.ID, "status": v.Status} }
func workplanStatus(v values) fields   { return fields{"workplan_id": v.ID, "status": v.Status} }
func workstreamStatus(v values) fields { return fields{"workstream_id": v.ID, "status": v.Status} }

func taskList(v values) fields {
	tasks := make([]fields, len(v.Tasks))
	for i, t := range v.Tasks {
		tasks[i] = fields{"task_id": t.ID, "status": t.Status}
	}
	return fields{"updates": tasks}
}

// keyField is the member of an event's detail by which we recognise the event again.
const keyField = "git_ralph_key"

func eventFields(v values) fields {
	f := fields{
		"summary": v.Event.Summary, "event_type": "milestone", "workstream_id": v.ID, "detail": fields{keyField: v.Key},
	}
	if v.Event.Topic != "" {
		f["topic_id"] = v.Event.Topic
	}
	return f
}

// eventFieldsText is eventFields for hubs whose detail is a text.
func eventFieldsText(v values) fields {
	f := eventFields(v)
	text, _ := json.Marshal(f["detail"]) //nolint:errcheck // it is a map of texts
	f["detail"] = string(text)
	return f
}
