package mirror

import (
	"fmt"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// A Twin is one issue too many: two clones that push an item at the same moment make one each. The lowest number counts.
type Twin struct {
	Issue
	ItemID string
	First  int // the number of the item's issue
}

// IsOf reports whether the twin was made by the same push of the same item as an issue. Who copies an issue later copies its marker, too.
func (t Twin) IsOf(first Issue) bool {
	const sameMoment = 24 * time.Hour // a push of many items takes that long
	id, _, marked := first.markedItem()
	made, err := time.Parse(time.RFC3339, first.Created)
	again, errAgain := time.Parse(time.RFC3339, t.Created)
	return marked && id == t.ItemID && first.Title == t.Title && err == nil && errAgain == nil && again.Sub(made).Abs() < sameMoment
}

// Notice is the comment that says so. GitHub shows such an issue as a duplicate.
func (t Twin) Notice() Post {
	p := Post{Key: fmt.Sprintf("duplicate %d", t.First)}
	p.Body = fmt.Sprintf("Duplicate of #%d\n\n%s", t.First, p.marker())
	return p
}

// MarkedFor returns the id of the item that an issue was made for, "" where it was made for none.
func (i Issue) MarkedFor() string {
	id, _, _ := i.markedItem()
	return id
}

// MergeTwins adds to items what somebody wrote into their twins: labels, assignees, dependencies, the parent, and the description. What the
// plan and the first issues have stays.
func (m Merger) MergeTwins(p *plan.Plan, twins []Twin) (out Merged, err error) {
	items := p.Of(plan.KindItem)
	ids, versions := Numbers(items), map[string][3]plan.Record{}
	for _, t := range twins {
		item, found := p.Item(t.ItemID)
		if v, again := versions[t.ItemID]; again {
			item = v[2]
		}
		if found {
			versions[t.ItemID] = m.twinVersions(item, t, ids)
		}
	}
	merged, err := mergeVersions(items, versions, nil)
	if err != nil {
		return out, err
	}
	out.Conflicts = merged.Conflicts
	return out, m.collect(items, merged.Data, &out)
}

// withoutIssue returns an item that gets another issue: what it agreed on with the one before says nothing about that.
func withoutIssue(item plan.Record) plan.Record {
	v, _ := item.Get("conflict")
	left := setAll(v.Object().Members(), []jsonl.Member{{Name: "number"}, {Name: "url"}})
	conflict := jsonl.Member{Name: "conflict"}
	if len(left) > 0 {
		conflict.Value = jsonl.Value(jsonl.Build(left).Text())
	}
	return withMeta(with(item, conflict), jsonl.Member{Name: metaBase})
}

func (m Merger) twinVersions(item plan.Record, t Twin, ids map[int]string) [3]plan.Record {
	now := m.read(pair{item: item, Issue: t.Issue}, base{}, ids)
	parent := item.Text("parent")
	if parent == "" && now.parent != item.ID() {
		parent = now.parent
	}
	theirs := withMeta(item, jsonl.TextMember(metaAssignee, joined(union(nil, assignees(assigneeOf(item)), t.Assignees))))
	theirs = with(theirs, jsonl.ListMember("labels", union(nil, item.Texts("labels"), now.labels)), jsonl.TextMember("parent", parent),
		jsonl.ListMember("blocked_by", union(nil, item.Texts("blocked_by"), now.blockedBy)))
	was := item
	if desc, _ := t.text(); t.Updated != t.Created && desc != item.Text("desc") && Hash(desc) != baseOf(item).text {
		was, theirs = with(was, jsonl.Member{Name: "desc"}), with(theirs, jsonl.TextMember("desc", desc))
	}
	return [3]plan.Record{was, item, theirs}
}

// mergeVersions merges items, of which some have three versions, and adds new ones.
func mergeVersions(items []plan.Record, versions map[string][3]plan.Record, added []plan.Record) (merge.Result, error) {
	var files [3][]byte
	for _, item := range items {
		v, found := versions[item.ID()]
		for i := range files {
			line := item.JSON()
			if found {
				line = v[i].JSON()
			}
			files[i] = append(append(files[i], line...), '\n')
		}
	}
	for _, item := range added {
		files[2] = append(append(files[2], item.JSON()...), '\n')
	}
	return merge.Merge(files[0], files[1], files[2])
}
