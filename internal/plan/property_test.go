package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
)

// drawPlan draws the content of a valid plan: records of known and unknown
// kinds, with spellings, spacing and fields that are not ours.
func drawPlan(t *rapid.T) string {
	var lines []string
	if rapid.Bool().Draw(t, "spec") {
		lines = append(lines, drawRecord(t, `"t": "spec"`, `"spec": "a.md"`))
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "tasks") {
		lines = append(lines, drawTask(t, i))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "issues") {
		lines = append(lines, drawRecord(t, `"t": "issue"`, fmt.Sprintf(`"id": "i-%d"`, i), `"spec": "b.md"`, `"desc": "look\u0020here"`))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "items") {
		lines = append(lines, drawRecord(t, `"t": "item"`, fmt.Sprintf(`"id": "w-%d"`, i), `"name": "\u006e"`, rapid.SampledFrom([]string{
			`"state": "Backlog"`, `"st\u0061te": "Done"`, `"number": 1.0`, `"blocked_by": ["w-\u0030"]`, `"parent":"w-0"`, `"files": [ ]`,
		}).Draw(t, "item field")))
	}
	for range rapid.IntRange(0, 3).Draw(t, "others") {
		lines = append(lines, drawRecord(t, rapid.SampledFrom([]string{
			`"t": "reject", "id": "t-1", "done_at": "", "reason": "r"`, `"t": "accept", "id": "t-1"`, `"t": "stage"`, `"n": 1.0`, `"t": null`,
		}).Draw(t, "other")))
	}
	if rapid.Bool().Draw(t, "canonical") {
		p, _ := Decode(strings.Join(lines, "\n"))
		return strings.Join(linesOf(arranged(p.records)), "\n") + "\n"
	}
	lines = append(lines, rapid.SliceOfN(rapid.SampledFrom([]string{"", " ", "\t"}), 0, 2).Draw(t, "empty")...)
	lines = rapid.Permutation(lines).Draw(t, "order")
	end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
	return strings.Join(lines, end) + rapid.SampledFrom([]string{"", end}).Draw(t, "last ending")
}

func drawTask(t *rapid.T, i int) string {
	members := []string{`"t": "task"`, fmt.Sprintf(`"id": "t-%d"`, i), `"spec": "a.md"`, rapid.SampledFrom([]string{`"s":"p"`, `"s": "\u0070"`, `"s": "d", "done_at": "12"`, `"s": "a"`, `"s":null`}).Draw(t, "s")}
	members = append(members, rapid.SampledFrom([]string{`"name": "\u006e"`, `"desc":"old"`, `"n\u0061me" : "n"`}).Draw(t, "name"))
	var deps []string
	for j := range i {
		if rapid.IntRange(0, 3).Draw(t, "dep") == 0 {
			deps = append(deps, fmt.Sprintf(`"t-\u00%x"`, '0'+j))
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "gone") == 0 {
		deps = append(deps, rapid.SampledFrom([]string{`"t-gone"`, `"i-0"`}).Draw(t, "other dep"))
	}
	if len(deps) > 0 {
		members = append(members, `"deps": [`+strings.Join(deps, " ,")+`]`)
	}
	return drawRecord(t, members...)
}

// drawRecord adds members of no meaning to those of a record, and mixes them.
func drawRecord(t *rapid.T, members ...string) string {
	odd := []string{
		`"x": 1.0`, `"y":12345678901234567890`, `"z\u0031": {"b":[1 ,2],"a":null}`, `"notes": "\u00e9\/é"`, `"accept":null`,
		`"created_at": "2026-01-01T00:00:00.000Z"`, `"meta": {"k":1e5}`, `"conflict": {"name":["a","b"]}`, `"w" : "\ud83d\ude00"`,
	}
	members = append(members, rapid.SliceOfNDistinct(rapid.SampledFrom(odd), 0, 4, rapid.ID[string]).Draw(t, "odd")...)
	members = rapid.Permutation(members).Draw(t, "members")
	return "{" + strings.Join(members, rapid.SampledFrom([]string{", ", ",", " ,\t"}).Draw(t, "comma")) + "}"
}

func linesOf(records []Record) []string {
	lines := make([]string, len(records))
	for i, r := range records {
		lines[i] = r.JSON()
	}
	return lines
}

// What is read and not changed comes back byte for byte.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawPlan(t)
		p, problems := Decode(data)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", data, problems)
		}
		if got := string(p.Encode()); got != data {
			t.Fatalf("got %q, want %q", got, data)
		}
	})
}

// drawMutation draws a change to a plan. It may well be one that is refused.
func drawMutation(t *rapid.T) func(*Plan) (Change, error) {
	ids := func(prefix string) []string {
		return rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%s-%d", prefix, rapid.IntRange(0, 5).Draw(t, "id"))
		}), 1, 3, rapid.ID[string]).Draw(t, "ids")
	}
	id := ids("t")[0]
	added := objects(t, rapid.SliceOfN(rapid.SampledFrom([]string{
		`{"name":"new", "q":1.50, "deps":["t-0"]}`, `{"id": "label", "name": "l"}`, `{"name": "m", "deps": ["label"]}`,
		`{"name": "s", "supersedes": "t-1", "deps": ["t-2"]}`, `{}`, `{"spec": "c.md", "desc": "d", "x": 1.0}`,
	}), 1, 3).Draw(t, "given")...)
	stamp := testStamp()
	return rapid.SampledFrom([]func(*Plan) (Change, error){
		func(p *Plan) (Change, error) { return p.AddTasks(added, stamp) },
		func(p *Plan) (Change, error) {
			return p.Done(ids("t"), DoneOptions{Head: head, Force: len(added) > 1, Meta: []jsonl.Member{{Name: "m", Value: "1.0"}}[:len(added)%2]}, stamp)
		},
		func(p *Plan) (Change, error) { return p.Accept(ids("t")) },
		func(p *Plan) (Change, error) { return p.Reject(id, "why") },
		func(p *Plan) (Change, error) { return p.RejectAndReplace(id, "why", added[0], stamp) },
		func(p *Plan) (Change, error) { return p.Cancel(ids("t"), CancelMode(len(added)-1)) },
		func(p *Plan) (Change, error) { return p.Kill(id, "timeout", "1/2.log") },
		func(p *Plan) (Change, error) { return p.Decompose(id, added, stamp) },
		func(p *Plan) (Change, error) {
			return p.Edit(id, []jsonl.Member{{Name: "name", Value: `"edited"`}, {Name: "deps", Value: `["t-3", "i-0"]`}}[:len(added)%3], nil)
		},
		func(p *Plan) (Change, error) { return p.Edit(id, []jsonl.Member{{Name: "s", Value: `"p"`}}, nil) },
		func(p *Plan) (Change, error) {
			return p.AddIssues(objects(t, `{"desc": "d", "x":1.0}`, `{"desc": "e"}`), stamp)
		},
		func(p *Plan) (Change, error) { return p.CloseIssues(ids("i")) },
		func(p *Plan) (Change, error) { return p.IssuesIntoTasks(ids("i"), stamp) },
		func(p *Plan) (Change, error) {
			return p.AddItems(objects(t, `{"name": "d", "x":1.0, "blocked_by": ["w-0"]}`, `{"name": "e", "number": 5}`), stamp)
		},
		func(p *Plan) (Change, error) {
			return p.EditItem(ids("w")[0], []jsonl.Member{{Name: "blocked_by", Value: `["w-2"]`}, {Name: "parent", Value: `"w-1"`}, {Name: "name", Value: `"edited"`}}[len(added)-1:], nil)
		},
		func(p *Plan) (Change, error) {
			return p.MoveItem(ids("w")[0], itemStates[len(added)], "why", stamp.Now)
		},
		func(p *Plan) (Change, error) { return p.SetSpec([]string{"a.md", "z.md"}[len(added)%2]) },
	}).Draw(t, "mutation")
}

// A mutation changes what it says and nothing else; one that is refused
// changes nothing.
func TestMutationProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawPlan(t)
		p, _ := Decode(data)
		for range 3 {
			before := &Plan{mark: p.mark, records: slices.Clone(p.records)}
			c, err := drawMutation(t)(p)
			if err != nil {
				if string(p.Encode()) != string(before.Encode()) {
					t.Fatalf("%v, and yet the plan changed from\n%s\nto\n%s", err, before.Encode(), p.Encode())
				}
				continue
			}
			checkMutation(t, before, p, c)
			if t.Failed() {
				t.Fatalf("before\n%s\nafter\n%s\nevents %s", before.Encode(), p.Encode(), eventsText(c))
			}
		}
	})
}

func checkMutation(t *rapid.T, before, after *Plan, c Change) {
	if _, problems := Decode(string(after.Encode())); len(problems) > 0 {
		t.Errorf("the plan is not valid any more: %v", problems)
	}
	if before.IsCanonical() && !after.IsCanonical() {
		t.Errorf("a canonical plan is not canonical any more")
	}
	if same := string(before.Encode()) == string(after.Encode()); c.Empty() != same {
		t.Errorf("the plan is the same: %v, the events are %q", same, eventsText(c))
	}
	checkLines(t, before, after, c)
	checkEvents(t, after, c)
}

// checkLines: every line that the change does not name has its bytes and its
// place among the others, and every member that it had no reason to touch.
func checkLines(t *rapid.T, before, after *Plan, c Change) {
	named := map[identity]bool{}
	for _, r := range slices.Concat(c.Records, c.Removed) {
		if r.kind != KindReject {
			named[r.identity()] = true
		}
	}
	rest := linesOf(after.records)
	for _, r := range before.records {
		if named[r.identity()] {
			if now, found := after.find(r.kind, r.ID()); found {
				checkMembers(t, r, now)
			}
			continue
		}
		at := slices.Index(rest, r.JSON())
		if at < 0 {
			t.Errorf("lost or moved: %s", r.JSON())
			return
		}
		rest = rest[at+1:]
	}
}

// touched are the fields that mutations may change in a record that was there.
var touched = []string{"s", "done_at", "attempt", "kill", "kill_log", "reject", "deps", "meta", "conflict", "name", "desc", "spec", "state", "parent", "blocked_by"}

func checkMembers(t *rapid.T, before, after Record) {
	now := after.Object().Members()
	for _, m := range before.Object().Members() {
		if !slices.Contains(touched, m.Name) && !slices.Contains(now, m) {
			t.Errorf("%s changed: member %q", before.ID(), m.Name)
		}
	}
}

// checkEvents: what the change reports is how things are, and each event is of a
// record that changed.
func checkEvents(t *rapid.T, after *Plan, c Change) {
	ids := map[string]bool{after.Spec(): true}
	for _, r := range c.Records {
		ids[r.ID()] = true
		if !slices.Contains(linesOf(after.records), r.JSON()) {
			t.Errorf("the change holds %s, which is not in the plan", r.JSON())
		}
	}
	for _, r := range c.Removed {
		ids[r.ID()] = true
		if _, found := after.find(r.kind, r.ID()); found {
			t.Errorf("%s left the plan, and is there", r.ID())
		}
	}
	for _, e := range c.Events {
		if !ids[e.ID] {
			t.Errorf("event %s of %s, which did not change", e.Name, e.ID)
		}
	}
}

// Formatting keeps the order of work and every record.
func TestFormatProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, _ := Decode(drawPlan(t))
		older := func(a, b Record) int { return CompareAge(&a, &b) }
		tasks := slices.Clone(p.Of(KindTask))
		count := len(p.Records())
		slices.SortStableFunc(tasks, older)
		p.Format(testStamp())
		now := slices.Clone(p.Of(KindTask))
		slices.SortStableFunc(now, older)
		if idsOf(tasks) != idsOf(now) || len(p.Records()) != count || !p.IsCanonical() {
			t.Fatalf("order of work was %s, is %s", idsOf(tasks), idsOf(now))
		}
		for i, r := range tasks {
			checkMembers(t, r, now[i])
		}
	})
}
