package plan

import (
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// AddIssues adds issues, all or none. Only "desc" must be there.
func (p *Plan) AddIssues(given []jsonl.Object, stamp Stamp) (Change, error) {
	inputs, err := p.readInputs(KindIssue, given, stamp)
	if err != nil {
		return Change{}, err
	}
	defer p.keepOrder()()
	var all []Change
	for i, in := range inputs {
		if in.text("desc") == "" {
			return Change{}, in.wrong("desc", "is missing")
		}
		spec := in.text("spec")
		if spec == "" {
			spec = p.Spec()
		}
		if spec == "" {
			return Change{}, ErrNoSpec
		}
		record := Record{kind: KindIssue, object: in.given}.with(
			member("t", string(KindIssue)), member("id", in.id), member("spec", spec), member("desc", in.text("desc")),
			member("created_at", FormatTime(stamp.Now.Add(time.Duration(i)*time.Millisecond))),
		)
		p.add(record)
		all = append(all, added(record))
	}
	return Join(all...), nil
}

// CloseIssues takes issues out of the plan. Tasks that waited for them are
// free.
func (p *Plan) CloseIssues(ids []string) (Change, error) {
	var change Change
	for _, id := range ids {
		i := p.index(KindIssue, id)
		if i < 0 {
			return Change{}, &UnknownIDError{Kind: KindIssue, ID: id}
		}
		change.Events = append(change.Events, event(EventIssueDone, p.records[i]))
		change.Removed = append(change.Removed, p.records[i])
		p.records = slices.Delete(p.records, i, i+1)
	}
	return change, nil
}

// IssuesIntoTasks closes issues and adds a task for each, which names its issue
// in "created_from". What waited for the issue waits for the task.
func (p *Plan) IssuesIntoTasks(ids []string, stamp Stamp) (Change, error) {
	defer p.keepOrder()()
	var tasks []jsonl.Object
	for _, id := range ids {
		issue, found := p.Issue(id)
		if !found {
			return Change{}, &UnknownIDError{Kind: KindIssue, ID: id}
		}
		name, notes, _ := strings.Cut(issue.Name(), "\n")
		tasks = append(tasks, Record{kind: KindTask}.with(
			member("name", name), member("notes", strings.TrimSpace(notes)), member("spec", issue.Spec()),
			member("priority", issue.Text("priority")), member("created_from", id),
		).object)
	}
	closed, err := p.CloseIssues(ids)
	if err != nil {
		return Change{}, err
	}
	added, err := p.AddTasks(tasks, stamp)
	if err != nil {
		return Change{}, err
	}
	all := Join(closed, added)
	for i, id := range ids {
		all = Join(all, p.redirect([]string{id}, []string{added.Records[i].id}))
	}
	return p.acyclic(all)
}
