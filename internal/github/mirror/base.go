package mirror

import (
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/sha256"
)

// The members of an item's "meta" that are about its issue.
const (
	metaAssignee = "assignee" // logins, with commas between them
	metaBase     = "github"   // what both sides agreed on when the issue was last read or sent
)

// A base is what an item and its issue agreed on. It is in the plan, so every clone has it, and merges of plans keep the newer one.
type base struct {
	there     bool
	at        string // when the issue had been changed last, by GitHub's clock
	name      string
	text      string // the hash of the description
	state     string
	estimate  string
	parent    string
	blockedBy []string
	labels    []string
	assignee  string
	posted    []string // documents, as "phase path", and escalations
}

func baseOf(item plan.Record) base {
	v, found := item.Meta().Get(metaBase)
	o, err := jsonl.ParseObject(string(v))
	if !found || err != nil {
		return base{}
	}
	text := func(name string) string { v, _ := o.Get(name); s, _ := v.Str(); return s }
	texts := func(name string) []string { v, _ := o.Get(name); s, _ := v.Strings(); return s }
	return base{
		true, text("at"), text("name"), text("desc"), text("state"), text("estimate"), text("parent"), texts("blocked_by"), texts("labels"),
		text("assignee"), texts("posted"),
	}
}

func (b base) value() jsonl.Value {
	return jsonl.Value(jsonl.Build(setAll(nil, []jsonl.Member{
		jsonl.TextMember("at", b.at), jsonl.TextMember("name", b.name), jsonl.TextMember("desc", b.text), jsonl.TextMember("state", b.state), jsonl.TextMember("estimate", b.estimate),
		jsonl.TextMember("parent", b.parent), jsonl.ListMember("blocked_by", b.blockedBy), jsonl.ListMember("labels", b.labels), jsonl.TextMember("assignee", b.assignee),
		jsonl.ListMember("posted", b.posted),
	})).Text())
}

// Hash returns what a base has of a description.
func Hash(desc string) string {
	if desc == "" {
		return ""
	}
	return sha256.Hex(desc)[:32]
}

// with returns an item with fields set; empty ones are removed.
func with(item plan.Record, changes ...jsonl.Member) plan.Record {
	return plan.MakeRecord(plan.KindItem, setAll(item.Object().Members(), changes))
}

func setAll(members []jsonl.Member, changes []jsonl.Member) []jsonl.Member {
	members = slices.Clone(members)
	for _, c := range changes {
		at := slices.IndexFunc(members, func(m jsonl.Member) bool { return m.Name == c.Name })
		switch {
		case at >= 0 && c.Value == "":
			members = slices.Delete(members, at, at+1)
		case at >= 0:
			members[at] = c
		case c.Value != "":
			members = append(members, c)
		}
	}
	return members
}

func withMeta(item plan.Record, changes ...jsonl.Member) plan.Record {
	members := setAll(item.Meta().Members(), changes)
	if len(members) == 0 {
		return with(item, jsonl.Member{Name: "meta"})
	}
	return with(item, jsonl.Member{Name: "meta", Value: jsonl.Value(jsonl.Build(members).Text())})
}

// assignees returns the logins that a text names.
func assignees(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == '@' })
}

func assigneeOf(item plan.Record) string {
	v, _ := item.Meta().Get(metaAssignee)
	text, _ := v.Str()
	return text
}

// fields returns what a base has, as fields of an item.
func (b base) fields(desc string) []jsonl.Member {
	return []jsonl.Member{
		jsonl.TextMember("name", b.name), jsonl.TextMember("desc", desc), jsonl.TextMember("state", b.state), jsonl.TextMember("estimate", b.estimate), jsonl.TextMember("parent", b.parent),
		jsonl.ListMember("blocked_by", b.blockedBy), jsonl.ListMember("labels", b.labels),
	}
}

// union is a three-way merge of sets.
func union(was, ours, theirs []string) (all []string) {
	for _, v := range append(slices.Clone(ours), theirs...) {
		kept := !slices.Contains(was, v) || slices.Contains(ours, v) && slices.Contains(theirs, v)
		if kept && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

func joined(logins []string) string { return strings.Join(logins, ", ") }

func itoa(n int) string { return strconv.Itoa(n) }
