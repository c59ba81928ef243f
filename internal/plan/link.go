package plan

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// linkKind returns the kind of record that a field of another one points at, "" for a field
// that points at none.
func linkKind(kind Kind, field string) Kind {
	switch {
	case kind == KindItem && field == "parent":
		return KindItem
	case kind == KindItem:
		return ""
	case field == "parent", field == "supersedes":
		return KindTask
	case field == "created_from":
		return KindIssue
	}
	return ""
}

// completeLink completes a shortened id in a field that points at another record. Any
// other value is data and stays: a record that is gone may be pointed at too.
func (p *Plan) completeLink(from Kind, m jsonl.Member) jsonl.Member {
	kind := linkKind(from, m.Name)
	if text, isText := m.Value.Str(); kind != "" && isText {
		if id, err := p.ResolveID(kind, text); err == nil {
			m.Value = jsonl.Quote(id)
		}
	}
	return m
}

// completeLinks is completeLink for the objects of new records. The id of one of them is not taken for a shortened one.
func (p *Plan) completeLinks(from Kind, objects []jsonl.Object) []jsonl.Object {
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
				members[at] = p.completeLink(from, m)
			}
		}
		all[i] = jsonl.Build(members)
	}
	return all
}

// ownParent reports whether a link makes a record its own parent.
func ownParent(m jsonl.Member, ids ...string) bool {
	text, isText := m.Value.Str()
	return isText && text != "" && m.Name == "parent" && slices.Contains(ids, text)
}
