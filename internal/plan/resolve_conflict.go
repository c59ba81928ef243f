package plan

import (
	"fmt"
	"slices"

	"git-ralph/internal/jsonl"
)

// Removed takes the place of a field's name in a recorded conflict where one
// side of a merge removed the record and the other one changed it.
const Removed = "removed"

// A Conflict is a recorded conflict: a field to which two sides of a merge gave
// different values.
type Conflict struct {
	Kind       Kind
	ID         string        // of the record, "" for the spec's
	Field      string        // its name, or Removed
	Value      jsonl.Value   // what the record has there, "" for nothing
	Candidates []jsonl.Value // as they are recorded, "null" for nothing; none for Removed
}

// Conflicts returns the recorded conflicts of a record.
func (r Record) Conflicts() []Conflict {
	v, _ := r.Get("conflict")
	if v == "" || v.Kind() != jsonl.Map {
		return nil
	}
	object, _ := jsonl.ParseObject(string(v))
	var all []Conflict
	for _, m := range object.Members() {
		c := Conflict{Kind: r.kind, ID: r.ID(), Field: m.Name}
		if m.Name != Removed {
			c.Value, _ = r.Get(m.Name)
			c.Candidates = []jsonl.Value{m.Value}
			if values, isArray := m.Value.Elements(); isArray {
				c.Candidates = values
			}
		}
		all = append(all, c)
	}
	return all
}

// A Choice resolves one recorded conflict.
type Choice struct {
	Kind   Kind
	ID     string // "" for the spec's record
	Field  string
	Value  jsonl.Value // what the field is to hold; "" or null for nothing. Not for Removed
	Remove bool        // for Removed: remove the record from the plan
}

// ResolveConflicts sets the fields of recorded conflicts to the chosen values
// and drops the conflicts. The error is ErrNothing where a field has no conflict,
// a *FieldError where it cannot hold the value, and a *DependantsError where
// others depend on a task that is to be removed.
func (p *Plan) ResolveConflicts(choices []Choice) (Change, error) {
	return p.change(func() (Change, error) {
		var all Change
		for _, c := range choices {
			one, err := p.resolveConflict(c)
			if err != nil {
				return Change{}, err
			}
			all.Join(one)
		}
		return all, nil
	})
}

func (p *Plan) resolveConflict(c Choice) (Change, error) {
	i := p.index(c.Kind, c.ID)
	if i < 0 {
		return Change{}, &UnknownIDError{Kind: c.Kind, ID: c.ID}
	}
	record := p.records[i]
	conflicts := record.Conflicts()
	at := slices.IndexFunc(conflicts, func(has Conflict) bool { return has.Field == c.Field })
	switch {
	case at < 0:
		return Change{}, fmt.Errorf("%w: %s has no conflict in %q", ErrNothing, record.label(), c.Field)
	case c.Field == Removed && c.Remove:
		return p.removeInConflict(record)
	case c.Field == Removed:
		v, _ := record.Get("conflict")
		record = record.with(jsonl.Member{Name: "conflict", Value: setMembers(v, []jsonl.Member{{Name: Removed}})})
	case slices.Contains(reserved[:], c.Field):
		if c.Value != "" {
			return Change{}, &FieldError{Field: c.Field, Message: "cannot be in conflict, expected an empty value, which leaves the field as it is"}
		}
		v, _ := record.Get("conflict")
		record = record.with(jsonl.Member{Name: "conflict", Value: setMembers(v, []jsonl.Member{{Name: c.Field}})})
	default:
		m, err := p.chosen(record, conflicts[at], c.Value)
		if err != nil {
			return Change{}, err
		}
		record = record.withResolved(m)
		if fault := p.newFault(p.records[i], record); fault != "" {
			return Change{}, &FieldError{Field: c.Field, Message: "cannot have this value: " + fault}
		}
	}
	p.records[i] = record
	return Change{Events: []Event{resolvedEvent(record)}, Records: []Record{record}}, nil
}

// newFault returns a fault that a record did not have before, or "".
func (p *Plan) newFault(before, after Record) string {
	faults := func(r Record) []string {
		c := newChecker(p)
		c.record(r)
		var all []string
		for _, problem := range c.problems.Errors() {
			all = append(all, problem.String())
		}
		return all
	}
	known := faults(before)
	for _, fault := range faults(after) {
		if !slices.Contains(known, fault) {
			return fault
		}
	}
	return ""
}

// chosen returns the member that a choice sets. A candidate is taken as it is;
// anything else must be what a command could set.
func (p *Plan) chosen(r Record, c Conflict, v jsonl.Value) (jsonl.Member, error) {
	m := jsonl.Member{Name: c.Field, Value: v}
	if v == "null" {
		m.Value = ""
	}
	switch {
	case m.Value != "" && !CanHold(r.kind, c.Field, m.Value):
		return m, input{kind: r.kind}.checkField(m)
	case slices.Contains(c.Candidates, v), v == "" && slices.Contains(c.Candidates, "null"):
		return m, nil
	case r.kind == KindTask || r.kind == KindItem && m.Name != "state":
		return p.edit(r, m)
	case m.Value == "":
		return m, nil
	}
	return m, input{kind: r.kind}.checkField(m)
}

// removeInConflict removes a record that one side of a merge had removed, as the
// command for its kind and status does. What depended on a task that was replaced
// then depends on the replacements, as if that side had known of the dependency.
func (p *Plan) removeInConflict(r Record) (Change, error) {
	var moved Change
	if heirs := p.heirs(r); len(heirs) > 0 {
		moved = p.redirect([]string{r.ID()}, heirs)
	}
	left, err := p.removeByKind(r)
	left.Join(moved)
	return left, err
}

// heirs returns the ids of the tasks that replaced a task: those that name it in
// "parent" or "supersedes".
func (p *Plan) heirs(r Record) []string {
	var ids []string
	for _, heir := range p.records {
		named := heir.Text("parent") == r.ID() || heir.Text("supersedes") == r.ID()
		if named && r.kind == KindTask && heir.kind == KindTask && heir.ID() != r.ID() {
			ids = append(ids, heir.ID())
		}
	}
	return ids
}

// removeByKind removes a record as the command for its kind and status does:
// an issue is closed, a done task accepted, another task cancelled.
func (p *Plan) removeByKind(r Record) (Change, error) {
	switch {
	case r.kind == KindIssue:
		return p.closeIssues([]string{r.ID()})
	case r.kind == KindTask && r.Done():
		return p.Accept([]string{r.ID()})
	case r.kind == KindTask:
		return p.Cancel([]string{r.ID()}, CancelAlone)
	}
	p.records = slices.DeleteFunc(p.records, func(other Record) bool { return other.text == r.text })
	return Change{Events: []Event{{Name: EventUpdated, Title: "remove " + r.label()}}, Removed: []Record{r}}, nil
}

// resolvedEvent returns the event of a record that had a conflict.
func resolvedEvent(r Record) Event {
	if r.kind == KindSpec {
		return Event{Name: EventSpec, ID: r.Spec()}
	}
	return event(EventEdited, r)
}

// label returns how messages refer to a record.
func (r Record) label() string {
	if r.kind == KindSpec {
		return "the spec"
	}
	return r.ID()
}
