package merge_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
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
	{"task add --supersedes", onSome(plan.KindTask, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.AddTasks(objectsOf(`{"name": "instead", "spec": "a.md", "supersedes": "`+ids[0]+`"}`), stampOf(t))
	})},
	{"workplan import", func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		texts := []string{`{"name": "first", "spec": "a.md", "workplan": "w.md#T1"}`, `{"name": "second", "spec": "a.md", "workplan": "w.md#T2"}`}
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
	{"task reject, before it landed", onSome(plan.KindTask, isPending, func(_ *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.RejectElsewhere(ids[0], "red", plan.Attempt{ID: "aaaa", DoneAt: "abc123abc123"})
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
	{"issue for a person", onSome(plan.KindIssue, anyRecord, func(_ *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return p.LeaveIssuesToPerson(ids)
	})},
	{"debug collate", func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		return p.Together(func() (plan.Change, error) {
			added, err := p.AddDerivedIssues(objectsOf(fmt.Sprintf(`{"id": "i-%d", "desc": "failed", "meta": {"debug": {"n": 1}}}`, number(t, 3))), stampOf(t).Now)
			if err != nil {
				return p.SetIssueMeta(map[string][]jsonl.Member{pick(t, []string{"i-0", "i-1", "i-2"}): {{Name: "debug", Value: `{"n": 2}`}}})
			}
			return added, nil
		})
	}},
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
	{"github pull", func(t *rapid.T, p *plan.Plan) (plan.Change, error) {
		members := []jsonl.Member{{Name: "t", Value: `"item"`}, {Name: "id", Value: jsonl.Quote(fmt.Sprintf("w-%d", number(t, 5)))}, {Name: "name", Value: prose(t)}, {Name: "number", Value: "7"}, {Name: "state", Value: itemState(t)}}
		return p.PutItems([]plan.Record{plan.MakeRecord(plan.KindItem, slices.DeleteFunc(members, func(m jsonl.Member) bool { return m.Value == "" }))})
	}},
	{"pipeline approve", onSome(plan.KindItem, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return pipeline.Approve(p, ids[:1], finishing(t), stampOf(t))
	})},
	{"pipeline reject", onSome(plan.KindItem, anyRecord, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return pipeline.Disapprove(p, ids[0], finishing(t), stampOf(t))
	})},
	{"task done, of an item", onSome(plan.KindTask, isPending, func(t *rapid.T, p *plan.Plan, ids []string) (plan.Change, error) {
		return pipeline.Finish(p, ids, finishing(t), stampOf(t))
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

// finishing draws how a task of the pipeline is finished.
func finishing(t *rapid.T) pipeline.Finishing {
	return pipeline.Finishing{
		DoneOptions: plan.DoneOptions{Head: fmt.Sprintf("%040x", number(t, 1<<20)), Force: true},
		Result:      pipeline.Result{Reason: "why", Verdict: pick(t, []string{pipeline.Approved, pipeline.NeedsIteration})},
		OnTarget:    number(t, 2) == 0,
	}
}

// drawReview adds an item whose plan awaits that a person approves it.
func drawReview(m *model) {
	if m.has("item", "w-0") {
		return
	}
	for _, text := range []string{
		`{"t": "item", "id": "w-0", "name": "Reviewed", "state": "Plan in Review", "estimate": "S"}`,
		`{"t": "task", "id": "t-w-0-plan", "name": "Plan w-0", "s": "d", "done_at": "abc123abc123", "attempt": "bbbb", "meta": {"issue_number": "w-0"}}`,
		`{"t": "task", "id": "t-w-0-review", "name": "Review plan w-0", "deps": ["t-w-0-plan"], "s": "p", "meta": {"issue_number": "w-0", "awaits_approval": true}}`,
	} {
		m.add(parse(text))
	}
}
