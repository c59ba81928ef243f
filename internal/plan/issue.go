package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// AddIssues adds issues, all or none. Only "desc" is required.
func (p *Plan) AddIssues(objects []jsonl.Object, stamp Stamp) (Change, error) {
	return p.change(func() (Change, error) {
		inputs, err := p.readInputs(KindIssue, objects, stamp)
		if err != nil {
			return Change{}, err
		}
		batch := batch{spec: p.Spec()}
		begin := p.creationTime(stamp.Now)
		var all Change
		for i, in := range inputs {
			record, err := batch.issue(in, begin.Add(time.Duration(i)*time.Millisecond))
			if err != nil {
				return Change{}, err
			}
			p.add(record)
			all.Join(added(record))
		}
		return all, nil
	})
}

// issue makes the record of an input.
func (b batch) issue(in input, created time.Time) (Record, error) {
	if in.text("desc") == "" {
		return Record{}, in.wrong("desc", "is missing")
	}
	spec, err := b.specOf(in)
	if err != nil {
		return Record{}, err
	}
	return build(KindIssue, in.object,
		jsonl.TextMember("t", string(KindIssue)), jsonl.TextMember("id", in.id), jsonl.TextMember("spec", spec), jsonl.TextMember("desc", in.text("desc")),
		jsonl.TextMember("created_at", FormatTime(created)),
	), nil
}

// CloseIssues removes issues from the plan. They no longer block tasks.
func (p *Plan) CloseIssues(ids []string) (Change, error) {
	return p.change(func() (Change, error) { return p.closeIssues(ids) })
}

func (p *Plan) closeIssues(ids []string) (Change, error) {
	var c Change
	for _, id := range ids {
		issue, found := p.Issue(id)
		if !found {
			return Change{}, &UnknownIDError{Kind: KindIssue, ID: id}
		}
		c.Events = append(c.Events, event(EventIssueDone, issue))
		c.Removed = append(c.Removed, issue)
	}
	p.removeAll(KindIssue, ids)
	return c, nil
}

// IssuesIntoTasks closes issues and adds a task for each, which names its issue
// in "created_from". What waited for the issue waits for the task.
func (p *Plan) IssuesIntoTasks(ids []string, stamp Stamp) (Change, error) {
	return p.change(func() (Change, error) {
		all, err := p.closeIssues(ids)
		if err != nil {
			return Change{}, err
		}
		tasks := make([]jsonl.Object, len(ids))
		for i, issue := range all.Removed {
			tasks[i] = taskFrom(issue)
		}
		added, newIDs, err := p.addTasks(tasks, stamp)
		if err != nil {
			return Change{}, err
		}
		all.Join(added)
		for i, id := range ids {
			all.Join(p.redirect([]string{id}, newIDs[i:i+1]))
		}
		return all, nil
	})
}

// taskFrom returns the input for a task made of an issue: the first line of the
// description becomes the name, the others the notes.
func taskFrom(issue Record) jsonl.Object {
	name, notes, _ := strings.Cut(strings.TrimSpace(issue.Name()), "\n")
	priority := issue.Priority()
	if PriorityRank(priority) == len(priorities) {
		priority = "" // a task cannot have it
	}
	return jsonl.Build(present(
		jsonl.TextMember("name", name), jsonl.TextMember("notes", strings.TrimSpace(notes)), jsonl.TextMember("spec", issue.Spec()),
		jsonl.TextMember("priority", priority), jsonl.TextMember("created_from", issue.ID()), jsonl.ListMember("labels", issue.Texts("labels")),
	))
}

// present drops the members that have no value.
func present(members ...jsonl.Member) []jsonl.Member {
	return slices.DeleteFunc(members, func(m jsonl.Member) bool { return m.Value == "" })
}

// MetaDebug is the member of the "meta" of issues that come from the debug log. They need no spec.
const MetaDebug = "debug"

// needsSpec reports whether a task or an issue has to name a spec.
func (r *Record) needsSpec() bool {
	meta := r.Meta()
	debug, _ := meta.Get(MetaDebug)
	return !r.IsOfItem() && (r.kind != KindIssue || debug == "" || debug.Kind() != jsonl.Map)
}

// AddDerivedIssues adds issues whose ids are given, all or none, so that two clones which derive the same issues add the same records.
// An issue that the plan's history has may come back under its id.
func (p *Plan) AddDerivedIssues(objects []jsonl.Object, now time.Time) (Change, error) {
	return p.change(func() (Change, error) {
		used := map[string]bool{}
		for i := range p.records {
			used[p.records[i].ID()] = true
		}
		begin := p.creationTime(now)
		var all Change
		for i, object := range objects {
			record := build(KindIssue, object, jsonl.TextMember("t", string(KindIssue)), jsonl.TextMember("created_at", FormatTime(begin.Add(time.Duration(i)*time.Millisecond))))
			in := input{kind: KindIssue, where: record.ID()}
			if id := record.ID(); !ValidID(KindIssue, id) || used[id] {
				return Change{}, in.wrong("id", fmt.Sprintf("is %q, expected a valid one that no record has", id))
			}
			used[record.ID()] = true
			p.add(record)
			all.Join(added(record))
		}
		return all, nil
	})
}

// SetIssueMeta sets members of the "meta" of issues, by id.
func (p *Plan) SetIssueMeta(members map[string][]jsonl.Member) (Change, error) {
	return p.change(func() (Change, error) {
		missing := maps.Clone(members)
		var all Change
		for i, r := range p.records {
			changes, wanted := members[r.ID()]
			if !wanted || r.kind != KindIssue {
				continue
			}
			delete(missing, r.ID())
			issue := withMeta(r, changes)
			p.records[i] = issue
			all.Join(Change{Events: []Event{event(EventEdited, issue)}, Records: []Record{issue}})
		}
		for _, id := range slices.Sorted(maps.Keys(missing)) {
			return Change{}, &UnknownIDError{Kind: KindIssue, ID: id}
		}
		return all, nil
	})
}
