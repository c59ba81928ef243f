package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"git-ralph/internal/plan"
)

// GH-n is written where GitHub assigned a number, and only there.
func TestItemsAreNamedByNumberElseID(t *testing.T) {
	for _, c := range []struct {
		ref        Ref
		text, json string
	}{
		{Ref{42, "w-a"}, "GH-42", "42"},
		{Ref{0, "w-a"}, "w-a", `"w-a"`},
	} {
		json, err := c.ref.MarshalJSON()
		if c.ref.String() != c.text || string(json) != c.json || err != nil {
			t.Errorf("%+v: %s, %s, %v; want %s, %s", c.ref, c.ref, json, err, c.text, c.json)
		}
	}
}

func TestReferencesAreOrderedByNumberThenID(t *testing.T) {
	want := []Ref{{1, "w-z"}, {9, "w-y"}, {10, "w-a"}, {10, "w-b"}, {0, "w-a"}, {0, "w-b"}}
	for seed := range uint64(50) {
		refs := slices.Clone(want)
		rand.New(rand.NewPCG(seed, 5)).Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
		if slices.SortFunc(refs, Ref.Compare); !slices.Equal(refs, want) {
			t.Errorf("seed %d: %v, want %v", seed, refs, want)
		}
	}
}

func TestItemsOfAPlan(t *testing.T) {
	p, problems := plan.Decode(`{"t": "item", "id": "w-b", "name": "B"}
{"t": "item", "id": "w-a", "number": 42, "name": "A", "state": "In Review", "estimate": "S", "parent": "w-e", "blocked_by": ["w-b"], "files": ["a.go"], "artifacts": {"plan": "p.md"}, "created_at": "2026-01-01T00:00:00.000Z", "meta": {"round": 2, "escalation": {"from": "Backlog"}}}
{"t": "task", "id": "t-a", "name": "no item", "s": "p"}
`)
	if !problems.Readable() {
		t.Fatal(problems)
	}
	items := Of(p)
	got := fmt.Sprintf("%+v %+v", *items.byID["w-b"], *items.byID["w-a"])
	want := "{ID:w-b Number:0 Title:B State: Estimate: Parent: BlockedBy:[] Files:[] Artifacts:[] Escalated: Round:1 CreatedAt: planned:false} " +
		"{ID:w-a Number:42 Title:A State:In Review Estimate:S Parent:w-e BlockedBy:[w-b] Files:[a.go] Artifacts:[p.md] Escalated:Backlog Round:2 CreatedAt:2026-01-01T00:00:00.000Z planned:false}"
	if got != want || len(items.all) != 2 {
		t.Errorf("%s, want %s", got, want)
	}
}
