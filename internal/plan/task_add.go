package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// AddTasks adds tasks, all or none. Each object holds the fields of one task;
// only "name" must be there. What they do not know of, they keep. Dependencies
// may be shortened, and may name others of the batch by their "id", which then
// need not be a valid one. A task that "supersedes" another takes its place.
func (p *Plan) AddTasks(given []jsonl.Object, stamp Stamp) (Change, error) {
	inputs, err := p.readInputs(KindTask, given, stamp)
	if err != nil {
		return Change{}, err
	}
	defer p.keepOrder()()
	var all []Change
	for i, in := range inputs {
		record, err := p.newTask(in, inputs, stamp.Now.Add(time.Duration(i)*time.Millisecond))
		if err != nil {
			return Change{}, err
		}
		p.add(record)
		all = append(all, added(record))
	}
	for _, in := range inputs {
		if old := in.text("supersedes"); old != "" {
			change, err := p.supersede(old, in.id, "")
			if err != nil {
				return Change{}, err
			}
			all = append(all, change)
		}
	}
	return p.acyclic(Join(all...))
}

// added describes a new task or issue.
func added(r Record) Change {
	name, title := EventAdded, "name"
	if r.kind == KindIssue {
		name, title = EventIssueAdded, "desc"
	}
	e := event(name, r, member(title, r.Name()), member("spec", r.Spec()))
	return Change{Events: []Event{e}, Records: []Record{r}}
}

// acyclic passes a change on unless tasks now wait for each other.
func (p *Plan) acyclic(c Change) (Change, error) {
	if cycle := p.Cycle(); cycle != nil {
		return Change{}, &CycleError{Cycle: cycle}
	}
	return c, nil
}

// newTask makes the record of an input. Milliseconds apart keep the order in
// which a batch was given.
func (p *Plan) newTask(in input, batch []input, created time.Time) (Record, error) {
	name := in.text("name")
	if name == "" {
		name = in.text("desc")
	}
	if name == "" {
		return Record{}, in.wrong("name", "is missing")
	}
	spec := in.text("spec")
	if spec == "" {
		spec = p.Spec()
	}
	if spec == "" {
		return Record{}, ErrNoSpec
	}
	deps, err := p.newDeps(in, batch)
	if err != nil {
		return Record{}, err
	}
	return Record{kind: KindTask, object: in.given}.with(
		member("t", string(KindTask)), member("id", in.id), member("spec", spec),
		member("name", name), member("desc", ""), list("deps", deps), member("s", "p"),
		member("created_at", FormatTime(created)),
	), nil
}

// newDeps resolves the dependencies of an input within its batch, then within
// the plan.
func (p *Plan) newDeps(in input, batch []input) ([]string, error) {
	v, _ := in.given.Get("deps")
	given, _ := v.Strings()
	var deps []string
	for _, dep := range given {
		id, err := p.resolveDep(dep, batch)
		if err != nil {
			return nil, in.wrong("deps", err.Error())
		}
		if !slices.Contains(deps, id) {
			deps = append(deps, id)
		}
	}
	return deps, nil
}

// resolveDep returns the id of the task or issue that a dependency means.
func (p *Plan) resolveDep(given string, batch []input) (string, error) {
	given = strings.TrimSpace(given)
	for _, in := range batch {
		if given != "" && (in.label == given || in.id == given) {
			return in.id, nil
		}
	}
	if id, err := p.Resolve(KindIssue, given); err == nil {
		return id, nil
	}
	id, err := p.Resolve(KindTask, given)
	if _, unknown := err.(*UnknownIDError); unknown {
		return "", fmt.Errorf("names %q, which is neither a task nor an issue of the plan", given)
	}
	return id, err
}
