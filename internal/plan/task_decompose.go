package plan

import (
	"errors"
	"slices"

	"git-ralph/internal/jsonl"
)

// ErrNoSubtasks says that a task was to be decomposed into nothing.
var ErrNoSubtasks = errors.New("there is no task to take its place")

// Decompose puts several smaller tasks in the place of a pending one. They
// name it in "parent", take over its item, and its spec, priority and dependencies
// where they give none of their own, and what depended on it depends on all of them.
func (p *Plan) Decompose(id string, objects []jsonl.Object, stamp Stamp) (Change, error) {
	return p.change(func() (Change, error) {
		i, err := p.taskIn("pending", id)
		if err != nil {
			return Change{}, err
		}
		if len(objects) == 0 {
			return Change{}, ErrNoSubtasks
		}
		parent := p.records[i]
		inherited := make([]jsonl.Object, len(objects))
		for n, object := range p.completeLinks(KindTask, objects) {
			inherited[n] = p.inherit(parent, object)
		}
		added, children, err := p.addTasks(inherited, stamp)
		if err != nil {
			return Change{}, err
		}
		if _, found := p.Task(id); !found {
			return Change{}, &FieldError{Field: "supersedes", Message: "names the task that is decomposed"}
		}
		all := Change{Events: []Event{event(EventDecomposed, parent)}, Removed: p.removeAll(KindTask, []string{id})}
		all.Join(added)
		all.Join(p.redirect([]string{id}, children))
		return all, nil
	})
}

// inherit gives a subtask what it takes over from its parent. Dependencies of
// the parent that are still in the plan hold for each subtask too.
func (p *Plan) inherit(parent Record, object jsonl.Object) jsonl.Object {
	child := newRecord(object)
	changes := []jsonl.Member{jsonl.TextMember("parent", parent.ID())}
	for _, name := range [...]string{"spec", "priority", "role"} {
		if !child.Has(name) {
			changes = append(changes, jsonl.TextMember(name, parent.Text(name)))
		}
	}
	if link := parent.ItemLink(); link != nil { // what is done for an item needs no spec
		item, _ := link[0].Value.Object().Get("issue_number")
		meta, _ := child.Get("meta")
		changes = append(changes, jsonl.Member{Name: "meta", Value: setMembers(meta, []jsonl.Member{{Name: "issue_number", Value: item}})})
	}
	if deps, found := child.Get("deps"); found && texts.mismatch(deps) != "" {
		return build(KindTask, object, changes...).Object() // refused when it is added
	}
	dangling := p.DanglingDeps(parent)
	deps := child.Deps()
	for _, dep := range parent.Deps() {
		if !slices.Contains(deps, dep) && !slices.Contains(dangling, dep) {
			deps = append(deps, dep)
		}
	}
	return build(KindTask, object, append(changes, jsonl.ListMember("deps", deps))...).Object()
}
