package plan

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// managed are the fields that only commands set.
var managed = [...]string{
	"s", "done_at", "attempt", "reject", "kill", "kill_log", "created_at", "renamed_from", "conflict",
}

// priorities from the highest to the lowest.
var priorities = [...]string{"high", "medium", "low"}

// Priorities returns them, the highest first.
func Priorities() []string { return slices.Clone(priorities[:]) }

// PriorityRank returns 0 for the highest priority, and one more than that of
// the lowest for none or an unknown one.
func PriorityRank(priority string) int {
	if i := slices.Index(priorities[:], priority); i >= 0 {
		return i
	}
	return len(priorities)
}

// An input is an object from which a new record is made.
type input struct {
	kind    Kind
	where   string // how errors name it
	object  jsonl.Object
	localID string // its own "id", by which others of its batch may name it; it need not be a valid id
	id      string
}

// readInputs checks the objects for new records of a kind and assigns their
// ids. An "id" that is valid and free is kept; any other only serves others of
// the batch to name the record.
func (p *Plan) readInputs(kind Kind, objects []jsonl.Object, stamp Stamp) ([]input, error) {
	inputs := make([]input, len(objects))
	taken := map[string]bool{}
	for i, object := range objects {
		object = withoutNulls(kind, object)
		in := input{kind: kind, object: object}
		if len(objects) > 1 {
			in.where = fmt.Sprintf("%s %d", kind, i+1)
		}
		if err := in.check(); err != nil {
			return nil, err
		}
		v, _ := object.Get("id")
		in.localID, _ = v.Str()
		if taken[in.localID] {
			return nil, in.wrong("id", fmt.Sprintf("%q is used twice in the batch", in.localID))
		}
		taken[in.localID] = in.localID != ""
		inputs[i] = in
	}
	return inputs, p.assignIDs(inputs, stamp)
}

// withoutNulls leaves out the known fields that hold null: they count as absent.
// In a field that we do not know, null is data.
func withoutNulls(kind Kind, object jsonl.Object) jsonl.Object {
	members := object.Members()
	kept := slices.DeleteFunc(members, func(m jsonl.Member) bool {
		return m.Value == "null" && (fieldAt(fields(kind), m.Name, 0) >= 0 || m.Name == "desc")
	})
	if len(kept) == object.Len() {
		return object
	}
	return jsonl.Build(kept)
}

func (p *Plan) assignIDs(inputs []input, stamp Stamp) error {
	if len(inputs) == 0 {
		return nil
	}
	ids := p.newIDs(inputs[0].kind, stamp)
	for i := range inputs {
		in := &inputs[i]
		if !ValidID(in.kind, in.localID) {
			continue
		}
		if ids.used[in.localID] {
			return in.wrong("id", fmt.Sprintf("%q is in use", in.localID))
		}
		in.id = in.localID
		ids.used[in.id] = true
	}
	for i := range inputs {
		if inputs[i].id == "" {
			inputs[i].id = ids.next()
		}
	}
	return nil
}

// check looks at the types of known fields and refuses what commands set.
func (in input) check() error {
	for _, m := range in.object.Members() {
		if slices.Contains(managed[:], m.Name) && !(m.Name == "s" && m.Value == `"p"`) {
			return in.wrong(m.Name, notEditable("set", m.Name))
		}
		if err := in.checkField(m); err != nil {
			return err
		}
	}
	return nil
}

func (in input) checkField(m jsonl.Member) error {
	for _, f := range fields(in.kind) {
		if mismatch := f.shape.mismatch(m.Value); f.name == m.Name && mismatch != "" {
			return &FieldError{
				Where: in.where, Field: m.Name, Message: fmt.Sprintf("%s, expected %s", mismatch, f.shape), hint: f.example(),
			}
		}
	}
	text, _ := m.Value.Str()
	switch {
	case m.Name == "t" && Kind(text) != in.kind:
		return in.wrong("t", fmt.Sprintf("is %q, expected %q", text, in.kind))
	case in.kind == KindItem:
		return in.checkItemValue(m)
	case m.Name == "priority" && text != "" && PriorityRank(text) == len(priorities):
		return in.wrong("priority", fmt.Sprintf("is %q, expected one of %s", text, strings.Join(priorities[:], ", ")))
	}
	return nil
}

// CheckField checks a value that is to be set, as far as the plan does not matter.
// The error is a *FieldError.
func CheckField(kind Kind, m jsonl.Member) error { return input{kind: kind}.checkField(m) }

// notEditable says that a field cannot be set or edited, and which command sets it.
func notEditable(verb, field string) string {
	text := "cannot be " + verb
	switch field {
	case "s", "done_at", "attempt":
		return text + "; use `task done`"
	case "reject":
		return text + "; use `task reject`"
	case "kill", "kill_log":
		return text + "; use `task kill`"
	case "conflict":
		return text + "; use `resolve`"
	case "state":
		return text + "; use `item move`"
	}
	return text
}

func (in input) wrong(field, message string) error {
	return &FieldError{Where: in.where, Field: field, Message: message}
}

func (in input) text(name string) string {
	v, _ := in.object.Get(name)
	s, _ := v.Str()
	return strings.TrimSpace(s)
}
