package mirror

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// A Sender decides what issues are to be sent.
type Sender struct {
	Repository
	Branch  string                     // that links to documents name
	Excerpt func(path string) []string // a few lines of a document; nil: none
}

// A Sending is what the issue of an item is to be sent. All that is empty stays as it is.
type Sending struct {
	Item plan.Record
	Issue
	Create bool

	Fields       map[string]string // of the issue: title, body, state, state_reason
	AddLabels    []string
	RemoveLabels []string
	Assign       []string
	Project      map[string]string // of the project: by the names of its fields
	Parent       string            // the item that it is a part of
	BlockedBy    []string          // items
	Posts        []Post
}

// Empty reports whether there is nothing to be sent.
func (s Sending) Empty() bool {
	return !s.Create && len(s.Fields)+len(s.AddLabels)+len(s.RemoveLabels)+len(s.Assign)+len(s.Project)+len(s.BlockedBy)+len(s.Posts) == 0 && s.Parent == ""
}

// Pending reports whether an item has something that its issue may not have.
func (s Sender) Pending(item plan.Record) bool {
	b := baseOf(item)
	if !b.there {
		return item.Number() > 0 || !pipeline.Final(item.Text("state"))
	}
	held, adds := inConflict(item), func(now, before string) bool { return now != "" && now != before }
	state := item.Text("state")
	return !held["name"] && item.Name() != b.name || !held["desc"] && Hash(item.Text("desc")) != b.text ||
		adds(state, b.state) && (b.state != "" || state != pipeline.Backlog) || adds(item.Text("estimate"), b.estimate) ||
		!held["parent"] && adds(item.Text("parent"), b.parent) || !contains(b.blockedBy, item.Texts("blocked_by")) ||
		!contains(b.labels, item.Texts("labels")) || !contains(item.Texts("labels"), b.labels) ||
		!contains(assignees(b.assignee), assignees(assigneeOf(item))) || len(s.posts(item, b)) > 0
}

// contains reports whether all has every one of some.
func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(v string) bool { return !slices.Contains(all, v) })
}

// inConflict returns the fields that a person has to decide first.
func inConflict(item plan.Record) map[string]bool {
	held := map[string]bool{}
	for _, c := range item.Conflicts() {
		held[c.Field] = true
	}
	return held
}

// IsOld reports whether an issue was read as it was before the item last agreed with it.
func IsOld(item plan.Record, i Issue) bool { return i.Updated < baseOf(item).at }

// Create returns what makes the issue of an item that has none.
func (s Sender) Create(item plan.Record) Sending {
	created := item.CreatedAt()
	if created == "" {
		created = "-"
	}
	out := Sending{Item: item, Create: true, Fields: map[string]string{
		"title": item.Name(), "body": bodyOf(item.Text("desc"), itemMarker(item.ID(), created)),
	}, AddLabels: item.Texts("labels"), Assign: assignees(assigneeOf(item))}
	return out
}

// Send returns what the issue of an item is to be sent, after the issue was merged into the item.
func (s Sender) Send(item plan.Record, i Issue) Sending {
	b, held := baseOf(item), inConflict(item)
	out := Sending{Item: item, Issue: i, Fields: map[string]string{}}
	desc, marker := i.text()
	if item.Name() != titleOf(i) && !held["name"] {
		out.Fields["title"] = item.Name()
	}
	if item.Text("desc") != desc && !held["desc"] {
		out.Fields["body"] = bodyOf(item.Text("desc"), marker)
	}
	s.sendState(&out, b)
	for _, label := range item.Texts("labels") {
		if !slices.Contains(i.Labels, label) && !s.isOwnLabel(label) {
			out.AddLabels = append(out.AddLabels, label)
		}
	}
	for _, label := range s.labels(i) {
		if slices.Contains(b.labels, label) && !slices.Contains(item.Texts("labels"), label) {
			out.RemoveLabels = append(out.RemoveLabels, label)
		}
	}
	for _, login := range assignees(assigneeOf(item)) {
		if !slices.Contains(i.Assignees, login) {
			out.Assign = append(out.Assign, login)
		}
	}
	if parent := item.Text("parent"); parent != "" && parent != b.parent && !held["parent"] {
		out.Parent = parent
	}
	for _, id := range item.Texts("blocked_by") {
		if !slices.Contains(b.blockedBy, id) {
			out.BlockedBy = append(out.BlockedBy, id)
		}
	}
	for _, p := range s.posts(item, b) {
		if !i.Has(p.Key) {
			out.Posts = append(out.Posts, p)
		}
	}
	return out
}

// sendState adds what makes the issue say the state and the estimate of the item.
func (s Sender) sendState(out *Sending, b base) {
	i, state, size := out.Issue, out.Item.Text("state"), out.Item.Text("estimate")
	theirs := s.state(i)
	reopened := pipeline.Final(b.state) && pipeline.Final(state) && !i.Closed
	if state == "" || reopened {
		return
	}
	if pipeline.Final(state) && !i.Closed {
		out.Fields["state"], out.Fields["state_reason"] = "closed", map[string]string{pipeline.Done: "completed", pipeline.Canceled: "not_planned"}[state]
	}
	differs := state != theirs && !(theirs == "" && state == pipeline.Backlog)
	if s.Project {
		out.Project = map[string]string{}
		if i.Fields[StateField] != state && (differs || i.Fields[StateField] != "") {
			out.Project[StateField] = state
		}
		if size != "" && i.Fields[EstimateField] != size {
			out.Project[EstimateField] = size
		}
		return
	}
	has := labelled(i.Labels, stateLabel, plan.ItemStates())
	if differs && !slices.Contains(has, state) {
		out.AddLabels = append(out.AddLabels, stateLabel+state)
	}
	if size != "" && s.estimate(i) != size {
		out.AddLabels = append(out.AddLabels, estimateLabel+size)
	}
	for _, label := range i.Labels {
		states := labelled([]string{label}, stateLabel, plan.ItemStates())
		sizes := labelled([]string{label}, estimateLabel, plan.Estimates())
		if len(states) > 0 && states[0] != state || len(sizes) > 0 && size != "" && sizes[0] != size {
			out.RemoveLabels = append(out.RemoveLabels, label)
		}
	}
}

// Sent returns an item whose issue was sent all of a sending: what both sides agree on now. number and updated are what GitHub says of the issue.
func (s Sender) Sent(item plan.Record, out Sending, number int, updated string, linked func(id string) bool) plan.Record {
	b, held, sent := baseOf(item), inConflict(out.Item), out.Item
	b.there = true
	b.at = max(b.at, updated)
	if !held["name"] {
		b.name = sent.Name()
	}
	if !held["desc"] {
		b.text = Hash(sent.Text("desc"))
	}
	if !out.Create {
		if state := sent.Text("state"); state != pipeline.Backlog || b.state != "" {
			b.state = state
		}
		if size := sent.Text("estimate"); size != "" {
			b.estimate = size
		}
	}
	b.labels = union(nil, sent.Texts("labels"), slices.DeleteFunc(slices.Clone(b.labels), func(l string) bool { return slices.Contains(out.RemoveLabels, l) }))
	b.assignee = joined(union(nil, assignees(b.assignee), assignees(assigneeOf(sent))))
	if out.Parent != "" && linked(out.Parent) {
		b.parent = out.Parent
	}
	for _, id := range out.BlockedBy {
		if linked(id) {
			b.blockedBy = append(b.blockedBy, id)
		}
	}
	slices.Sort(b.blockedBy)
	for _, p := range out.Posts {
		b.posted = append(b.posted, p.Key)
	}
	slices.Sort(b.posted)
	item = with(item, jsonl.Member{Name: "number", Value: jsonl.Value(itoa(number))}, jsonl.TextMember("url", out.URL))
	return withMeta(item, jsonl.Member{Name: metaBase, Value: b.value()})
}
