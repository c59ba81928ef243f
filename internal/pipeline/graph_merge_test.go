package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
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
		graph := tasksIn(ours)
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
		if len(got.Conflicts) > 0 || tasksIn(p) != graph {
			t.Fatalf("%q: conflicts %v\n%s\nwant\n%s", items, got.Conflicts, tasksIn(p), graph)
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
	streams := slices.Concat(tail("w-a", "GH-1", "Plan GH-1", "t-w-a-research", "stream-1"), tail("w-b", "GH-2", "Plan GH-2", "", "stream-2"), tail("w-c", "GH-3", "Plan GH-3", "", "stream-3"))
	want(t, p, append(streams, "t-w-a-research: Research GH-1 (analyst) done", "t-w-b-research: Research GH-2 (analyst) done")...)
	// Where they landed, the research is accepted too, and nothing more follows.
	p = decode(t, string(got.Data))
	if _, err := FollowLanding(p, landing()); err != nil {
		t.Fatal(err)
	}
	want(t, p, streams...)
	if again, err := FollowLanding(p, landing()); err != nil || !again.Empty() {
		t.Error(again, err)
	}
}

// What a task's check is to prove is not accepted for having landed, nor is anything but research, triage and splits. Where pull requests are
// opened and merged, nothing else follows.
func TestWhatLandingDoesNotAccept(t *testing.T) {
	p := planOf(t, "w-a #1 state=Research Needed", "w-b #2 state=In Progress")
	extend(t, p, "w-a", "w-b")
	if _, err := p.Edit("t-w-a-research", []jsonl.Member{member("check", "make test")}, nil); err != nil {
		t.Fatal(err)
	}
	finish(t, p, Result{}, "t-w-a-research")
	finish(t, p, Result{}, "t-w-b-implement")
	how := landing()
	how.Integration = ByPullRequests
	if c, err := FollowLanding(p, how); err != nil || !c.Empty() {
		t.Error(c, err)
	}
}

// Two clones finish the last research of a group, and find different files: the streams are those that follow from what both found. Nothing is
// left to resolve, whether a person or landing goes on, and what somebody has begun stays.
func TestClonesThatFindDifferentStreams(t *testing.T) {
	items := []string{"w-a #1 state=Ready for Plan files=x", "w-b #2 state=Ready for Plan files=y", "w-c #3 state=Research Needed", "w-d #4 state=Ready for Plan files=z"}
	base := planOf(t, items...)
	extend(t, base, "w-a", "w-b", "w-c", "w-d")
	ours, theirs := decode(t, string(base.Encode())), decode(t, string(base.Encode()))
	finish(t, ours, Result{Files: []string{"x"}}, "t-w-c-research")
	finish(t, theirs, Result{Files: []string{"y"}}, "t-w-c-research")
	both := func() *plan.Plan {
		return merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
	}
	streams := slices.Concat(tail("w-a", "GH-1", "Plan group GH-1", "", "stream-1-2-3"), tail("w-d", "GH-4", "Plan GH-4", "", "stream-4"))
	p := both()
	extend(t, p, "w-c", "w-a", "w-b", "w-d")
	want(t, p, append(slices.Clone(streams), "t-w-c-research: Research GH-3 (analyst) done")...)
	once := string(p.Encode())
	if extend(t, p, "w-b", "w-a", "w-d", "w-c"); string(p.Encode()) != once || strings.Contains(once, "conflict") {
		t.Errorf("once %s\ntwice %s", once, p.Encode())
	}
	if p = both(); !strings.Contains(string(p.Encode()), `"conflict"`) {
		t.Error("the streams are not in conflict")
	}
	if _, err := FollowLanding(p, landing()); err != nil || strings.Contains(string(p.Encode()), "conflict") {
		t.Error(err, tasksIn(p))
	}
	want(t, p, streams...) // the research is accepted

	p = both()
	claimed := map[string]bool{"t-w-b-plan": true}
	if _, err := Extend(p, []string{"w-a", "w-b", "w-c", "w-d"}, claimed); err != nil {
		t.Fatal(err)
	}
	checkGraph(t, p)
	if task, found := p.Task("t-w-b-plan"); !found || !strings.Contains(task.JSON(), `"group_members": [2, 3]`) {
		t.Errorf("what somebody works on is gone, or changed:\n%s", tasksIn(p))
	}
}

// One clone plans a group, the other one a member of it alone. The name of the plan follows from the items, not from whoever resolves a conflict.
func TestNameOfAPlanInTwoClones(t *testing.T) {
	items := []string{"w-a #1 state=Research Needed", "w-b #2 state=Research Needed"}
	for _, one := range []string{"w-a", "w-b"} {
		base, ours, theirs, want := planOf(t, items...), planOf(t, items...), planOf(t, items...), planOf(t, items...)
		extend(t, ours, "w-a", "w-b")
		extend(t, theirs, one)
		extend(t, want, "w-a", "w-b")
		p := merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
		extend(t, p, "w-a", "w-b")
		if got := string(p.Encode()); tasksIn(p) != tasksIn(want) || strings.Contains(got, "conflict") {
			t.Errorf("%s alone: got\n%s\nwant\n%s", one, got, want.Encode())
		}
	}
}
