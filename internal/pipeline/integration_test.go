package pipeline

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

func follow(t *testing.T, p *plan.Plan) {
	t.Helper()
	if _, err := FollowLanding(p, landing()); err != nil {
		t.Fatal(err)
	}
}

func accept(t *testing.T, p *plan.Plan, ids ...string) {
	t.Helper()
	if _, err := p.Accept(ids); err != nil {
		t.Fatal(err)
	}
}

// Landing finishes the pull request of work that has landed, and the merge once that is accepted; nothing is left then.
func TestLandingIntegrates(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress", "w-b #2 state=In Progress")
	extend(t, p, "w-a", "w-b")
	follow(t, p)
	wantStates(t, p, "w-a In Progress, w-b In Progress")
	finish(t, p, Result{}, "t-w-a-implement")
	if !Follows(p, nil, ByLanding) || Follows(p, map[string]bool{"t-w-a-pr": true}, ByLanding) || Follows(p, nil, ByPullRequests) {
		t.Error("it is not known whether anything follows")
	}
	wantStates(t, p, "w-a In Progress, w-b In Progress")
	follow(t, p)
	wantStates(t, p, "w-a In Review, w-b In Review")
	if Follows(p, nil, ByLanding) {
		t.Error("something follows although nothing is accepted")
	}
	accept(t, p, "t-w-a-implement")
	follow(t, p)
	wantStates(t, p, "w-a Done, w-b Done")
	if left := tasksIn(p); left != "" {
		t.Errorf("left:\n%s", left)
	}
}

// What is finished on the target has landed; on other branches it has not.
func TestFinishingOnTheTargetIsLanding(t *testing.T) {
	for on, want := range map[bool]string{false: "w-a In Progress, w-b Ready for Plan", true: "w-a In Review, w-b Ready for Plan"} {
		p := planOf(t, "w-a #1 state=In Progress", "w-b #2 state=Research Needed")
		extend(t, p, "w-a")
		extend(t, p, "w-b")
		f := finishing(Result{})
		f.OnTarget = on
		if _, err := Finish(p, []string{"t-w-a-implement", "t-w-b-research"}, f, stamp()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, p, want)
		if _, left := p.Task("t-w-b-research"); left == on {
			t.Errorf("on the target %t: the research is left %t", on, left)
		}
	}
}

// An Implement that is rejected after its pull request was created takes its items back; it has a pull request again, and one merge.
func TestRejectedAfterItsPullRequest(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress", "w-b #2 state=In Progress")
	extend(t, p, "w-a", "w-b")
	finish(t, p, Result{}, "t-w-a-implement")
	follow(t, p)
	if _, err := p.Reject("t-w-a-implement", "a gap"); err != nil {
		t.Fatal(err)
	}
	follow(t, p)
	wantStates(t, p, "w-a In Progress, w-b In Progress")
	want(t, p,
		"t-w-a-implement: Implement GH-1 (builder)", "t-w-a-pr-2: Create PR for GH-1 (integrator) <- t-w-a-implement",
		"t-w-a-merge: Merge PR for GH-1 (integrator) <- t-w-a-pr-2")
	finish(t, p, Result{}, "t-w-a-implement")
	follow(t, p)
	accept(t, p, "t-w-a-implement")
	follow(t, p)
	wantStates(t, p, "w-a Done, w-b Done")
	if left := tasksIn(p); left != "" {
		t.Errorf("left:\n%s", left)
	}
}

// No agent is started for pull requests and merges, and nobody verifies what landing or a review accepts.
func TestNotForAgents(t *testing.T) {
	p := planOf(t, "w-a #1 state=Ready for Plan", "w-b #2 state=Research Needed", "w-c #3 state=In Progress")
	for _, id := range []string{"w-a", "w-b", "w-c"} {
		extend(t, p, id)
	}
	finish(t, p, Result{}, "t-w-a-plan", "t-w-b-research", "t-w-c-implement", "t-w-c-pr")
	not := slices.Sorted(maps.Keys(NotForAgents(p)))
	const pending = "t-w-a-merge t-w-a-plan t-w-a-pr t-w-b-merge t-w-b-pr t-w-b-research t-w-c-merge t-w-c-pr"
	if got := strings.Join(not, " "); got != pending {
		t.Errorf("not for agents: %s, want %s", got, pending)
	}
	if _, err := p.Cancel([]string{"t-w-a-review"}, plan.CancelDetach); err != nil {
		t.Fatal(err)
	}
	if NotForAgents(p)["t-w-a-plan"] {
		t.Error("nobody reviews the plan, and nobody verifies it")
	}
}

// A merge waits until what an Implement was decomposed into is accepted.
func TestMergeOfDecomposedWork(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress")
	extend(t, p, "w-a")
	if _, err := p.Decompose("t-w-a-implement", parts("one", "two"), stamp()); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range p.Of(plan.KindTask) {
		if r.Text("parent") == "t-w-a-implement" {
			ids = append(ids, r.ID())
		}
	}
	finish(t, p, Result{}, ids[0])
	follow(t, p)
	wantStates(t, p, "w-a In Progress")
	finish(t, p, Result{}, ids[1])
	follow(t, p)
	wantStates(t, p, "w-a In Review")
	accept(t, p, ids[0])
	follow(t, p)
	wantStates(t, p, "w-a In Review")
	accept(t, p, ids[1])
	follow(t, p)
	wantStates(t, p, "w-a Done")
}

func parts(names ...string) []jsonl.Object {
	var all []jsonl.Object
	for _, name := range names {
		all = append(all, object(jsonl.TextMember("name", name)))
	}
	return all
}
