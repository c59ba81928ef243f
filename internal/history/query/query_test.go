package query

import (
	"slices"
	"testing"
	"time"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/record"
	"git-ralph/internal/plan"
)

// minute returns a time some minutes after another one.
func minute(n int) time.Time { return time.Date(2026, 1, 2, 3, n, 0, 0, time.UTC) }

// example is a history of a spec and two tasks: one that was accepted on main, and one that was added on side, which HEAD lacks.
func example() *fold.History {
	parser := &fold.Life{Kind: plan.KindTask, ID: "t-aaaa", Former: []string{"t-0000"}, Name: "Write the parser", Spec: "a.md", Status: fold.Accepted}
	lexer := &fold.Life{Kind: plan.KindTask, ID: "t-bbbb", Name: "Write the lexer", Spec: "b.md", Status: fold.Pending}
	event := func(name plan.EventName, of *fold.Life, at int, author, branch string) *fold.Event {
		e := &fold.Event{
			Event: &record.Event{Name: name}, Life: of, Date: minute(at), Author: author,
			Branch: branch, Branches: []string{branch}, InHead: branch == "main",
		}
		if of != nil {
			e.ID, of.Events = of.ID, append(of.Events, e)
		}
		return e
	}
	spec := event(plan.EventSpec, nil, 0, "ann@example.com", "main")
	spec.ID = "a.md"
	added := event(plan.EventAdded, parser, 1, "ann@example.com", "main")
	other := event(plan.EventAdded, lexer, 2, "bob@example.com", "side")
	done := event(plan.EventDone, parser, 5, "bob@example.com", "main")
	accepted := event(plan.EventAccepted, parser, 11, "ann@example.com", "main")
	parser.Created, parser.Attempts = added, []fold.Attempt{{Done: done, Outcomes: []*fold.Event{accepted}}}
	return &fold.History{Lives: []*fold.Life{parser, lexer}, Events: []*fold.Event{spec, added, other, done, accepted}}
}

// TestSelect guards: each field of a filter narrows the events, the newest first, and with them the tasks.
func TestSelect(t *testing.T) {
	isDone := func(e *fold.Event) bool { return e.Name == plan.EventDone }
	for name, it := range map[string]struct {
		filter Filter
		events []plan.EventName
		tasks  []string
	}{
		"HEAD alone":     {Filter{}, []plan.EventName{"accepted", "done", "added", "spec"}, []string{"t-aaaa"}},
		"all branches":   {Filter{All: true}, []plan.EventName{"accepted", "done", "added", "added", "spec"}, []string{"t-aaaa", "t-bbbb"}},
		"a branch":       {Filter{Branch: "side"}, []plan.EventName{"added"}, []string{"t-bbbb"}},
		"an author":      {Filter{Author: "BOB"}, []plan.EventName{"done"}, []string{"t-aaaa"}},
		"a spec":         {Filter{Spec: "a.md"}, []plan.EventName{"accepted", "done", "added", "spec"}, []string{"t-aaaa"}},
		"a status":       {Filter{All: true, Status: "pending"}, []plan.EventName{"added"}, []string{"t-bbbb"}},
		"a former id":    {Filter{Task: "t-0000"}, []plan.EventName{"accepted", "done", "added"}, []string{"t-aaaa"}},
		"a text":         {Filter{All: true, Text: "LEXER"}, []plan.EventName{"added"}, []string{"t-bbbb"}},
		"a limit":        {Filter{Limit: 1}, []plan.EventName{"accepted"}, []string{"t-aaaa"}},
		"before":         {Filter{Before: isDone}, []plan.EventName{"accepted", "added", "spec"}, []string{"t-aaaa"}},
		"until":          {Filter{Until: isDone}, []plan.EventName{"done"}, []string{"t-aaaa"}},
		"nothing at all": {Filter{Branch: "none"}, nil, nil},
	} {
		s := it.filter.Select(example())
		var events []plan.EventName
		for _, e := range s.Events {
			events = append(events, e.Name)
		}
		var tasks []string
		for _, life := range s.Tasks {
			tasks = append(tasks, life.ID)
		}
		if !slices.Equal(events, it.events) || !slices.Equal(tasks, it.tasks) {
			t.Errorf("%s: %v of %v, want %v of %v", name, events, tasks, it.events, it.tasks)
		}
	}
}

// TestStatistics guards: events are counted in whole and by branch, and times run from creation to completion to acceptance.
func TestStatistics(t *testing.T) {
	all := Filter{All: true}.Select(example()).Statistics()
	if n := all.Total; n.Created != 2 || n.Done != 1 || n.Accepted != 1 || n.Tasks != 1 || n.Attempts != 1 {
		t.Errorf("%+v", n)
	}
	for what, it := range map[string]struct {
		times []time.Duration
		want  int64
	}{"work": {all.Total.Work, 4 * 60}, "review": {all.Total.Review, 6 * 60}} {
		if got, ok := Median(it.times); !ok || got != it.want {
			t.Errorf("%s took %d s, want %d", what, got, it.want)
		}
	}
	branches := all.Groups[1]
	if branches.By != "branch" || len(branches.Counts) != 2 || branches.Counts[0].Name != "main" || branches.Counts[1].Created != 1 {
		t.Errorf("%+v", branches)
	}
	if got, ok := Median([]time.Duration{time.Second, 4 * time.Second}); !ok || got != 2 {
		t.Errorf("the middle of 1 s and 4 s is %d", got)
	}
	if _, ok := Median(nil); ok {
		t.Error("there is a median of nothing")
	}
}
