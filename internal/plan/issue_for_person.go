package plan

import "git-ralph/internal/jsonl"

// closedBy is the member of an issue's "meta" that says who alone closes it, and person its one value.
const (
	closedBy = "closed_by"
	person   = `"person"`
)

// A PersonError says that an agent was to close an issue that only a person closes.
type PersonError struct{ ID string }

func (e *PersonError) Error() string { return "only a person closes the issue " + e.ID }

// Hint says how a person closes it.
func (e *PersonError) Hint() string {
	return "look into it, then `git ralph issue done " + e.ID + "` in a shell of your own"
}

// IsPersons reports whether only a person closes an issue: agents gave up on it more than once.
func (r Record) IsPersons() bool {
	value, _ := r.Get("meta")
	meta, err := jsonl.ParseObject(string(value))
	if err != nil {
		return false
	}
	who, _ := meta.Get(closedBy)
	return who == person
}

// LeaveToPerson notes on issues that only a person closes them.
func (p *Plan) LeaveToPerson(ids []string) (Change, error) {
	return p.change(func() (Change, error) {
		var all Change
		for _, id := range ids {
			i := p.index(KindIssue, id)
			if i < 0 {
				return Change{}, &UnknownIDError{Kind: KindIssue, ID: id}
			}
			issue := withMeta(p.records[i], []jsonl.Member{{Name: closedBy, Value: person}})
			p.records[i] = issue
			all.Join(Change{Events: []Event{event(EventEdited, issue)}, Records: []Record{issue}})
		}
		return all, nil
	})
}

// LosesPersons returns a PersonError where a change takes an issue out of the plan that only a person closes.
func (c Change) LosesPersons() error {
	for _, r := range c.Removed {
		if r.Kind() == KindIssue && r.IsPersons() {
			return &PersonError{r.ID()}
		}
	}
	return nil
}
