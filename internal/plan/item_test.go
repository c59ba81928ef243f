package plan

import (
	"slices"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
)

var itemTime = time.Date(2026, 3, 4, 5, 6, 7, 8_000_000, time.UTC)

// Items need no spec. Those of one batch may name each other.
func TestAddItems(t *testing.T) {
	p := read(t, itemLine("w-old", `"number": 7`))
	c, err := p.AddItems(objects(t,
		`{"name": " One ", "number": 42, "estimate": "S", "z": 1.0}`,
		`{"id": "w-mine", "name": "Two", "state": "Ready for Plan", "parent": "GH-7", "blocked_by": ["w-o", "three"]}`,
		`{"id": "three", "name": "Three", "parent": "w-mine"}`,
	), testStamp())
	if err != nil {
		t.Fatal(err)
	}
	expect(
		t, p,
		`{"t": "item", "id": "w-0123", "number": 42, "name": "One", "state": "Backlog", "estimate": "S", "created_at": "`+now+`", "z": 1.0}`,
		`{"t": "item", "id": "w-4567", "name": "Three", "state": "Backlog", "parent": "w-mine", "created_at": "2026-03-04T05:06:07.010Z"}`,
		`{"t": "item", "id": "w-mine", "name": "Two", "state": "Ready for Plan", "parent": "w-old", "blocked_by": ["w-old", "w-4567"], "created_at": "2026-03-04T05:06:07.009Z"}`,
		itemLine("w-old", `"number": 7`),
	)
	if got, want := eventsText(c), `item-added w-0123 {"name": "One"}; item-added w-mine {"name": "Two"}; item-added w-4567 {"name": "Three"}`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}

func TestItemsThatAreRefused(t *testing.T) {
	p := read(t, itemLine("w-a", `"number": 7`, `"state": "Backlog"`), itemLine("w-b", `"parent": "w-a"`, `"blocked_by": ["w-a"]`))
	for input, want := range map[string]string{
		`{}`:                                  `field "name" is missing`,
		`{"name": "A", "state": "Someday"}`:   `field "state" is "Someday", expected one of Backlog, Research Needed, Research in Progress, Ready for Plan, Plan in Progress, Plan in Review, In Progress, In Review, Done, Canceled, Human Needed`,
		`{"name": "A", "estimate": "huge"}`:   `field "estimate" is "huge", expected one of XS, S, M, L, XL`,
		`{"name": "A", "number": 1.5}`:        `field "number" is 1.5, expected a whole number from 1`,
		`{"name": "A", "number": "7"}`:        `field "number" is a string, expected a number`,
		`{"name": "A", "number": 7}`:          `field "number" is 7, which is the number of w-a`,
		`{"name": "A", "parent": "w-z"}`:      `field "parent" names "w-z": no such item in the plan`,
		`{"name": "A", "blocked_by": ["42"]}`: `field "blocked_by" names "42": no such item in the plan`,
	} {
		refuses(t, p, func() (Change, error) { return p.AddItems(objects(t, input), testStamp()) }, want)
	}
	for _, m := range []struct{ name, value, want string }{
		{"parent", `"w-b"`, `field "parent" would make the item its own ancestor`},
		{"parent", `"w-a"`, `field "parent" names the item itself`},
		{"parent", `"GH-8"`, `field "parent" names "GH-8": no such item in the plan`},
		{"blocked_by", `["w-b"]`, `items would wait for each other: w-a -> w-b -> w-a`},
		{"state", `"Done"`, "field \"state\" cannot be edited; use `item move`"},
		{"name", "", `field "name" cannot be empty`},
	} {
		refuses(t, p, func() (Change, error) {
			return p.EditItem("w-a", []jsonl.Member{{Name: m.name, Value: jsonl.Value(m.value)}}, nil)
		}, m.want)
	}
}

// The reason why a person is needed stays in the item, where whoever answers finds it.
func TestMoveItem(t *testing.T) {
	p := read(t, itemLine("w-a", `"state": "In Progress"`, `"meta": {"k": 1.0}`))
	c, err := p.MoveItem("w-a", StateHumanNeeded, "which one?", itemTime)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p, itemLine("w-a", `"state": "Human Needed"`, `"meta": {"k": 1.0, "escalation": {"reason": "which one?", "from": "In Progress", "at": "`+now+`"}}`))
	if got, want := eventsText(c), `item-moved w-a {"from": "In Progress", "to": "Human Needed", "reason": "which one?"}`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	before := read(t, itemLine("w-a", `"state": "In Progress"`, `"meta": {"k": 1.0}`))
	if got := eventsText(Change{Events: Events(before, p)}); got != `item-moved w-a {"from": "In Progress", "to": "Human Needed"}` {
		t.Errorf("events between the plans: %s", got)
	}
	refuses(t, p, func() (Change, error) { return p.MoveItem("w-a", StateHumanNeeded, "", itemTime) }, "w-a already has that value")
	refuses(t, p, func() (Change, error) { return p.MoveItem("w-x", "Done", "", itemTime) }, "no such item in the plan: w-x")
}

// An item is named by its id, the beginning of one, or its number.
func TestResolveItem(t *testing.T) {
	p := read(t, itemLine("w-42", `"number": 1`), itemLine("w-ab", `"number": 42`), itemLine("w-ac", `"number": 42.0`), taskLine("t-a"))
	for name, want := range map[string]string{
		"w-42": "w-42", "w-4": "w-42", "1": "w-42", "#1": "w-42", "GH-1": "w-42", "gh-1": "w-42",
		"42": `"42" is the number of more than one item: w-ab, w-ac`, "w-a": `"w-a" is the beginning of more than one id: w-ab, w-ac`, "GH-2": "no such item in the plan: GH-2", "t-a": "no such item in the plan: t-a",
		"+1": "no such item in the plan: +1", "0": "no such item in the plan: 0",
	} {
		got, err := p.ResolveID(KindItem, name)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// Items are not work to schedule: they block no task, and nothing waits for them.
func TestItemsDoNotBlockTasks(t *testing.T) {
	p := read(t, itemLine("w-a"), taskLine("t-a", `"deps": ["w-a"]`))
	task, _ := p.Task("t-a")
	if waits := p.BlockedBy(task); len(waits) > 0 {
		t.Errorf("waits for %v", waits)
	}
	if gone := p.DanglingDeps(task); !slices.Equal(gone, []string{"w-a"}) {
		t.Errorf("dangling: %v", gone)
	}
}

// A task of an item needs no spec, neither its own nor a current one.
func TestTaskOfItemNeedsNoSpec(t *testing.T) {
	p := new(Plan)
	if _, err := p.AddTasks(objects(t, `{"name": "Research GH-42", "meta": {"issue_number": 42}}`), testStamp()); err != nil {
		t.Fatal(err)
	}
	expect(t, p, `{"t": "task", "id": "t-0123", "name": "Research GH-42", "s": "p", "created_at": "`+now+`", "meta": {"issue_number": 42}}`)
	if faults := Check(p, false); len(faults) > 0 {
		t.Error(faults)
	}
}
