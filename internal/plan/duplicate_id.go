package plan

import "fmt"

// duplicates finds ids that two tasks, two issues or two items have. Tombstones and
// records of unknown kinds may share one.
func duplicates(records []Record) Problems {
	var problems Problems
	first := make(map[identity]int, len(records))
	for i := range records {
		r := &records[i]
		key := r.identity()
		if key.id == "" || !r.kind.HasUniqueID() {
			continue
		}
		if line, found := first[key]; found {
			problems = append(problems, duplicate(*r, line))
		} else {
			first[key] = r.Line()
		}
	}
	return problems
}

// An idRun checks the ids of tasks, issues and items one after the other. If each is greater than the one before, as in a canonical
// plan, none occurs twice.
type idRun struct {
	first, last string
	falls       bool
}

func (run *idRun) add(id string) {
	if id <= run.last {
		run.falls = true
	}
	if run.first == "" {
		run.first = id
	}
	run.last = id
}

func (run *idRun) ascend() bool { return !run.falls }

// duplicate returns the problem of a record whose id a record of its kind on
// line first has too.
func duplicate(r Record, first int) Problem {
	return Problem{
		Severity: Error, Line: r.Line(), Column: r.column("id"), Code: CodeDuplicateID, ID: r.ID(),
		Message:  fmt.Sprintf("id is used twice: %s %s is also on line %d", r.kind, r.ID(), first),
		Expected: "each id once",
		Hint:     "`git ralph resolve --all` makes a valid plan of it",
	}
}
