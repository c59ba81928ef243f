package plan

import (
	"errors"
	"slices"
	"testing"

	"git-ralph/internal/jsonl"
)

const conflicted = `{"t": "spec", "spec": "a.md", "conflict": {"spec": ["a.md", "b.md"]}}
{"t": "task", "id": "t-1", "spec": "a.md", "name": "One", "notes": "long one", "s": "p", "conflict": {"name": ["One", "Two"], "notes": ["long one", null]}}
{"t": "task", "id": "t-2", "spec": "a.md", "name": "Two", "s": "d", "done_at": "0", "removed": "own", "conflict": {"removed": true, "done_at": "odd"}}
{"t": "task", "id": "t-3", "spec": "a.md", "name": "Three", "deps": ["t-1"], "s": "p", "conflict": {"removed": true}}
{"t": "task", "id": "t-4", "spec": "a.md", "name": "Four", "deps": ["t-3"], "s": "p"}
`

func conflictedPlan(t *testing.T) *Plan {
	t.Helper()
	p, problems := Decode(conflicted)
	if problems != nil {
		t.Fatal(problems)
	}
	return p
}

// docs/merge.md, "Recorded conflicts": candidates as they stand, null for no
// such field, none of a removal, and a lone one where somebody wrote it so.
func TestConflicts(t *testing.T) {
	p := conflictedPlan(t)
	two, _ := p.Task("t-2")
	got := two.Conflicts()
	if len(got) != 2 || got[0].Field != Removed || got[0].Candidates != nil || !slices.Equal(got[1].Candidates, []jsonl.Value{`"odd"`}) || got[1].Value != `"0"` {
		t.Errorf("%+v", got)
	}
	if four, _ := p.Task("t-4"); four.Conflicts() != nil {
		t.Error("a record without conflicts has some")
	}
}

func TestSettle(t *testing.T) {
	tests := map[string]struct {
		choice Choice
		want   string // the line after it, "" where the record leaves
		event  EventName
	}{
		"candidate":         {Choice{Kind: KindTask, ID: "t-1", Field: "name", Value: `"Two"`}, `{"t": "task", "id": "t-1", "spec": "a.md", "name": "Two", "notes": "long one", "s": "p", "conflict": {"notes": ["long one", null]}}`, EventEdited},
		"nothing":           {Choice{Kind: KindTask, ID: "t-1", Field: "notes", Value: "null"}, `{"t": "task", "id": "t-1", "spec": "a.md", "name": "One", "s": "p", "conflict": {"name": ["One", "Two"]}}`, EventEdited},
		"typed":             {Choice{Kind: KindTask, ID: "t-1", Field: "notes", Value: `"x"`}, `{"t": "task", "id": "t-1", "spec": "a.md", "name": "One", "notes": "x", "s": "p", "conflict": {"name": ["One", "Two"]}}`, EventEdited},
		"managed candidate": {Choice{Kind: KindTask, ID: "t-2", Field: "done_at", Value: `"odd"`}, `{"t": "task", "id": "t-2", "spec": "a.md", "name": "Two", "s": "d", "done_at": "odd", "conflict": {"removed": true}, "removed": "own"}`, EventEdited},
		"keep":              {Choice{Kind: KindTask, ID: "t-2", Field: Removed}, `{"t": "task", "id": "t-2", "spec": "a.md", "name": "Two", "s": "d", "done_at": "0", "conflict": {"done_at": "odd"}, "removed": "own"}`, EventEdited},
		"leave":             {Choice{Kind: KindTask, ID: "t-2", Field: Removed, Remove: true}, "", EventAccepted},
		"spec":              {Choice{Kind: KindSpec, Field: "spec", Value: `"b.md"`}, `{"t": "spec", "spec": "b.md"}`, EventSpec},
	}
	for name, test := range tests {
		p := conflictedPlan(t)
		c, err := p.ResolveConflicts([]Choice{test.choice})
		if err != nil || c.Events[0].Name != test.event {
			t.Errorf("%s: %v, %+v", name, err, c.Events)
			continue
		}
		i := p.index(test.choice.Kind, test.choice.ID)
		if test.want == "" && i >= 0 || test.want != "" && p.records[i].JSON() != test.want {
			t.Errorf("%s: %s", name, p.Encode())
		}
	}
}

// A choice that cannot be made changes nothing, nor do those before it.
func TestSettleRefuses(t *testing.T) {
	good := Choice{Kind: KindSpec, Field: "spec", Value: `"b.md"`}
	isField := func(err error) bool { _, ok := errors.AsType[*FieldError](err); return ok }
	for name, test := range map[string]struct {
		choice Choice
		is     func(error) bool
	}{
		"no conflict":   {Choice{Kind: KindTask, ID: "t-4", Field: "name", Value: `"x"`}, func(err error) bool { return errors.Is(err, ErrNothing) }},
		"no record":     {Choice{Kind: KindTask, ID: "t-9", Field: "name"}, func(err error) bool { _, ok := errors.AsType[*UnknownIDError](err); return ok }},
		"empty name":    {Choice{Kind: KindTask, ID: "t-1", Field: "name"}, isField},
		"wrong type":    {Choice{Kind: KindTask, ID: "t-1", Field: "notes", Value: "1"}, isField},
		"managed":       {Choice{Kind: KindTask, ID: "t-2", Field: "done_at", Value: `"1"`}, isField},
		"still needed":  {Choice{Kind: KindTask, ID: "t-3", Field: Removed, Remove: true}, func(err error) bool { _, ok := errors.AsType[*DependantsError](err); return ok }},
		"settled twice": {good, func(err error) bool { return errors.Is(err, ErrNothing) }},
	} {
		p := conflictedPlan(t)
		if _, err := p.ResolveConflicts([]Choice{good, test.choice}); !test.is(err) || string(p.Encode()) != conflicted {
			t.Errorf("%s: %v, %s", name, err, p.Encode())
		}
	}
}

// docs/merge.md, "Resolve a conflict": what depends on a task that is taken out
// depends on the tasks that took its place.
func TestSettleMovesDependants(t *testing.T) {
	for _, state := range []string{`"s": "p"`, `"s": "d", "done_at": "0"`} {
		p, problems := Decode(`{"t": "task", "id": "t-1", "name": "One", ` + state + `, "conflict": {"removed": true}}
{"t": "task", "id": "t-2", "name": "Part", "deps": ["t-1"], "s": "p", "parent": "t-1"}
{"t": "task", "id": "t-3", "name": "Again", "s": "p", "supersedes": "t-1"}
{"t": "task", "id": "t-4", "name": "Waits", "deps": ["t-9", "t-1"], "s": "p"}
`)
		if problems != nil {
			t.Fatal(problems)
		}
		c, err := p.ResolveConflicts([]Choice{{Kind: KindTask, ID: "t-1", Field: Removed, Remove: true}})
		if err != nil || len(c.Removed) != 1 || len(c.Records) != 2 || len(c.Events) != 3 {
			t.Fatalf("%s: %v, %+v", state, err, c)
		}
		want := `{"t": "task", "id": "t-2", "name": "Part", "s": "p", "parent": "t-1"}
{"t": "task", "id": "t-3", "name": "Again", "s": "p", "supersedes": "t-1"}
{"t": "task", "id": "t-4", "name": "Waits", "deps": ["t-9", "t-2", "t-3"], "s": "p"}
`
		if got := string(p.Encode()); got != want {
			t.Errorf("%s: %s", state, got)
		}
	}
}

// A task that took the place of one may itself be waited for by what waits for
// that one: no circle is made of it.
func TestSettleMakesNoCycle(t *testing.T) {
	text := `{"t": "task", "id": "t-1", "name": "One", "s": "p", "conflict": {"removed": true}}
{"t": "task", "id": "t-2", "name": "Part", "deps": ["t-3"], "s": "p", "parent": "t-1"}
{"t": "task", "id": "t-3", "name": "Waits", "deps": ["t-1"], "s": "p"}
`
	p, _ := Decode(text)
	_, err := p.ResolveConflicts([]Choice{{Kind: KindTask, ID: "t-1", Field: Removed, Remove: true}})
	if _, cycle := errors.AsType[*CycleError](err); !cycle || string(p.Encode()) != text {
		t.Errorf("error %v, %s", err, p.Encode())
	}
}
