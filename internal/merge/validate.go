package merge

import (
	"fmt"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// validate returns an error if the result is not a valid plan. Lines of the
// inputs were checked when they were read; those that this merge wrote are
// checked here. No line that is the same everywhere has the id of an entry: see
// repeatedOutside.
func (m *merger) validate() error {
	seen := make(map[name]bool, len(m.entries))
	for _, e := range m.entries {
		if !e.alive {
			continue
		}
		if n, named := nameOf(e.out); named && seen[n] {
			return &ResultError{plan.Problem{
				Severity: plan.Error, Code: plan.CodeDuplicateID, ID: n.id, Message: fmt.Sprintf("id %s is used twice", n.id), Expected: "each id once",
			}}
		} else if named {
			seen[n] = true
		}
		if e.out.Line() > 0 {
			continue
		}
		if _, problems := m.reader.Record(jsonl.Line{Text: e.out.JSON(), Number: 1}); len(problems) > 0 {
			return &ResultError{problems[0]}
		}
	}
	return nil
}
