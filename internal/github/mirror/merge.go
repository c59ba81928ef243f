package mirror

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// A Merger merges issues into the items of a plan.
type Merger struct {
	Repository
	Named map[int]bool                     // issues that become items even where they are closed
	Add   bool                             // open issues that are none become items
	But   string                           // and those with this label do not, unless Named has them; "": all
	Text  func(hash string) (string, bool) // what Hash was of, where that is known

	Sending map[string]string // what a run that was killed had begun to send, by item: from Sender.Expected
}

// A Merged is what a merge makes of the items.
type Merged struct {
	Items     []plan.Record // that are new or changed; their state is the one before
	Moves     []Move
	Conflicts []merge.Conflict
	Warnings  []string
	Twins     []Twin // that may be
}

// A Move is a state that an item is to get.
type Move struct{ ID, State string }

// A pair is an item and its issue.
type pair struct {
	item  plan.Record // with the number
	isNew bool
	Issue
}

// Merge merges issues into the items of a plan.
func (m Merger) Merge(p *plan.Plan, issues []Issue) (Merged, error) {
	var out Merged
	items := p.Of(plan.KindItem)
	pairs := m.match(items, issues, &out)
	ids := Numbers(items)
	for _, it := range pairs {
		ids[it.Number] = it.item.ID()
	}
	versions := map[string][3]plan.Record{}
	for _, it := range pairs {
		if IsOld(it.item, it.Issue) {
			continue
		}
		was, ours, theirs := m.versions(it, ids, &out)
		versions[ours.ID()] = [3]plan.Record{was, ours, theirs}
	}
	withoutCircles(items, pairs, versions, &out)
	var added []plan.Record
	for _, it := range pairs {
		if v, found := versions[it.item.ID()]; found && it.isNew {
			added = append(added, v[2])
		}
	}
	merged, err := mergeVersions(items, versions, added)
	if err != nil {
		return out, err
	}
	out.Conflicts = merged.Conflicts
	return out, m.collect(items, merged.Data, &out)
}

// Numbers returns the ids of items by their numbers, of several with one that of the first.
func Numbers(items []plan.Record) map[int]string {
	ids := map[int]string{}
	for i := range items {
		if n := items[i].Number(); n > 0 && ids[n] == "" {
			ids[n] = items[i].ID()
		}
	}
	return ids
}

// match finds the item of each issue, and makes those that are to be new.
func (m Merger) match(items []plan.Record, issues []Issue, out *Merged) (pairs []pair) {
	numbers, byID := Numbers(items), map[string]plan.Record{}
	for _, item := range items {
		byID[item.ID()] = item
	}
	taken := map[string]int{}
	sorted := slices.Clone(issues)
	slices.SortFunc(sorted, func(a, b Issue) int { return a.Number - b.Number }) // of two issues for an item the first one counts
	for _, i := range sorted {
		id, created, marked := i.markedItem()
		item, found := byID[numbers[i.Number]]
		if !found && marked {
			item, found = byID[id]
		}
		first := taken[id]
		if n := item.Number(); first == 0 && item.ID() == id && n > 0 && (n < i.Number || n > i.Number && i.Closed && i.NotPlanned) {
			first = n
		}
		if marked && first > 0 && (!found || item.ID() == id) {
			out.Twins = append(out.Twins, Twin{i, id, first})
			continue
		}
		switch {
		case found:
			if n := item.Number(); n > 0 && n != i.Number {
				item = withoutIssue(item)
			}
			item = with(item, jsonl.Member{Name: "number", Value: jsonl.Value(fmt.Sprint(i.Number))})
		case m.Named[i.Number] || m.Add && !i.Closed && !slices.Contains(i.Labels, m.But) || marked:
			if item = m.newItem(i, id, created, marked); taken[item.ID()] > 0 || byID[item.ID()].ID() != "" {
				out.Warnings = append(out.Warnings, fmt.Sprintf("issue #%d stays out: %s is the id of another item", i.Number, item.ID()))
				continue
			}
		default:
			continue
		}
		taken[item.ID()] = i.Number
		pairs = append(pairs, pair{item, !found, i})
	}
	return pairs
}

// newItem makes the item of an issue. Id and time of creation follow from the issue, so that two clones make the same item. An issue that
// another clone made for an item of its own has those of that item.
func (m Merger) newItem(i Issue, id, created string, marked bool) plan.Record {
	if !marked {
		id, created = fmt.Sprintf("w-gh%d", i.Number), i.Created
	}
	if at, err := time.Parse(time.RFC3339, created); err == nil {
		created = plan.FormatTime(at)
	}
	return plan.MakeRecord(plan.KindItem, []jsonl.Member{
		jsonl.TextMember("t", string(plan.KindItem)), jsonl.TextMember("id", id),
		{Name: "number", Value: jsonl.Value(fmt.Sprint(i.Number))},
		jsonl.TextMember("name", titleOf(i)),
		jsonl.TextMember("created_at", created),
	})
}

func titleOf(i Issue) string {
	if title := strings.TrimSpace(i.Title); title != "" {
		return i.Title
	}
	return fmt.Sprintf("#%d", i.Number)
}

// versions returns the item as both sides had it, as the plan has it, and as the issue has it. They differ in nothing but what is merged by field.
func (m Merger) versions(it pair, ids map[int]string, out *Merged) (was, ours, theirs plan.Record) {
	agreed, item := baseOf(it.item), it.item
	now := m.read(it, agreed, ids)
	b := agreed.after(m.Sending[item.ID()], now)
	desc, _ := it.text()
	state := now.state
	if !it.isNew {
		state = m.acceptable(it, b, now.state, out)
	} else if state == "" {
		state = pipeline.Backlog
	}
	assignee := strings.Join(union(assignees(b.assignee), assignees(assigneeOf(item)), assignees(now.assignee)), ", ")
	item = withMeta(item, jsonl.TextMember(metaAssignee, assignee))
	item = with(item, jsonl.TextMember("url", it.URL))
	if item = readArtifacts(m.Repository, item, it.Issue, b); !agreed.same(now) {
		item = withMeta(item, jsonl.Member{Name: metaBase, Value: now.value()})
	}
	wasDesc := m.baseText(b, item.Text("desc"), desc)
	was, ours = with(item, b.fields(wasDesc)...), item
	shown := now
	shown.state = state
	theirs = with(item, shown.fields(desc)...)
	if !b.there { // what one side does not have, both had not
		was = with(item, base{}.fields("")...)
	}
	return was, ours, theirs
}

// read returns what an issue has, in the form of a base.
func (m Merger) read(it pair, b base, ids map[int]string) base {
	desc, _ := it.text()
	now := base{
		true, it.Updated, titleOf(it.Issue), Hash(desc), m.state(it.Issue), m.estimate(it.Issue), ids[it.Parent],
		nil, m.labels(it.Issue), strings.Join(it.Assignees, ", "), postedOf(it.Issue, b),
	}
	if now.state == "" && b.there {
		now.state = b.state
	}
	if it.Parent != 0 && now.parent == "" {
		now.parent = b.parent // an issue that is no item
	}
	for _, n := range it.BlockedBy {
		if id := ids[n]; id != "" && id != it.item.ID() {
			now.blockedBy = append(now.blockedBy, id)
		}
	}
	if it.Partial {
		now.blockedBy = union(nil, now.blockedBy, b.blockedBy)
	}
	slices.Sort(now.blockedBy)
	return now
}

// same reports whether two bases agree on all but the time.
func (b base) same(other base) bool {
	b.at = other.at
	return b.there == other.there && b.value() == other.value()
}

// acceptable returns the state that an issue's side of the merge has. An item that is done stays so, and one that would go back goes back only where the
// pipeline allows that.
func (m Merger) acceptable(it pair, b base, theirs string, out *Merged) string {
	ours := it.item.Text("state")
	switch {
	case theirs == "" || theirs == ours || theirs == b.state:
		if theirs == "" {
			return ours
		}
		return theirs
	case pipeline.Final(ours) && !pipeline.Final(theirs):
		if pipeline.Final(b.state) {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s is %s at GitHub, and stays %s in the plan", it.item.ItemLabel(), theirs, ours))
		}
		return ours
	case pipeline.Final(theirs), plan.ItemStateRank(theirs) > plan.ItemStateRank(ours), pipeline.CheckMove(ours, theirs) == nil:
		return theirs
	}
	if ours == b.state {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s stays %s: the pipeline does not let it go back to %s", it.item.ItemLabel(), ours, theirs))
	}
	return ours
}

// baseText returns the description that both sides had, "" where that is not known.
func (m Merger) baseText(b base, ours, theirs string) string {
	for _, text := range []string{ours, theirs} {
		if b.text == Hash(text) {
			return text
		}
	}
	if m.Text == nil {
		return ""
	}
	text, _ := m.Text(b.text)
	return text
}

// collect finds what the merge changed.
func (m Merger) collect(items []plan.Record, data []byte, out *Merged) error {
	after, problems := plan.DecodeBytes(data)
	if len(problems) > 0 {
		return &plan.InvalidError{File: "the items of GitHub", Problems: problems}
	}
	before := map[string]plan.Record{}
	for _, item := range items {
		before[item.ID()] = item
	}
	for _, item := range after.Of(plan.KindItem) {
		old, found := before[item.ID()]
		if !found {
			out.Items = append(out.Items, item)
			continue
		}
		if state := item.Text("state"); state != old.Text("state") {
			out.Moves = append(out.Moves, Move{item.ID(), state})
			item = with(item, jsonl.TextMember("state", old.Text("state")))
		}
		if item.JSON() != old.JSON() {
			out.Items = append(out.Items, item)
		}
	}
	return nil
}

// MadeFor returns the issues that were made for some items.
func MadeFor(issues []Issue, items []plan.Record) []Issue {
	return slices.DeleteFunc(slices.Clone(issues), func(i Issue) bool {
		id, _, marked := i.markedItem()
		return !marked || !slices.ContainsFunc(items, func(item plan.Record) bool { return item.ID() == id })
	})
}
