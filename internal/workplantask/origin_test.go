package workplantask_test

import (
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/workplantask"
)

// taskFrom returns a task that came from a block.
func taskFrom(t interface{ Fatal(...any) }, origin string) plan.Record {
	o := jsonl.Build([]jsonl.Member{
		{Name: "t", Value: jsonl.Quote("task")},
		{Name: "id", Value: jsonl.Quote("t-one")},
		{Name: "name", Value: jsonl.Quote("one")},
		{Name: "s", Value: jsonl.Quote("p")},
		{Name: workplantask.Field, Value: jsonl.Quote(origin)},
	})
	p, _ := plan.Decode(o.Text() + "\n")
	if len(p.Of(plan.KindTask)) != 1 {
		t.Fatal("no task of ", o.Text())
	}
	return p.Of(plan.KindTask)[0]
}

// TestOrigin guards: a task finds its block whatever characters its id and the path of its file have.
func TestOrigin(t *testing.T) {
	part := rapid.StringMatching(`[ab#%25/ ]{1,8}`)
	rapid.Check(t, func(t *rapid.T) {
		o := workplantask.Origin{Path: "a" + rapid.StringMatching(`[ab#%25 ]{0,8}`).Draw(t, "path"), ID: part.Draw(t, "id")}
		if got, ok := workplantask.OriginOf(taskFrom(t, o.String())); !ok || got != o {
			t.Fatalf("%q: %q, %v", o, got, ok)
		}
	})
	for text, want := range map[string]workplantask.Origin{
		"workplans/w.md#T-01": {Path: "workplans/w.md", ID: "T-01"},
		"a#b.md#T%231":        {Path: "a#b.md", ID: "T#1"},
		"w.md#100%":           {Path: "w.md", ID: "100%"},
	} {
		if got, ok := workplantask.OriginOf(taskFrom(t, text)); !ok || got != want {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "w.md", "#T", "w.md#", "../w.md#T", "/w.md#T", ".git/w.md#T", "a/../w.md#T"} {
		if got, ok := workplantask.OriginOf(taskFrom(t, text)); ok {
			t.Errorf("%q: %q", text, got)
		}
	}
}
