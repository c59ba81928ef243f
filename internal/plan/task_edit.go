package plan

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// Edit sets members of a task. A zero value or null removes one. Members of
// "meta" are set one by one with meta. A task in a state that we do not know
// can be made pending. The error is ErrNothing if this changes nothing.
func (p *Plan) Edit(id string, changes, meta []jsonl.Member) (Change, error) {
	return p.editRecord(KindTask, id, changes, meta)
}

// EditIssue is Edit of an issue.
func (p *Plan) EditIssue(id string, changes, meta []jsonl.Member) (Change, error) {
	return p.editRecord(KindIssue, id, changes, meta)
}

func (p *Plan) editRecord(kind Kind, id string, changes, meta []jsonl.Member) (Change, error) {
	return p.change(func() (Change, error) {
		i := p.index(kind, id)
		if i < 0 {
			return Change{}, &UnknownIDError{Kind: kind, ID: id}
		}
		before := p.records[i]
		task := before
		for _, m := range changes {
			m, err := p.edit(before, m)
			if err != nil {
				return Change{}, err
			}
			if kind == KindTask && m.Name == "name" && task.Text("name") == "" {
				task = task.with(jsonl.TextMember("desc", "")) // where an old task has its name
			}
			task = task.withResolved(m)
			if m.Name == "s" {
				task = task.withResolved(jsonl.TextMember("done_at", ""), jsonl.TextMember("attempt", ""))
			}
		}
		task = withMeta(task, meta)
		if task.text == before.text {
			return Change{}, &UnchangedError{id}
		}
		p.records[i] = task
		return Change{Events: []Event{event(EventEdited, task)}, Records: []Record{task}}, nil
	})
}

// edit checks one member that is to be set and resolves what it points at.
func (p *Plan) edit(task Record, m jsonl.Member) (jsonl.Member, error) {
	in := input{kind: task.kind, id: task.ID()}
	if m.Name == "s" && task.kind == KindTask && task.Text("s") != "p" && !task.Done() {
		return m, in.pending(m.Value)
	}
	if !Editable(task.kind, m.Name) {
		return m, in.wrong(m.Name, notEditable("edited", m.Name))
	}
	if m.Value == "null" {
		m.Value = ""
	}
	text, _ := m.Value.Str()
	if (m.Name == titleField(task.kind) || m.Name == "spec") && strings.TrimSpace(text) == "" && (m.Value == "" || m.Value.Kind() == jsonl.String) {
		return m, in.wrong(m.Name, "cannot be empty")
	}
	if m.Value == "" {
		return m, nil
	}
	if err := in.checkField(m); err != nil {
		return m, err
	}
	if m = p.completeLink(task.kind, m); ownParent(m, task.ID()) {
		return m, in.wrong("parent", "names the "+string(task.kind)+" itself")
	}
	if task.kind == KindItem {
		if err := p.checkItemField(task, m); err != nil {
			return m, err
		}
	}
	if m.Name != task.kind.WaitsField() {
		return m, nil
	}
	in.object = jsonl.Build([]jsonl.Member{m})
	deps, err := p.targets(task.kind, nil).deps(in, task.WaitsFor())
	return jsonl.ListMember(m.Name, deps), err
}

// Editable reports whether a field may be edited; others are set by commands alone.
func Editable(kind Kind, name string) bool {
	return name != "t" && name != "id" && !slices.Contains(managed[:], name) && !(kind == KindItem && name == "state")
}

// titleField returns the field that says what a task, issue or item is about.
func titleField(kind Kind) string {
	if kind == KindIssue {
		return "desc"
	}
	return "name"
}

// pending refuses any state but the one that a task can be edited into.
func (in input) pending(state jsonl.Value) error {
	if text, _ := state.Str(); text != "p" {
		return in.wrong("s", `can only be set to "p"; commands set others`)
	}
	return nil
}
