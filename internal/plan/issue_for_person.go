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

// CheckIssuesForPerson returns an *IssueForPersonError if the plan no longer has one of some issues that only a person may close, or has it as
// one that anybody may.
func (p *Plan) CheckIssuesForPerson(ids []string) error {
	for _, id := range ids {
		if issue, open := p.Issue(id); !open || !issue.IsForPerson() {
			return &IssueForPersonError{id}
		}
	}
	return nil
}

// IssuesForPerson returns the ids of the issues that only a person may close.
func (p *Plan) IssuesForPerson() (ids []string) {
	for _, r := range p.Of(KindIssue) {
		if r.IsForPerson() {
			ids = append(ids, r.ID())
		}
	}
	return ids
}
