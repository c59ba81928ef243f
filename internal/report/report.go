package report

import (
	"errors"
	"fmt"

	"git-ralph/internal/jsonl"
)

// Errors of Find and of reading a Report.
var (
	// ErrNone says that there is no block.
	ErrNone = errors.New("no report")
	// ErrUnusable says that a report cannot be used. The text of the wrapping error is for the next agent.
	ErrUnusable = errors.New("the report cannot be used")
	// ErrExample says that the block is the example in the prompt. It is an ErrUnusable.
	ErrExample error = exampleError{}
)

// An exampleError formats its text when it is needed, and not at every start of
// the program.
type exampleError struct{}

func (exampleError) Error() string {
	return ErrUnusable.Error() + ": the block is the prompt's example, word for word; it must report your own work"
}

func (exampleError) Unwrap() error { return ErrUnusable }

func unusable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnusable, fmt.Sprintf(format, args...))
}

// A Report is the JSON object in a block. Its members depend on the stage. The errors of its methods are ErrUnusable.
type Report struct{ object jsonl.Object }

// Of returns the report that an object was made of.
func Of(object jsonl.Object) Report { return Report{object} }

// Object returns the JSON object of the report.
func (r Report) Object() jsonl.Object { return r.object }

// Masked returns the report with secrets replaced by mask: in the agent's output its strings were escaped.
func (r Report) Masked(mask func(jsonl.Object) jsonl.Object) Report { return Report{mask(r.object)} }

// A Build is the report of BUILD. Blocked says that the task could not be done, for the Reason; else it is done.
type Build struct {
	Blocked         bool
	Summary, Reason string
	Issues, Files   []string
}

// Build reads {"verdict": "done" | "blocked", "summary", "reason", "issues", "files"}.
func (r Report) Build() (b Build, err error) {
	if b.Issues, err = r.texts("issues"); err != nil {
		return Build{}, err
	}
	verdict := r.text("verdict")
	if verdict != "done" && verdict != "blocked" {
		return Build{}, unusable("invalid \"verdict\" %q: want \"done\" or \"blocked\"", verdict)
	}
	b.Blocked, b.Summary, b.Reason = verdict == "blocked", r.text("summary"), r.text("reason")
	b.Files, err = r.texts("files")
	return b, err
}

// Plan reads {"tasks"}. An empty list says that the spec is fulfilled.
func (r Report) Plan() ([]jsonl.Object, error) {
	if get(r.object, "tasks").Kind() == jsonl.Null {
		return nil, unusable("\"tasks\" is missing: want a list")
	}
	return r.tasks("tasks")
}

// Decompose reads {"tasks"}.
func (r Report) Decompose() ([]jsonl.Object, error) { return r.tasks("tasks") }

// An Investigate is the report of INVESTIGATE.
type Investigate struct {
	Tasks    []jsonl.Object
	Resolved []string // ids of issues
}

// Investigate reads {"tasks", "resolved": [{"issue_id", "reason"} | "i-…"]}.
func (r Report) Investigate() (i Investigate, err error) {
	if i.Tasks, err = r.tasks("tasks"); err != nil {
		return Investigate{}, err
	}
	elements, _ := get(r.object, "resolved").Elements()
	for _, e := range elements {
		id, ok := e.Str()
		if object, err := jsonl.ParseObject(string(e)); err == nil {
			id, ok = firstText(object, "issue_id", "id"), true
		}
		if !ok || id == "" {
			return Investigate{}, unusable("invalid element of %q: want an issue id, not %s", "resolved", e)
		}
		i.Resolved = append(i.Resolved, id)
	}
	return i, nil
}
