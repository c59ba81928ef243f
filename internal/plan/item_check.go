package plan

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// checkItemValue checks the value of an item's field, as far as the plan does not matter.
func (in input) checkItemValue(m jsonl.Member) error {
	text, _ := m.Value.Str()
	switch {
	case m.Name == "state" && text != "" && ItemStateRank(text) == 0:
		return in.wrong("state", fmt.Sprintf("is %q, expected one of %s", text, strings.Join(itemStates[:], ", ")))
	case m.Name == "estimate" && text != "" && !slices.Contains(estimates[:], text):
		return in.wrong("estimate", fmt.Sprintf("is %q, expected one of %s", text, strings.Join(estimates[:], ", ")))
	case m.Name == "number" && m.Value.Kind() == jsonl.Number && !isItemNumber(m.Value):
		return in.wrong("number", fmt.Sprintf("is %s, expected a whole number from 1", m.Value))
	}
	return nil
}

func isItemNumber(v jsonl.Value) bool {
	r := MakeRecord(KindItem, []jsonl.Member{{Name: "number", Value: v}})
	return r.Number() > 0
}

// checkItemField checks a field that an item of the plan is to get.
func (p *Plan) checkItemField(item Record, m jsonl.Member) error {
	in, changed := input{kind: KindItem, id: item.ID()}, item.with(m)
	if m.Name == "number" {
		return in.checkItemNumber(changed, p.itemNumbers())
	}
	if m.Name != "parent" {
		return nil
	}
	parents, parent := p.parents(), changed.Text("parent")
	if _, found := parents[parent]; !found && parent != "" && parent != item.Text("parent") {
		return in.wrong("parent", fmt.Sprintf("names %q: no such item in the plan", parent))
	}
	parents[item.ID()] = parent
	return checkAncestors(parents, in)
}

// itemNumbers returns the ids of items by their numbers, of several with one number that of the first.
func (p *Plan) itemNumbers() map[int]string {
	ids := map[int]string{}
	for i := range p.records {
		if r := &p.records[i]; r.kind == KindItem && ids[r.Number()] == "" {
			ids[r.Number()] = r.ID()
		}
	}
	return ids
}

// checkItemNumber refuses a number that another item has.
func (in input) checkItemNumber(item Record, numbers map[int]string) error {
	number := item.Number()
	if id := numbers[number]; number > 0 && id != "" && id != item.ID() {
		return in.wrong("number", fmt.Sprintf("is %d, which is the number of %s", number, id))
	}
	return nil
}

// parents returns the parent of each item, by id.
func (p *Plan) parents() map[string]string {
	parents := map[string]string{}
	for i := range p.records {
		if r := &p.records[i]; r.kind == KindItem {
			parents[r.ID()] = r.Text("parent")
		}
	}
	return parents
}

// checkAncestors refuses items of which one is above itself.
func checkAncestors(parents map[string]string, items ...input) error {
	circles := OwnAncestors(parents)
	for _, in := range items {
		if circles[in.id] {
			return in.wrong("parent", "would make the item its own ancestor")
		}
	}
	return nil
}

// An itemChecker knows what the items of a plan have in common.
type itemChecker struct {
	numbers map[int]string // the first item of each number
	parents map[string]string
	circles map[string]bool // items that are their own ancestors
}

func (c *checker) itemChecker() *itemChecker {
	if c.items == nil {
		parents := c.plan.parents()
		c.items = &itemChecker{map[int]string{}, parents, OwnAncestors(parents)}
	}
	return c.items
}

// OwnAncestors returns the items that are above themselves, of items with their parents. A merge can make such a circle of two valid plans.
func OwnAncestors(parents map[string]string) map[string]bool {
	found, walks := map[string]bool{}, map[string]string{} // each item belongs to the walk that came first to it
	for start := range parents {
		at := start
		for ; at != "" && walks[at] == ""; at = parents[at] {
			walks[at] = start
		}
		if at == "" || walks[at] != start {
			continue
		}
		for ; !found[at]; at = parents[at] {
			found[at] = true
		}
	}
	return found
}

// item checks an item. What two valid plans can become in a merge is a warning.
func (c *checker) item(r Record) {
	c.require(r, "id", "name")
	c.id(r)
	c.values(r)
	state := r.Text("state")
	if state != "" && ItemStateRank(state) == 0 {
		c.value(r, "state", Error, oneOf(itemStates[:]))
	}
	if estimate := r.Text("estimate"); estimate != "" && !slices.Contains(estimates[:], estimate) {
		c.value(r, "estimate", Warning, oneOf(estimates[:]))
	}
	c.itemNumber(r)
	c.itemLinks(r)
}

func oneOf(words []string) string {
	return `"` + strings.Join(words[:len(words)-1], `", "`) + `" or "` + words[len(words)-1] + `"`
}

func (c *checker) itemNumber(r Record) {
	items, v := c.itemChecker(), jsonl.Value("")
	if v, _ = r.Get("number"); v == "" || v.Kind() == jsonl.Null {
		return
	}
	number := r.Number()
	first, again := items.numbers[number]
	switch {
	case number == 0:
		c.report(r, "number", Problem{
			Severity: Error, Code: CodeUnknownValue, Message: fmt.Sprintf("field %q is %s", "number", v), Expected: "a whole number from 1",
		})
	case again:
		c.report(r, "number", Problem{
			Severity: Warning, Code: CodeDuplicateNumber, Message: fmt.Sprintf("%s has the number %d too", first, number),
			Expected: "one item for each number", Hint: "`git ralph item edit` changes the number of one",
		})
	default:
		items.numbers[number] = r.ID()
	}
}

// itemLinks warns of items that are not in the plan, and of items above themselves.
func (c *checker) itemLinks(r Record) {
	items := c.itemChecker()
	if parent := r.Text("parent"); parent != "" {
		if _, found := items.parents[parent]; !found {
			c.report(r, "parent", Problem{
				Severity: Warning, Code: CodeDanglingDependency, Dep: parent, Message: fmt.Sprintf("is part of %s, which is not in the plan", parent),
			})
		}
	}
	if items.circles[r.ID()] {
		c.report(r, "parent", Problem{Severity: Warning, Code: CodeParentCycle, Message: "the item is its own ancestor", Hint: "`git ralph item edit` changes its parent"})
	}
	for _, id := range r.Texts("blocked_by") {
		if _, found := items.parents[id]; !found {
			c.report(r, "blocked_by", Problem{
				Severity: Warning, Code: CodeDanglingDependency, Dep: id, Message: fmt.Sprintf("is blocked by %s, which is not in the plan", id),
				Hint: "it does not block the item",
			})
		}
	}
}
