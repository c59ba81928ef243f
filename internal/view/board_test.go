package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"git-ralph/internal/claim"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// dataOf returns data of a plan, as they are before the history is read.
func dataOf(t interface{ Fatalf(string, ...any) }, lines ...string) *Data {
	p, problems := plan.Decode(strings.Join(lines, "\n") + "\n")
	if len(problems) > 0 {
		t.Fatalf("%v", problems)
	}
	return &Data{Moment: time.Unix(1_800_000_000, 0).UTC(), Plan: p, Schedule: schedule.Of(p)}
}

// held returns a claim of a worker.
func held(id, worker string, state claim.State) claim.Held {
	return claim.Held{ID: id, Object: "1", Claim: claim.Claim{ID: id, Worker: worker, State: state, At: "2026-01-31T12:00:00Z"}}
}

// columns lists a board: "ready: t-a t-b".
func columns(b Board) (all []string) {
	for _, c := range b.Columns {
		text := string(c.Status) + ":"
		for _, card := range c.Cards {
			text += " " + card.ID()
		}
		all = append(all, text)
	}
	return all
}

const spec = `{"t": "spec", "spec": "a.md"}`

func task(id, more string) string {
	return fmt.Sprintf(`{"t": "task", "id": %q, "spec": "a.md", "name": "Name of %s"%s}`, id, id, more)
}

// TestColumns: each record is where people look for it.
func TestColumns(t *testing.T) {
	d := dataOf(t, spec,
		task("t-ready", `, "s": "p", "priority": "low"`), task("t-first", `, "s": "p", "priority": "high"`),
		task("t-waits", `, "s": "p", "deps": ["t-ready", "t-gone"]`), task("t-issue", `, "s": "p", "deps": ["i-open"]`),
		task("t-work", `, "s": "p"`), task("t-lands", `, "s": "p"`), task("t-dead", `, "s": "p"`), task("t-odd", `, "s": "x"`),
		task("t-done", `, "s": "d", "done_at": "123456789abc"`), task("t-land", `, "s": "d", "done_at": "123456789abc"`),
		task("t-no", `, "s": "d", "done_at": "123456789abc"`),
		`{"t": "reject", "id": "t-ready", "done_at": "123456789abc", "reason": "no"}`, `{"t": "reject", "id": "t-ready", "done_at": "123456789abd", "reason": "no"}`,
		`{"t": "issue", "id": "i-open", "spec": "a.md", "desc": "Why?", "conflict": {"desc": ["a", "b"]}}`,
		`{"t": "item", "id": "w-new", "number": 7, "name": "New", "state": "Backlog"}`, `{"t": "item", "id": "w-waits", "name": "Waits", "state": "Backlog", "blocked_by": ["w-new"]}`,
		`{"t": "item", "id": "w-free", "name": "Free", "state": "Backlog", "blocked_by": ["w-end"]}`,
		`{"t": "item", "id": "w-ask", "name": "Ask", "state": "Human Needed"}`, `{"t": "item", "id": "w-end", "name": "End", "state": "Done"}`,
		`{"t": "item", "id": "w-no", "name": "No", "state": "Canceled"}`, `{"t": "other", "id": "x"}`,
	)
	d.Claims = map[string]claim.Held{"t-work": held("t-work", "ann", claim.Working), "t-lands": held("t-lands", "bo", claim.Landing), "t-dead": held("t-dead", "bo", claim.Working)}
	d.Abandoned = map[string]bool{"t-dead": true}
	d.Landed = map[string]landed.Verdict{"t-land": landed.Yes, "t-done": landed.Unknown, "t-no": landed.No}
	d.Schedule = d.Schedule.With(schedule.Claims{Others: map[string]bool{"t-work": true, "t-lands": true}})
	b := d.Board()
	want := []string{
		"ready: t-first t-ready t-dead i-open w-free w-new", "blocked: t-waits t-issue t-odd w-ask w-waits", "claimed: t-work t-lands", "done: t-done t-no", "landed: t-land",
		"accepted:",
	}
	for i, column := range columns(b) {
		if sorted(column) != sorted(want[i]) {
			t.Errorf("%s\nwant %s", column, want[i])
		}
	}
	cards := map[string]*Card{}
	for _, c := range b.Columns {
		for _, card := range c.Cards {
			cards[card.ID()] = card
		}
	}
	if c := cards["t-ready"]; c.Rejected != 2 || c.Holder != "" {
		t.Errorf("%+v", c)
	}
	if c := cards["t-waits"]; !slices.Equal(c.BlockedBy, []string{"t-ready"}) {
		t.Errorf("%+v", c)
	}
	if c := cards["t-lands"]; c.Holder != "bo" || !c.Landing || c.Since.IsZero() {
		t.Errorf("%+v", c)
	}
	for id, person := range map[string]bool{"i-open": true, "t-odd": true, "w-ask": true, "t-done": false, "w-new": false} {
		if cards[id].Person != person {
			t.Errorf("%s: a person is needed: %t; want %t", id, cards[id].Person, person)
		}
	}
	if c := cards["w-new"]; c.Item != "GH-7" || c.State != "Backlog" {
		t.Errorf("%+v", c)
	}
}

// sorted returns a column with its cards by id: the order of work is schedule's.
func sorted(column string) string {
	words := strings.Fields(column)
	slices.Sort(words[1:])
	return strings.Join(words, " ")
}

// TestOrderOfWork: the first card of the column is what query next returns.
func TestOrderOfWork(t *testing.T) {
	d := dataOf(t, spec, task("t-low1", `, "s": "p", "priority": "low"`), task("t-high", `, "s": "p", "priority": "high"`), task("t-mid1", `, "s": "p", "priority": "medium"`))
	b := d.Board()
	if got := columns(b)[0]; got != "ready: t-high t-mid1 t-low1" || d.Schedule.Next().Item.ID() != "t-high" {
		t.Error(got)
	}
}

// plans draws plans with any states, dependencies, claims and texts.
func plans(t *rapid.T) *Data {
	lines := []string{spec}
	n := rapid.IntRange(0, 12).Draw(t, "tasks")
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("t-%04d", i)
	}
	words := []string{"parser", "Ä\\u00d6", "ΣΑΣ", "x\\ty", "漢字", "<b>", "KK"}
	claims := map[string]claim.Held{}
	for i, id := range ids {
		state := rapid.SampledFrom([]string{`"p"`, `"p"`, `"d"`, `"z"`, `null`}).Draw(t, "state")
		var deps []string
		for range rapid.IntRange(0, 2).Draw(t, "deps") {
			if i > 0 {
				deps = append(deps, `"`+ids[rapid.IntRange(0, i-1).Draw(t, "dep")]+`"`)
			}
		}
		more := fmt.Sprintf(`, "s": %s, "deps": [%s], "notes": "%s %s"`, state, strings.Join(slices.Compact(deps), ", "), rapid.SampledFrom(words).Draw(t, "a"), rapid.SampledFrom(words).Draw(t, "b"))
		if state == `"d"` {
			more += `, "done_at": "123456789abc"`
		}
		lines = append(lines, task(id, more))
		if rapid.IntRange(0, 3).Draw(t, "claimed") == 0 {
			claims[id] = held(id, rapid.SampledFrom([]string{"ann", "bo"}).Draw(t, "worker"), claim.Working)
		}
	}
	d := dataOf(t, lines...)
	d.Claims = claims
	return d
}

// TestEachOnce: each task is in one column of the board, and in the one that its schedule says.
func TestEachOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := plans(t)
		b := d.Board()
		if n := len(d.Plan.Of(plan.KindTask)); b.Len() != n {
			t.Fatalf("%d cards of %d tasks", b.Len(), n)
		}
		for _, c := range b.Columns {
			for _, card := range c.Cards {
				_, claimed := d.Claims[card.ID()]
				want := Ready
				switch {
				case card.Done():
					want = Done
				case !card.Pending():
					want = Blocked
				case claimed:
					want = Claimed
				case len(d.Plan.BlockedBy(*card.Record)) > 0:
					want = Blocked
				}
				if card.Status != c.Status || c.Status != want {
					t.Fatalf("%s is %s in %s; want %s", card.ID(), card.Status, c.Status, want)
				}
			}
		}
	})
}

// TestFilterDivides: a condition and its negation divide a board into two, and a word matches what a search of all texts finds.
func TestFilterDivides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := plans(t).Board()
		word := rapid.SampledFrom([]string{"parser", "PARSER", "ö", "Ä", "σας", "漢", "<b>", "k", "t-0001", "name of", "ann", "status:ready", "status:b", "worker:bo", "id:t-000", "has:claim", "kind:task", "kind:item", "nothing:there"}).Draw(t, "word")
		text := word
		if strings.Contains(word, " ") {
			text = `"` + word + `"`
		}
		with, without := b.Filter(ParseFilter(text)), b.Filter(ParseFilter("-"+text))
		if with.Len()+without.Len() != b.Len() {
			t.Fatalf("%q: %d and %d of %d", text, with.Len(), without.Len(), b.Len())
		}
		if strings.Contains(word, ":") {
			return
		}
		for _, c := range b.Columns {
			for _, card := range c.Cards {
				want := card.ContainsText(word) || strings.Contains(card.Holder, word)
				if got := ParseFilter(text).Matches(card); got != want {
					t.Fatalf("%q matches %s of %q: %t", text, card.JSON(), card.Holder, got)
				}
			}
		}
	})
}

// TestFilterFields: fields, quotes and alternatives.
func TestFilterFields(t *testing.T) {
	d := dataOf(t, spec,
		task("t-aaaa", `, "s": "p", "priority": "high", "labels": ["UI"], "notes": "a: b"`), task("t-bbbb", `, "s": "p", "role": "validator", "check": "true"`),
		`{"t": "issue", "id": "i-cccc", "spec": "b c.md", "desc": "see https://example.org"}`, `{"t": "item", "id": "w-dddd", "number": 42, "name": "D", "state": "Backlog"}`,
	)
	d.Claims = map[string]claim.Held{"t-bbbb": held("t-bbbb", "Ann", claim.Working)}
	all := d.Cards()
	for text, want := range map[string]string{
		"":                              "t-aaaa t-bbbb i-cccc w-dddd",
		"kind:issue":                    "i-cccc",
		"kind:issue kind:item":          "i-cccc w-dddd",
		"status:claimed status:blocked": "t-bbbb",
		"priority:HIGH":                 "t-aaaa",
		"label:ui":                      "t-aaaa",
		"role:validator":                "t-bbbb",
		"worker:ann":                    "t-bbbb",
		`spec:"b c"`:                    "i-cccc",
		`spec:"b c`:                     "i-cccc",
		"id:gh-42":                      "w-dddd",
		"item:GH-42":                    "w-dddd",
		"state:back":                    "w-dddd",
		"has:check":                     "t-bbbb",
		"has:nonsense":                  "",
		"https://example.org":           "i-cccc",
		"Name -role:validator":          "t-aaaa",
		`"a: b"`:                        "t-aaaa",
		"status:":                       "t-aaaa t-bbbb i-cccc w-dddd",
	} {
		var got []string
		for i := range all {
			if ParseFilter(text).Matches(&all[i]) {
				got = append(got, all[i].ID())
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q matches %v; want %s", text, got, want)
		}
	}
}

// TestFilterErr: a value that a field cannot have is named with those that it can; what can be anything, is not.
func TestFilterErr(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"word -spec:nosuch": "",
		"status:b -kind:ITEM state:back priority:High has:check status:lost": "",
		"status:ready status:bogus": `invalid status "bogus": want ready, blocked, claimed, done, landed, accepted, rejected, cancelled, decomposed, closed, removed, lost or unknown`,
		"-kind:t":                   `invalid kind "t": want task, issue or item`,
		"priority:zz":               `invalid priority "zz": want high, medium or low`,
		"has:q":                     `invalid has "q": want conflict, rejections, person, claim or check`,
		`state:"in no state"`:       `invalid state "in no state": want ` + strings.Join(plan.ItemStates()[:len(plan.ItemStates())-1], ", ") + " or " + plan.ItemStates()[len(plan.ItemStates())-1],
		"kind:":                     `kind: has no value: want task, issue or item`,
		`kind: ""`:                  `kind: has no value: want task, issue or item`,
		"spec: a":                   "spec: has no value",
	} {
		got := ""
		if err := ParseFilter(text).Err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}

// TestTaskLinks: a task shows what it waits for, and what waits for it, with their statuses.
func TestTaskLinks(t *testing.T) {
	d := dataOf(t, spec, task("t-aaaa", `, "s": "d", "done_at": "123456789abc"`), task("t-bbbb", `, "s": "p", "deps": ["t-aaaa", "t-gone"]`), task("t-cccc", `, "s": "p", "deps": ["t-bbbb"]`))
	d.Runs = []Run{{Name: "r", Iterations: []Iteration{
		{ID: "t-bbbb", Cost: 1, Took: time.Second}, {ID: "t-cccc", Cost: 2}, {Steps: []plan.Event{{ID: "t-bbbb"}}, Cost: 4},
	}}}
	got, ok := d.Task("t-bbbb")
	if !ok || !got.InPlan || got.Status != Ready || len(got.Fields) == 0 {
		t.Fatalf("%+v", got)
	}
	if want := []Link{{"t-aaaa", "Name of t-aaaa", Done}, {ID: "t-gone"}}; !slices.Equal(got.WaitsFor, want) {
		t.Errorf("%+v", got.WaitsFor)
	}
	if want := []Link{{"t-cccc", "Name of t-cccc", Blocked}}; !slices.Equal(got.NeededBy, want) {
		t.Errorf("%+v", got.NeededBy)
	}
	if len(got.Iterations) != 2 || got.Usage.Cost != 1 {
		t.Errorf("%+v", got.Usage)
	}
	if _, ok := d.Task("t-gone"); ok {
		t.Error("there is a task that nothing has")
	}
}
