package plan

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// A FieldChange is a field of a record before and after; "" where the record lacks it.
type FieldChange struct {
	Name          string
	Before, After jsonl.Value
}

// ChangedFields returns the fields in which two versions of a record differ: those of the old one in its order, then added
// ones.
func ChangedFields(before, after Record) []FieldChange {
	if before.JSON() == after.JSON() {
		return nil
	}
	old, now := nonNull(before), nonNull(after)
	was, is := valuesOf(old), valuesOf(now)
	var changed []FieldChange
	for _, m := range old {
		if v := is[m.Name]; !jsonl.Equal(m.Value, v) {
			changed = append(changed, FieldChange{m.Name, m.Value, v})
		}
	}
	for _, m := range now {
		if was[m.Name] == "" {
			changed = append(changed, FieldChange{m.Name, "", m.Value})
		}
	}
	// "desc" may count as the name on one side only; see FieldsOf.
	return slices.DeleteFunc(changed, func(c FieldChange) bool { return c.Name == "desc" && before.sameDesc(after) })
}

func (r Record) sameDesc(other Record) bool {
	was, _ := r.Get("desc")
	is, _ := other.Get("desc")
	return jsonl.Equal(was, is)
}

// Edits returns the changed fields that say what a record is. Those of the task's state are left out: other events report
// them. A state that is neither pending nor done is edited like any field.
func Edits(before, after Record) []FieldChange {
	known := func(r Record) bool { return r.Pending() || r.Done() }
	return slices.DeleteFunc(ChangedFields(before, after), func(c FieldChange) bool {
		if after.kind == KindItem {
			return c.Name == "state" || c.Name == "meta" && before.Text("state") != after.Text("state") && sameButEscalation(c.Before, c.After)
		}
		return after.kind == KindTask && IsStateField(c.Name) && (c.Name != "s" || known(before) && known(after))
	})
}

// sameButEscalation reports whether two values of "meta" differ at most in what a move to Human Needed writes there.
func sameButEscalation(before, after jsonl.Value) bool {
	drop := []jsonl.Member{{Name: escalation}}
	return jsonl.Equal(setMembers(before, drop), setMembers(after, drop))
}

// StateFields returns the fields that together make up the state of a task.
func StateFields() [6]string {
	return [...]string{"s", "done_at", "attempt", "kill", "kill_log", "reject"}
}

// IsStateField reports whether a field is one of StateFields.
func IsStateField(name string) bool {
	fields := StateFields()
	return slices.Contains(fields[:], name)
}

// IsProse reports whether a field is written by people, in sentences.
func IsProse(name string) bool {
	return slices.Contains([]string{"name", "notes", "accept", "desc", "reason"}, name)
}

// FieldsOf returns the fields of a record. "desc" is the name of a task that has no other.
func FieldsOf(r Record) []jsonl.Member {
	fields := r.Object().Members()
	if r.kind != KindTask || r.Has("name") || !r.Has("desc") {
		return fields
	}
	fields = slices.DeleteFunc(fields, func(m jsonl.Member) bool { return m.Name == "name" })
	for i := range fields {
		if fields[i].Name == "desc" {
			fields[i].Name = "name"
		}
	}
	return fields
}

// nonNull returns the fields of a record that hold something: a known field that holds null is absent.
func nonNull(r Record) []jsonl.Member {
	return slices.DeleteFunc(FieldsOf(r), func(m jsonl.Member) bool { return m.Value == "null" && IsKnown(r.kind, m.Name) })
}

func valuesOf(fields []jsonl.Member) map[string]jsonl.Value {
	values := make(map[string]jsonl.Value, len(fields))
	for _, m := range fields {
		values[m.Name] = m.Value
	}
	return values
}
