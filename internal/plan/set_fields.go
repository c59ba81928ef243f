package plan

import "git-ralph/internal/jsonl"

// with returns the record with members set, in the order in which records are
// written: known fields first, then unknown ones in their old order. Members that
// do not change keep their bytes. A zero value removes its member.
func (r Record) with(changes ...jsonl.Member) Record {
	changed := build(r.kind, r.Object(), changes...)
	changed.line, changed.ending = r.line, r.ending
	return changed
}

// build makes a record of an object and of members to set in it; see
// Record.with.
func build(kind Kind, from jsonl.Object, changes ...jsonl.Member) Record {
	members := from.Members()
	for _, change := range changes {
		members = set(members, change)
	}
	return MakeRecord(kind, members)
}

// MakeRecord makes a record of a kind from members, "t" among them, and puts them
// in the order in which records are written: known fields first, then the others
// in their order. Members that were read keep their bytes.
func MakeRecord(kind Kind, members []jsonl.Member) Record {
	return newRecord(jsonl.Build(inOrder(kind, members)))
}

// IsKnown reports whether the format defines a field of a kind. A known field
// that holds null counts as absent.
func IsKnown(kind Kind, name string) bool { return fieldAt(fields(kind), name, 0) >= 0 }

// withResolved is with for commands that decide what fields hold: it also drops
// recorded conflicts of those fields.
func (r Record) withResolved(changes ...jsonl.Member) Record {
	changed := r.with(changes...)
	v, found := changed.Get("conflict")
	if !found || v.Kind() != jsonl.Map {
		return changed
	}
	over := make([]jsonl.Member, len(changes))
	for i, c := range changes {
		over[i].Name = c.Name
	}
	return changed.with(jsonl.Member{Name: "conflict", Value: setMembers(v, over)})
}

// setMembers sets members of a value that is an object, or is not there. The
// result is "" where none are left.
func setMembers(v jsonl.Value, changes []jsonl.Member) jsonl.Value {
	object, _ := jsonl.ParseObject(string(v))
	members := object.Members()
	for _, change := range changes {
		members = set(members, change)
	}
	if len(members) == 0 {
		return ""
	}
	return jsonl.Value(jsonl.Build(members).Text())
}

// set replaces the member of the same name, or appends the change.
func set(members []jsonl.Member, change jsonl.Member) []jsonl.Member {
	for i, m := range members {
		if m.Name != change.Name {
			continue
		}
		if change.Value == "" {
			return append(members[:i], members[i+1:]...)
		}
		members[i].Value = change.Value
		return members
	}
	if change.Value == "" {
		return members
	}
	return append(members, change)
}

// inOrder returns members in the order in which a record of the kind is
// written.
func inOrder(kind Kind, members []jsonl.Member) []jsonl.Member {
	known := fields(kind)
	ordered := make([]jsonl.Member, 0, len(members))
	for _, f := range known {
		for _, m := range members {
			if m.Name == f.name {
				ordered = append(ordered, m)
			}
		}
	}
	for _, m := range members {
		if fieldAt(known, m.Name, 0) < 0 {
			ordered = append(ordered, m)
		}
	}
	return ordered
}
