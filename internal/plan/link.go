package plan

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// linkKind returns the kind of record that a field points at, "" for a field
// that points at none.
func linkKind(field string) Kind {
	switch field {
	case "parent", "supersedes":
		return KindTask
	case "created_from":
		return KindIssue
	}
	return ""
}

// linked completes a shortened id in a field that points at another record. Any
// other value is data and stays: a record that is gone may be pointed at too.
func (p *Plan) linked(m jsonl.Member) jsonl.Member {
	kind := linkKind(m.Name)
	if text, isText := m.Value.Str(); kind != "" && isText {
		if id, err := p.ResolveID(kind, text); err == nil {
			m.Value = jsonl.Quote(id)
		}
	}
	return m
}

// linkedAll is linked for what is given for new records. An id that stands on
// one of them is no shortened one.
func (p *Plan) linkedAll(objects []jsonl.Object) []jsonl.Object {
	own := make(map[jsonl.Value]bool, len(objects))
	for _, object := range objects {
		if id, found := object.Get("id"); found {
			own[id] = true
		}
	}
	all := slices.Clone(objects)
	for i, object := range objects {
		members := object.Members()
		for at, m := range members {
			if !own[m.Value] {
				members[at] = p.linked(m)
			}
		}
		all[i] = jsonl.Build(members)
	}
	return all
}

// ownParent reports whether a link makes a task its own parent.
func ownParent(m jsonl.Member, ids ...string) bool {
	text, isText := m.Value.Str()
	return isText && text != "" && m.Name == "parent" && slices.Contains(ids, text)
}
