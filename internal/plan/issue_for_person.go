package plan

import "git-ralph/internal/jsonl"

// closedBy is the member of an issue's "meta" that restricts who may close it, and person its only value.
const (
	closedBy = "closed_by"
	person   = `"person"`
)

// An IssueForPersonError says that an agent tried to close an issue that only a person may close.
type IssueForPersonError struct{ ID string }

func (e *IssueForPersonError) Error() string { return "only a person may close the issue " + e.ID }

// Hint says how a person closes it.
func (e *IssueForPersonError) Hint() string {
	return "look into it, then `git ralph issue done " + e.ID + "` in a shell of your own"
}

// IsForPerson reports whether only a person may close an issue: agents gave up on it more than once.
func (r Record) IsForPerson() bool {
	value, _ := r.Get("meta")
	meta, err := jsonl.ParseObject(string(value))
	if err != nil {
		return false
	}
	who, _ := meta.Get(closedBy)
	return who == person
}

// LeaveIssuesToPerson marks issues as closed by persons only.
func (p *Plan) LeaveIssuesToPerson(ids []string) (Change, error) {
	members := map[string][]jsonl.Member{}
	for _, id := range ids {
		members[id] = []jsonl.Member{{Name: closedBy, Value: person}}
	}
	return p.SetIssueMeta(members)
}

// CheckIssuesForPerson returns an *IssueForPersonError if the change removes an issue that only a person may close.
func (c Change) CheckIssuesForPerson() error {
	for _, r := range c.Removed {
		if r.Kind() == KindIssue && r.IsForPerson() {
			return &IssueForPersonError{r.ID()}
		}
	}
	return nil
}
