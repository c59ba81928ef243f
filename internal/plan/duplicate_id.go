package plan

import "fmt"

// duplicates finds ids that stand on two tasks or on two issues. Tombstones
// and unknown kinds may repeat.
func duplicates(records []Record) Problems {
	var problems Problems
	first := make(map[identity]int, len(records))
	for i := range records {
		r := &records[i]
		key := r.identity()
		if key.id == "" || r.holding() == 0 {
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

// An idRun is the ids of tasks and issues one after the other. Where each is greater than the one before, as in a canonical
// plan, none stands twice.
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

// duplicate is the problem of a record whose id another one of its kind had
// before, on line first.
func duplicate(r Record, first int) Problem {
	return Problem{
		Severity: Error, Line: r.Line(), Column: r.column("id"), Code: CodeDuplicate, ID: r.ID(),
		Message:  fmt.Sprintf("id is used twice: %s %s is also on line %d", r.kind, r.ID(), first),
		Expected: "each id once",
		Hint:     "`git ralph resolve --all` makes a valid plan of it",
	}
}
