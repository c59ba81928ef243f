package merge_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
	"git-ralph/internal/undo"
)

// A deed is a change of a plan by a command.
type deed struct {
	name string
	do   func(t *rapid.T, p *plan.Plan) (plan.Change, error)
}

// stampOf draws what commands get beside the plan.
func stampOf(t *rapid.T) plan.Stamp {
	now := time.Date(2026, 2, 1, 0, 0, number(t, 1000), 0, time.UTC)
	return plan.Stamp{Now: now, Random: func(n int) int { return number(t, n) }}
}

// someIDs draws ids of records of a kind: those of the plan in a wanted state.
func someIDs(t *rapid.T, p *plan.Plan, kind plan.Kind, wanted func(plan.Record) bool) []string {
	var all []string
	for _, r := range p.Of(kind) {
		if r.ID() != "" && wanted(r) {
			all = append(all, r.ID())
		}
	}
	if len(all) == 0 {
		return nil
	}
	at := number(t, len(all))
	return all[at:min(len(all), at+1+number(t, 2))]
}

func anyRecord(plan.Record) bool   { return true }
func isDone(r plan.Record) bool    { return r.Done() }
func isPending(r plan.Record) bool { return r.Pending() }

func objectsOf(texts ...string) []jsonl.Object {
	all := make([]jsonl.Object, len(texts))
	for i, text := range texts {
		all[i], _ = jsonl.ParseObject(text)
	}
	return all
}

// onSome makes a deed of what is done to drawn records.
func onSome(kind plan.Kind, wanted func(plan.Record) bool, do func(*rapid.T, *plan.Plan, []string) (plan.Change, error)) func(*rapid.T, *plan.Plan) (plan.Change, error) {
	return func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		ids := someIDs(t, p, kind, wanted)
		if ids == nil {
			return plan.Change{}, nil
		}
		return do(t, p, ids)
	}
}

// deeds are what commands do to a plan.
var deeds = []deed{
	{"task add", func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		texts := []string{`{"name": "new", "spec": "a.md", "q": 1.50}`, `{"name": "more", "spec": "b.md", "deps": ["t-1"]}`}
		return p.AddTasks(objectsOf(texts[number(t, 2):]...), stampOf(t))
	}},
	{"task done", onSome(plan.KindTask, isPending, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		o := plan.DoneOptions{Head: fmt.Sprintf("%040x", number(t, 1<<20)), Force: true, Meta: []jsonl.Member{{Name: "m", Value: "1.0"}}[:number(t, 2)]}
		return p.Done(ids, o, stampOf(t))
	})},
	{"task accept", onSome(plan.KindTask, isDone, func(_ *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) { return p.Accept(ids) })},
	{"task reject", onSome(plan.KindTask, isDone, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.Reject(ids[0], pick(t, []string{"why", "no tests"}))
	})},
	{"task reject --supersede", onSome(plan.KindTask, isDone, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.RejectAndReplace(ids[0], "why", objectsOf(`{"name": "better", "spec": "a.md"}`)[0], stampOf(t))
	})},
	{"task cancel", onSome(plan.KindTask, isPending, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.Cancel(ids, pick(t, []plan.CancelMode{plan.CancelCascade, plan.CancelDetach}))
	})},
	{"task kill", onSome(plan.KindTask, isPending, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.Kill(ids[0], pick(t, []string{"timeout", "context"}), "1/2.log")
	})},
	{"task decompose", onSome(plan.KindTask, isPending, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.Decompose(ids[0], objectsOf(`{"name": "half"}`, `{"name": "rest", "x": 1.0}`), stampOf(t))
	})},
	{"task edit", onSome(plan.KindTask, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.Edit(ids[0], []jsonl.Member{pick(t, []jsonl.Member{
			{Name: "name", Value: prose(t)},
			{Name: "notes", Value: prose(t)},
			{Name: "priority", Value: `"high"`},
			{Name: "deps", Value: `["t-1", "i-1"]`},
			{Name: "labels", Value: `["a"]`},
			{Name: "x", Value: "2.0"},
		})}, nil)
	})},
	{"issue add", func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		return p.AddIssues(objectsOf(`{"desc": "broken", "spec": "a.md", "x": 1.0}`, `{"desc": "slow", "spec": "a.md"}`)[number(t, 2):], stampOf(t))
	}},
	{"issue edit", onSome(plan.KindIssue, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.EditIssue(ids[0], []jsonl.Member{{Name: "desc", Value: prose(t)}}, nil)
	})},
	{"issue done", onSome(plan.KindIssue, anyRecord, func(_ *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) { return p.CloseIssues(ids) })},
	{"issue done --into-task", onSome(plan.KindIssue, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.IssuesIntoTasks(ids, stampOf(t))
	})},
	{"item add", func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		return p.AddItems(objectsOf(`{"name": "d", "x": 1.0}`, `{"name": "e", "number": 5}`)[number(t, 2):], stampOf(t))
	}},
	{"item edit", onSome(plan.KindItem, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.EditItem(ids[0], []jsonl.Member{pick(t, []jsonl.Member{{Name: "name", Value: prose(t)}, {Name: "estimate", Value: `"S"`}, {Name: "files", Value: `["a.go"]`}})}, nil)
	})},
	{"item move", onSome(plan.KindItem, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.MoveItem(ids[0], pick(t, []string{"Backlog", "In Progress", "Human Needed", "Done"}), "why", stampOf(t).Now)
	})},
	{"pipeline plan", onSome(plan.KindItem, anyRecord, func(_ *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return pipeline.Extend(p, ids, nil)
	})},
	{"set-spec", func(t *rapid.T, p *plan.Plan) (plan.Change, error) { return p.SetSpec(pick(t, specs)) }},
	{"plan", func(t *rapid.T, p *plan.Plan) (plan.Change, error) { return p.StartSpec(pick(t, specs)) }},
	{"fmt", func(t *rapid.T, p *plan.Plan) (plan.Change, error) { return p.Format(stampOf(t)), nil }},
	{"restore", func(_ *rapid.T, p *plan.Plan) (plan.Change, error) {
		gone, _ := plan.Decode(`{"t": "task", "id": "t-gone", "spec": "a.md", "name": "gone", "s": "d", "done_at": "12", "x": 1.0}`)
		return p.Restore(gone.Records()[0])
	}},
	{"resolve", onSome(plan.KindTask, func(r plan.Record) bool { return len(r.Conflicts()) > 0 }, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		task, _ := p.Task(ids[0])
		c := pick(t, task.Conflicts())
		return p.ResolveConflicts([]plan.Choice{{Kind: c.Kind, ID: c.ID, Field: c.Field, Value: c.Value}})
	})},
}

// changedBy draws a change of a plan: by a command, or an edit by hand of every kind that the laws are tried on. It returns the
// plan after it; the name is "" where nothing could be changed.
func changedBy(t *rapid.T, before []byte) (after []byte, name string) {
	for range 12 {
		if number(t, 3) == 0 {
			m := modelOf(before)
			e := pick(t, slices.Concat(edits, itemEdits))
			e.do(t, &m)
			after, name = m.file(), "by hand: "+e.name
		} else {
			d, p := pick(t, deeds), decode(before)
			if _, err := d.do(t, p); err != nil {
				continue
			}
			after, name = p.Encode(), d.name
		}
		if _, problems := plan.Decode(string(after)); string(after) != string(before) && len(problems) == 0 {
			return after, name
		}
	}
	return before, ""
}

// modelOf makes a model of a plan's file.
func modelOf(data []byte) model {
	m := model{end: "\n"}
	for _, r := range decode(data).Records() {
		m.add(parse(r.JSON()))
	}
	return m
}

// TestUndo guards: undoing any change, with later ones on top, gives the plan without it, byte for byte, where nothing touched the
// same records since; else what the rules of merging promise. Redoing gives the plan before the undo, byte for byte.
func TestUndo(t *testing.T) {
	apart, met := map[string]int{}, map[string]int{}
	fewer(t, 8, func(t *rapid.T) {
		base := drawBase(t, nil)
		if number(t, 2) == 0 {
			drawItems(t, &base)
		}
		before := base.file()
		after, name := changedBy(t, before)
		if name == "" {
			t.Skip()
		}
		now := after
		for range pick(t, []int{0, 1, 2, 4}) {
			now, _ = changedBy(t, now)
		}
		p := decode(now)
		got, err := undo.Take(p, before, after, false)
		if err != nil {
			t.Fatalf("%s: %v\nbefore\n%s\nafter\n%s\nnow\n%s", name, err, before, after, now)
		}
		result := p.Encode()
		report := func(what string) {
			t.Fatalf("%s: %s\nbefore\n%s\nafter\n%s\nnow\n%s\nwithout\n%s%v", name, what, before, after, now, result, got.Merged.Conflicts)
		}
		if what := unlike(decode(now), p, got); what != "" {
			report(what)
		}
		if touchesTheSame(decode(after), decode(before), decode(now)) {
			met[name]++
			checkKept(t, after, before, now, got.Merged)
			checkKept(t, after, now, before, got.Merged)
			if waits(result) && !waits(before) && !waits(after) && !waits(now) {
				report("tasks wait for each other")
			}
		} else {
			apart[name]++
			respelled := respelledIn(before, after, now)
			if want := without(before, after, now, respelled); !slices.Equal(want, keysIn(result, respelled)) {
				report(fmt.Sprintf("want the lines\n%q", want))
			}
		}
		if string(now) == string(after) && string(result) != string(before) {
			report("nothing happened since, and it is not as before")
		}
		if _, err := undo.Take(p, now, result, true); err != nil || string(p.Encode()) != string(now) {
			report(fmt.Sprintf("redone (%v):\n%s", err, p.Encode()))
		}
	})
	cases := 0
	for name, n := range maps.All(apart) {
		cases += n + met[name]
	}
	t.Logf("%d cases; nothing touched the same records: %v\nsomething did: %v", cases, apart, met)
	for _, d := range deeds {
		if cases > len(deeds)*100 && (apart[d.name] == 0 || met[d.name] == 0) && !t.Failed() {
			t.Errorf("%s: %d times with nothing and %d times with something that touched the same records", d.name, apart[d.name], met[d.name])
		}
	}
}

// without returns the lines of the plan now without those that came from before to after, and with those that went: what is left where
// the two changes have nothing to do with each other. A line that was only spelled otherwise is compared by its meaning.
func without(before, after, now []byte, respelled map[string]bool) []string {
	count := map[string]int{}
	for _, part := range []struct {
		data []byte
		n    int
	}{{before, 1}, {after, -1}, {now, 1}} {
		for _, r := range decode(part.data).Records() {
			count[keyOf(r, respelled)] += part.n
		}
	}
	var all []string
	for line, n := range count {
		for range n {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

func keyOf(r plan.Record, respelled map[string]bool) string {
	if meaning := canon(value(r)); respelled[meaning] {
		return meaning
	}
	return r.JSON()
}

// respelledIn returns the meanings of the records that are spelled in several ways in some plans.
func respelledIn(plans ...[]byte) map[string]bool {
	respelled, spelled := map[string]bool{}, map[string]string{}
	for _, data := range plans {
		for _, r := range decode(data).Records() {
			meaning := canon(value(r))
			was, found := spelled[meaning]
			respelled[meaning], spelled[meaning] = respelled[meaning] || found && was != r.JSON(), r.JSON()
		}
	}
	return respelled
}

// keysIn returns the lines of a plan as without does.
func keysIn(data []byte, respelled map[string]bool) (all []string) {
	for _, r := range decode(data).Records() {
		all = append(all, keyOf(r, respelled))
	}
	slices.Sort(all)
	return all
}

// unlike returns in what the change that undo reports is not the one between two plans.
func unlike(before, after *plan.Plan, got undo.Revert) string {
	same := string(before.Encode()) == string(after.Encode())
	if same != got.Change.Empty() {
		return fmt.Sprintf("events %v", got.Change.Events)
	}
	named := map[string]bool{}
	for _, e := range got.Change.Events {
		named[e.ID] = true
	}
	lines := func(p *plan.Plan) map[string]bool {
		all := map[string]bool{}
		for _, r := range p.Records() {
			all[r.JSON()] = true
		}
		return all
	}
	old, now := lines(before), lines(after)
	for _, r := range got.Change.Records {
		if !now[r.JSON()] {
			return "reported and not there: " + r.JSON()
		}
	}
	for _, r := range got.Change.Removed {
		if !old[r.JSON()] {
			return "reported as removed and was not there: " + r.JSON()
		}
	}
	for _, d := range plandiff.Compare(before, after).Records {
		if r := d.Shown(); r.Kind().HasUniqueID() && r.ID() != "" && !named[r.ID()] {
			return "no event of " + r.JSON()
		}
	}
	return ""
}
