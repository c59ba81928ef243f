package oracle

// Report is the whole history, as `git ralph log --all` prints it.
type Report struct {
	Tasks  []*Task  `json:"tasks"`
	Events []*Event `json:"events"` // the newest first
}

// Task is the history of one task.
type Task struct {
	ID             string    `json:"id"`
	Desc           string    `json:"desc"`
	Name           string    `json:"name"`
	Spec           *string   `json:"spec"`
	Status         string    `json:"status"`
	Branch         *string   `json:"branch"`
	Author         *string   `json:"author"`
	Created        *Moment   `json:"created,omitempty"`
	Done           *Moment   `json:"done,omitempty"`
	Accepted       *Moment   `json:"accepted,omitempty"`
	Rejected       *Moment   `json:"rejected,omitempty"`
	Cancelled      *Moment   `json:"cancelled,omitempty"`
	LastRejected   *Moment   `json:"last_rejected,omitempty"`
	Attempts       []Attempt `json:"attempts"`
	DecomposedInto []string  `json:"decomposed_into,omitempty"`
	SupersededBy   string    `json:"superseded_by,omitempty"`
	RenamedFrom    []string  `json:"renamed_from,omitempty"`
}

// Moment is when something happened to a task.
type Moment struct {
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	DoneAt   string `json:"done_at,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Orphaned bool   `json:"orphaned,omitempty"`
	Source   string `json:"source,omitempty"`
}

// Attempt is one time that a task was done.
type Attempt struct {
	Attempt   string  `json:"attempt,omitempty"`
	Done      *Moment `json:"done,omitempty"`
	Accepted  *Moment `json:"accepted,omitempty"`
	Rejected  *Moment `json:"rejected,omitempty"`
	Reopened  *Moment `json:"reopened,omitempty"`
	Cancelled *Moment `json:"cancelled,omitempty"`
}

// Event is something that happened.
type Event struct {
	Event        string   `json:"event"`
	ID           *string  `json:"id"`
	Commit       string   `json:"commit"`
	Date         string   `json:"date"`
	Author       *string  `json:"author"`
	Branch       *string  `json:"branch"`
	Branches     []string `json:"branches,omitempty"`
	Name         string   `json:"name,omitempty"`
	Spec         string   `json:"spec,omitempty"`
	Attempt      string   `json:"attempt,omitempty"`
	DoneAt       string   `json:"done_at,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	SupersededBy string   `json:"superseded_by,omitempty"`
	Decomposed   bool     `json:"decomposed,omitempty"`
	Orphaned     bool     `json:"orphaned,omitempty"`
	Source       string   `json:"source,omitempty"`
	Also         []string `json:"also,omitempty"`
}
