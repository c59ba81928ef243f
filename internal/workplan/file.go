package workplan

import "slices"

// A Status says how far a task or a workplan is.
type Status string

// The states of a task are todo, in progress and done, those of a workplan active, done and paused.
const (
	Todo       Status = "todo"
	InProgress Status = "in_progress"
	Active     Status = "active"
	Paused     Status = "paused"
	Done       Status = "done"
)

// TaskStatuses returns what the status of a task may be.
func TaskStatuses() []Status { return []Status{Todo, InProgress, Done} }

// FileStatuses returns what the status of a workplan may be.
func FileStatuses() []Status { return []Status{Active, Done, Paused} }

// Priorities returns what the priority of a task may be, the highest first.
func Priorities() []string { return []string{"high", "medium", "low"} }

// A Span is where the bytes of a value are in the file, without its quotes.
type Span struct {
	Start, End int
	// Fixed says why the value cannot be edited, such as "it has an anchor"; empty where it can.
	Fixed string
}

// A File is a workplan that was parsed and is valid.
type File struct {
	ID         string
	Title      string
	Status     Status
	Workstream string // the id of its workstream in a State Hub, or ""
	StatusAt   Span
	Tasks      []Task // in the order of the file
}

// A Task is one task block.
type Task struct {
	ID       string
	Name     string // the heading above the block, or its id
	Status   Status
	Priority string // or ""
	HubTask  string // its id in a State Hub, or ""
	Line     int    // of the fence that opens the block
	StatusAt Span
}

// Task returns the task with an id.
func (f *File) Task(id string) (Task, bool) {
	at := slices.IndexFunc(f.Tasks, func(t Task) bool { return t.ID == id })
	if at < 0 {
		return Task{}, false
	}
	return f.Tasks[at], true
}
