package plan

import (
	"fmt"
	"time"

	"git-ralph/internal/jsonl"
)

// AddTasks adds tasks, all or none. Each object holds the fields of one task;
// only "name" is required, and unknown fields are kept. Ids in dependencies and
// links may be shortened. Dependencies may name others of the batch by their
// "id", which then need not be valid. A task that "supersedes" another takes
// its place.
func (p *Plan) AddTasks(objects []jsonl.Object, stamp Stamp) (Change, error) {
	return p.change(func() (Change, error) {
		c, _, err := p.addTasks(p.completeLinks(KindTask, objects), stamp)
		return c, err
	})
}

// addTasks is a step of a mutation. It returns the ids of the new tasks, too.
func (p *Plan) addTasks(objects []jsonl.Object, stamp Stamp) (Change, []string, error) {
	inputs, err := p.readInputs(KindTask, objects, stamp)
	if err != nil {
		return Change{}, nil, err
	}
	batch := batch{spec: p.Spec(), targets: p.targets(KindTask, inputs)}
	var all Change
	ids := make([]string, len(inputs))
	begin := p.creationTime(stamp.Now)
	for i, in := range inputs {
		record, err := batch.task(in, begin.Add(time.Duration(i)*time.Millisecond))
		if err != nil {
			return Change{}, nil, err
		}
		p.add(record)
		all.Join(added(record))
		ids[i] = in.id
	}
	for _, in := range inputs {
		if in.text("supersedes") == "" {
			continue
		}
		step, err := p.supersede(in)
		if err != nil {
			return Change{}, nil, err
		}
		all.Join(step)
	}
	return all, ids, nil
}

// added describes a new task, issue or item.
func added(r Record) Change {
	name, title := EventAdded, titleField(r.kind)
	switch r.kind {
	case KindIssue:
		name = EventIssueAdded
	case KindItem:
		name = EventItemAdded
	}
	e := event(name, r, jsonl.TextMember(title, r.Name()), jsonl.TextMember("spec", r.Spec()))
	return Change{Events: []Event{e}, Records: []Record{r}}
}

// A batch is what new records have in common.
type batch struct {
	spec    string // the current one
	targets targets
}

// specOf returns the spec of a new record.
func (b batch) specOf(in input) (string, error) {
	if spec := in.text("spec"); spec != "" {
		return spec, nil
	}
	if b.spec == "" && !isOfItem(in.object) {
		return "", ErrNoSpec
	}
	return b.spec, nil
}

// task makes the record of an input. A task that has no name has it in "desc",
// as old ones do.
func (b batch) task(in input, created time.Time) (Record, error) {
	fields := []jsonl.Member{jsonl.TextMember("t", string(KindTask)), jsonl.TextMember("id", in.id), jsonl.TextMember("s", "p"), jsonl.TextMember("created_at", FormatTime(created))}
	if name := in.text("name"); name != "" {
		fields = append(fields, jsonl.TextMember("name", name))
	} else if desc := in.text("desc"); desc != "" {
		fields = append(fields, jsonl.TextMember("name", desc), jsonl.TextMember("desc", ""))
	} else {
		return Record{}, in.wrong("name", "is missing")
	}
	if parent, found := in.object.Get("parent"); found && ownParent(jsonl.Member{Name: "parent", Value: parent}, in.id, in.localID) {
		return Record{}, in.wrong("parent", "names the task itself")
	}
	spec, err := b.specOf(in)
	if err != nil {
		return Record{}, err
	}
	deps, err := b.targets.deps(in, nil)
	if err != nil {
		return Record{}, err
	}
	return build(KindTask, in.object, append(fields, jsonl.TextMember("spec", spec), jsonl.ListMember("deps", deps))...), nil
}

// AddDerivedTasks adds pending tasks that follow from other records, all or none. Their ids and times of creation are given, so
// that two clones which derive the same tasks add the same records. They need no spec, and their dependencies are whole ids.
func (p *Plan) AddDerivedTasks(objects []jsonl.Object) (Change, error) {
	return p.change(func() (Change, error) {
		used := map[string]bool{}
		for i := range p.records {
			used[p.records[i].ID()] = true
		}
		var all Change
		for _, object := range objects {
			record := build(KindTask, object, jsonl.TextMember("t", string(KindTask)), jsonl.TextMember("s", "p"))
			in := input{kind: KindTask, where: record.ID()}
			if id := record.ID(); !ValidID(KindTask, id) || used[id] {
				return Change{}, in.wrong("id", fmt.Sprintf("is %q, expected a valid one that no record has", id))
			}
			used[record.ID()] = true
			p.add(record)
			all.Join(added(record))
		}
		return all, nil
	})
}
