package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
)

// Two clones that create the graph of a group make one, whichever of them also did more, and creating it again adds nothing.
func TestGraphsOfTwoClonesAreOne(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 17))
	for range 150 {
		items := randomPlan(r)
		ids := make([]string, len(items))
		for i, line := range items {
			ids[i], _, _ = strings.Cut(line, " ")
		}
		base, ours, theirs := planOf(t, items...), planOf(t, items...), planOf(t, items...)
		extend(t, ours, ids...)
		want := tasksIn(ours)
		shuffle(r, ids)
		if r.IntN(2) == 0 {
			if _, err := theirs.EditItem(ids[0], []jsonl.Member{member("desc", fmt.Sprint("more ", r.IntN(9)))}, nil); err != nil {
				t.Fatal(err)
			}
		}
		extend(t, theirs, ids...)
		got, err := merge.Merge(base.Encode(), ours.Encode(), theirs.Encode())
		if err != nil {
			t.Fatal(err)
		}
		p := decode(t, string(got.Data))
		if len(got.Conflicts) > 0 || tasksIn(p) != want {
			t.Fatalf("%q: conflicts %v\n%s\nwant\n%s", items, got.Conflicts, tasksIn(p), want)
		}
		before := string(p.Encode())
		extend(t, p, ids...)
		if string(p.Encode()) != before {
			t.Fatalf("%q: creating it again changes it", items)
		}
	}
}

// Two analysts finish the last research of a group in two clones: neither is the last one there. Extending the group afterwards divides it.
func TestStreamsAfterResearchInTwoClones(t *testing.T) {
	items := []string{"w-a #1 state=Research Needed", "w-b #2 state=Research Needed", "w-c #3 state=Ready for Plan files=z"}
	base := planOf(t, items...)
	extend(t, base, "w-a", "w-b", "w-c")
	ours, theirs := decode(t, string(base.Encode())), decode(t, string(base.Encode()))
	finish(t, ours, Result{Files: []string{"x"}}, "t-w-a-research")
	finish(t, theirs, Result{Files: []string{"y"}}, "t-w-b-research")
	got, err := merge.Merge(base.Encode(), ours.Encode(), theirs.Encode())
	if err != nil || len(got.Conflicts) > 0 {
		t.Fatal(err, got.Conflicts)
	}
	p := decode(t, string(got.Data))
	extend(t, p, "w-a", "w-b", "w-c")
	for _, id := range []string{"t-w-a-plan", "t-w-b-plan", "t-w-c-plan"} {
		if _, found := p.Task(id); !found {
			t.Errorf("no %s:\n%s", id, tasksIn(p))
		}
	}
}
