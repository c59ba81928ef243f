package plan

import "fmt"

// duplicates finds ids that stand on two tasks or on two issues. Tombstones
// and unknown kinds may repeat.
func duplicates(records []Record) Problems {
	if ascending(records) {
		return nil
	}
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

// ascending reports whether each task or issue has a greater id than the one
// before, as in a canonical plan. Then none stands twice.
func ascending(records []Record) bool {
	last := ""
	for i := range records {
		r := &records[i]
		if r.kind != KindTask && r.kind != KindIssue {
			continue
		}
		id := r.ID()
		if id <= last {
			return false
		}
		last = id
	}
	return true
}

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
