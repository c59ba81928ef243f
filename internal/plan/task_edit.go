package plan

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// Edit sets members of a task. A zero value removes one. Members of "meta" are
// set one by one with meta.
func (p *Plan) Edit(id string, changes, meta []jsonl.Member) (Change, error) {
	i := p.index(KindTask, id)
	if i < 0 {
		return Change{}, &UnknownIDError{Kind: KindTask, ID: id}
	}
	defer p.keepOrder()()
	before := p.records[i]
	task := before
	for _, m := range changes {
		m, err := p.edit(before, m)
		if err != nil {
			return Change{}, err
		}
		task = settle(task.with(m), m.Name)
		if m.Name == "name" {
			task = task.with(member("desc", "")) // a legacy name
		}
	}
	task = withMeta(task, meta)
	if task.JSON() == before.JSON() {
		return Change{}, ErrNothing
	}
	p.records[i] = task
	return p.acyclic(Change{Events: []Event{event(EventEdited, task)}, Records: []Record{task}})
}

// edit checks one member that is to be set and resolves what it points at.
func (p *Plan) edit(task Record, m jsonl.Member) (jsonl.Member, error) {
	in := input{kind: KindTask, id: task.id}
	if m.Name == "t" || m.Name == "id" || slices.Contains(managed[:], m.Name) {
		return m, in.wrong(m.Name, "is set by commands alone")
	}
	if m.Value == "" {
		if m.Name == "name" || m.Name == "spec" {
			return m, in.wrong(m.Name, "cannot be empty")
		}
		return m, nil
	}
	if err := in.checkField(m); err != nil {
		return m, err
	}
	if m.Name != "deps" {
		return m, nil
	}
	in.given = jsonl.Build([]jsonl.Member{m})
	deps, err := p.newDeps(in, nil)
	return list("deps", deps), err
}

// settle takes a field out of the record's recorded conflicts: setting it
// decides it.
func settle(r Record, name string) Record {
	v, found := r.object.Get("conflict")
	if !found || v.Kind() != jsonl.Map {
		return r
	}
	conflict, _ := jsonl.ParseObject(string(v))
	members := set(conflict.Members(), jsonl.Member{Name: name})
	if len(members) == 0 {
		return r.with(member("conflict", ""))
	}
	return r.with(jsonl.Member{Name: "conflict", Value: jsonl.Value(jsonl.Build(members).Text())})
}

// Decompose puts several smaller tasks in the place of a pending one. They
// name it in "parent", take over its spec, priority and dependencies where
// they give none of their own, and what depended on it depends on all of them.
func (p *Plan) Decompose(id string, given []jsonl.Object, stamp Stamp) (Change, error) {
	i, err := p.taskIn("pending", id)
	if err != nil {
		return Change{}, err
	}
	if len(given) == 0 {
		return Change{}, fmt.Errorf("%s needs at least one task to take its place", id)
	}
	defer p.keepOrder()()
	parent := p.records[i]
	inherited := make([]jsonl.Object, len(given))
	for n, object := range given {
		inherited[n] = p.inherit(parent, object)
	}
	added, err := p.AddTasks(inherited, stamp)
	if err != nil {
		return Change{}, err
	}
	var children []string
	for _, r := range added.Records {
		if r.kind == KindTask && r.Text("parent") == id {
			children = append(children, r.id)
		}
	}
	removed := p.remove(func(r Record) bool { return r.kind == KindTask && r.id == id })
	gone := Change{Events: []Event{event(EventDecomposed, parent)}, Removed: removed}
	return p.acyclic(Join(gone, added, p.redirect([]string{id}, children)))
}

// inherit gives a subtask what it takes over from its parent. Dependencies of
// the parent that are still in the plan hold for each subtask too.
func (p *Plan) inherit(parent Record, object jsonl.Object) jsonl.Object {
	child := Record{kind: KindTask, object: object}
	changes := []jsonl.Member{member("parent", parent.id)}
	for _, name := range [...]string{"spec", "priority", "role"} {
		if !child.Has(name) {
			changes = append(changes, member(name, parent.Text(name)))
		}
	}
	dangling := p.Dangling(parent)
	deps := child.Deps()
	for _, dep := range parent.Deps() {
		if !slices.Contains(deps, dep) && !slices.Contains(dangling, dep) {
			deps = append(deps, dep)
		}
	}
	return child.with(append(changes, list("deps", deps))...).object
}

// isLocal tells whether a slash-separated path stays below the folder that it
// is relative to.
func isLocal(path string) bool {
	return !strings.HasPrefix(path, "/") && !strings.Contains(path, `\`) &&
		!slices.Contains(strings.Split(path, "/"), "..") && !strings.Contains(path, ":")
}
