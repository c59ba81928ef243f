package pipeline

import (
	"errors"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

const head = "0123456789abcdef"

func stamp() plan.Stamp {
	n := 0
	return plan.Stamp{Now: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Random: func(max int) int { n++; return n % max }}
}

func finishing(r Result) Finishing {
	return Finishing{DoneOptions: plan.DoneOptions{Head: head}, Result: r}
}

func finish(t testing.TB, p *plan.Plan, r Result, ids ...string) plan.Change {
	t.Helper()
	c, err := Finish(p, ids, finishing(r), stamp())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// landing is how the plan of a target follows its tasks.
func landing() Following { return Following{Head: "0123456789abcdef", Stamp: stamp()} }

// statesIn lists the states of the items, "w-a Done, w-b Backlog".
func statesIn(p *plan.Plan) string {
	var all []string
	for _, r := range p.Of(plan.KindItem) {
		all = append(all, r.ID()+" "+r.Text("state"))
	}
	return strings.Join(all, ", ")
}

func wantStates(t testing.TB, p *plan.Plan, want string) {
	t.Helper()
	if got := statesIn(p); got != want {
		t.Errorf("states %q, want %q", got, want)
	}
}

// An item goes all the way: its state follows each task.
func TestStateFollowsWork(t *testing.T) {
	p := planOf(t, "w-a #1")
	extend(t, p, "w-a")
	for _, step := range []struct {
		id     string
		result Result
		state  string
	}{
		{"t-w-a-triage", Result{Verdict: ResearchNeeded}, ResearchNeeded},
		{"t-w-a-research", Result{Artifact: "r.md", Files: []string{"a.go"}}, ReadyForPlan},
		{"t-w-a-plan", Result{Artifact: "p.md"}, PlanInReview},
		{"t-w-a-review", Result{Verdict: Approved, Artifact: "v.md"}, InProgress},
		{"t-w-a-implement", Result{}, InProgress},
		{"t-w-a-pr", Result{}, InReview},
		{"t-w-a-merge", Result{}, Done},
	} {
		finish(t, p, step.result, step.id)
		wantStates(t, p, "w-a "+step.state)
	}
	r, _ := p.Item("w-a")
	if v, _ := r.Get("artifacts"); v != `{"research": "r.md", "plan": "p.md", "review": "v.md"}` {
		t.Errorf("artifacts %s", v)
	}
	if files := r.Texts("files"); strings.Join(files, " ") != "a.go" {
		t.Errorf("files %v", files)
	}
	for _, gone := range []string{"t-w-a-plan", "t-w-a-review"} {
		if _, found := p.Task(gone); found {
			t.Errorf("%s is still there: the verdict accepts both", gone)
		}
	}
}

// A group's task moves every member; research and triage move one.
func TestTasksOfAGroupMoveEveryMember(t *testing.T) {
	p := planOf(t, "w-a #1 state=Research Needed", "w-b #2 state=Research Needed")
	extend(t, p, "w-a", "w-b")
	finish(t, p, Result{}, "t-w-b-research")
	wantStates(t, p, "w-a Research Needed, w-b Ready for Plan")
	finish(t, p, Result{}, "t-w-a-research")
	finish(t, p, Result{Artifact: "p.md"}, "t-w-a-plan")
	wantStates(t, p, "w-a Plan in Review, w-b Plan in Review")
	finish(t, p, Result{Verdict: Approved}, "t-w-a-review")
	wantStates(t, p, "w-a In Progress, w-b In Progress")
	b, _ := p.Item("w-b")
	if v, _ := b.Get("artifacts"); v != `{"plan": "p.md"}` {
		t.Errorf("artifacts of w-b: %s", v)
	}
}

// What a person has moved elsewhere, or is needed for, stays there.
func TestWorkDoesNotMoveItemsBack(t *testing.T) {
	for _, state := range []string{PlanInReview, InProgress, HumanNeeded, Done} {
		p := planOf(t, "w-a #1 state=Research Needed", "w-b #2")
		extend(t, p, "w-a")
		if _, err := p.MoveItem("w-a", state, "", time.Time{}); err != nil {
			t.Fatal(err)
		}
		f := finishing(Result{})
		f.Force = true
		if _, err := Finish(p, []string{"t-w-a-research"}, f, stamp()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, p, "w-a "+state+", w-b Backlog")
	}
}

// Triage decides what becomes of an item; its chain is added along with that.
func TestTriage(t *testing.T) {
	for verdict, first := range map[string]string{ResearchNeeded: "t-w-a-research", ReadyForPlan: "t-w-a-plan", Done: "", Canceled: ""} {
		p := planOf(t, "w-a #1")
		extend(t, p, "w-a")
		finish(t, p, Result{Verdict: verdict}, "t-w-a-triage")
		wantStates(t, p, "w-a "+verdict)
		if _, found := p.Task("t-w-a-merge"); found != (first != "") {
			t.Errorf("%s: merge task %v", verdict, found)
		}
		if _, found := p.Task(first); found != (first != "") {
			t.Errorf("%s: no task %q", verdict, first)
		}
	}
	p := planOf(t, "w-a #1")
	extend(t, p, "w-a")
	for _, verdict := range []string{"", InProgress, Approved} {
		if _, err := Finish(p, []string{"t-w-a-triage"}, finishing(Result{Verdict: verdict}), stamp()); err == nil {
			t.Errorf("verdict %q is accepted", verdict)
		}
	}
}

// Whoever was triaged goes along with the group that is waiting; who was canceled does not.
func TestTriageWithinAGroup(t *testing.T) {
	p := planOf(t, "w-a #1 state=Research Needed", "w-b #2", "w-c #3")
	extend(t, p, "w-a", "w-b", "w-c")
	finish(t, p, Result{Verdict: ResearchNeeded}, "t-w-b-triage")
	finish(t, p, Result{Verdict: Canceled}, "t-w-c-triage")
	want(t, p, append(tail("w-a", "GH-1", "Plan group GH-1", "t-w-a-research t-w-b-research t-w-b-triage t-w-c-triage", ""),
		"t-w-a-research: Research GH-1 (analyst)", "t-w-b-research: Research GH-2 (analyst)",
		"t-w-b-triage: Triage GH-2 (analyst) done", "t-w-c-triage: Triage GH-3 (analyst) done")...)
	finish(t, p, Result{}, "t-w-a-research", "t-w-b-research")
	finish(t, p, Result{}, "t-w-a-plan")
	wantStates(t, p, "w-a Plan in Review, w-b Plan in Review, w-c Canceled")
}

// Nobody of a group is triaged yet: the group is not forgotten.
func TestTriageOfAWholeGroup(t *testing.T) {
	p := planOf(t, "w-a #1", "w-b #2")
	extend(t, p, "w-a", "w-b")
	finish(t, p, Result{Verdict: ReadyForPlan}, "t-w-b-triage")
	want(t, p, append(tail("w-a", "GH-1", "Plan group GH-1", "t-w-a-triage", ""),
		"t-w-a-triage: Triage GH-1 (analyst)", "t-w-b-triage: Triage GH-2 (analyst) done")...)
}

// A split adds the tasks of the sub-items, which stand in the place of what was split.
func TestSplit(t *testing.T) {
	p := planOf(t, "w-l #1 state=Research Needed estimate=L", "w-z #9 state=Research Needed")
	extend(t, p, "w-l", "w-z")
	_, err := Finish(p, []string{"t-w-l-split"}, finishing(Result{}), stamp())
	if _, ok := errors.AsType[*NotSplitError](err); !ok {
		t.Fatalf("error %v, want that it has no sub-items", err)
	}
	for _, id := range []string{"w-s1", "w-s2"} {
		sub := object(member("id", id), member("name", id), member("parent", "w-l"), member("estimate", "S"))
		if _, err := p.AddItems([]jsonl.Object{sub}, stamp()); err != nil {
			t.Fatal(err)
		}
	}
	finish(t, p, Result{}, "t-w-l-split")
	wantStates(t, p, "w-l Backlog, w-s1 Backlog, w-s2 Backlog, w-z Research Needed")
	plans := 0
	for _, line := range strings.Split(tasksIn(p), "\n") {
		if strings.Contains(line, "Plan group") {
			plans++
			for _, dep := range []string{"t-w-s1-triage", "t-w-s2-triage", "t-w-z-research"} {
				if !strings.Contains(line, dep) {
					t.Errorf("%s: want it to wait for %s", line, dep)
				}
			}
		}
	}
	if plans != 1 {
		t.Errorf("%d plans of the group:\n%s", plans, tasksIn(p))
	}
}

// The last research of a group replaces its chain by one for each stream, once.
func TestStreamsReplaceTheChainAfterTheLastResearch(t *testing.T) {
	p := planOf(t, "w-a #1 state=Research Needed", "w-b #2 state=Research Needed", "w-c #3 state=Research Needed")
	extend(t, p, "w-a", "w-b", "w-c")
	finish(t, p, Result{Files: []string{"x"}}, "t-w-a-research")
	finish(t, p, Result{Files: []string{"y"}}, "t-w-b-research")
	group := tail("w-a", "GH-1", "Plan group GH-1", "t-w-a-research t-w-b-research t-w-c-research", "")
	want(t, p, append(group, "t-w-a-research: Research GH-1 (analyst) done", "t-w-b-research: Research GH-2 (analyst) done", "t-w-c-research: Research GH-3 (analyst)")...)
	finish(t, p, Result{Files: []string{"./x"}}, "t-w-c-research")
	lines := append(tail("w-a", "GH-1", "Plan group GH-1", "t-w-a-research t-w-c-research", "stream-1-3"), tail("w-b", "GH-2", "Plan GH-2", "", "stream-2")...)
	lines = append(lines, "t-w-a-research: Research GH-1 (analyst) done", "t-w-b-research: Research GH-2 (analyst) done", "t-w-c-research: Research GH-3 (analyst) done")
	want(t, p, lines...)
	// Kept, whatever files are found later.
	if _, err := p.EditItem("w-b", []jsonl.Member{list("files", []string{"x"})}, nil); err != nil {
		t.Fatal(err)
	}
	extend(t, p, "w-a", "w-b", "w-c")
	want(t, p, lines...)
}

// A chain that somebody works on stays as it is, and so does one with a single stream.
func TestWhenStreamsReplaceNothing(t *testing.T) {
	for _, it := range []struct {
		file    string
		claimed map[string]bool
		plan    string
	}{
		{"own", map[string]bool{"t-w-a-merge": true}, ""},
		{"x", nil, "stream-1-2-3"},
	} {
		p := planOf(t, "w-a #1 state=Ready for Plan files=x", "w-b #2 state=Ready for Plan files=x", "w-c #3 state=Research Needed")
		extend(t, p, "w-a", "w-b", "w-c")
		f := finishing(Result{Files: []string{it.file}})
		f.Claimed = it.claimed
		if _, err := Finish(p, []string{"t-w-c-research"}, f, stamp()); err != nil {
			t.Fatal(err)
		}
		want(t, p, append(tail("w-a", "GH-1", "Plan group GH-1", "t-w-c-research", it.plan), "t-w-c-research: Research GH-3 (analyst) done")...)
	}
}

// An item that is done or canceled cancels its tasks; those of a group go on while one member does.
func TestFinalItemsCancelTheirTasks(t *testing.T) {
	p := planOf(t, "w-a #1", "w-b #2 state=Ready for Plan")
	extend(t, p, "w-a", "w-b")
	if _, err := Move(p, "w-a", Canceled, "", time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	want(t, p, tail("w-b", "GH-2", "Plan GH-2", "", "")...)
	p = planOf(t, "w-a #1")
	extend(t, p, "w-a")
	if _, err := Move(p, "w-a", Done, "", time.Time{}, nil); err != nil {
		t.Fatal(err)
	}
	want(t, p)
}

// Work that is rejected after its item was done is not cancelled: somebody has to do it again.
func TestRejectedWorkOfADoneItemStays(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress", "w-b #2 state=Research Needed")
	extend(t, p, "w-a")
	extend(t, p, "w-b")
	finish(t, p, Result{}, "t-w-a-implement", "t-w-a-pr", "t-w-a-merge")
	if _, err := p.Reject("t-w-a-implement", "a gap"); err != nil {
		t.Fatal(err)
	}
	finish(t, p, Result{}, "t-w-b-research")
	if task, found := p.Task("t-w-a-implement"); !found || !task.Pending() {
		t.Error(tasksIn(p))
	}
	finish(t, p, Result{}, "t-w-a-implement")
	wantStates(t, p, "w-a Done, w-b Ready for Plan")
}

// Results are refused where they mean nothing, and all of a change with them.
func TestRefusedResults(t *testing.T) {
	p := planOf(t, "w-a #1 state=Ready for Plan")
	extend(t, p, "w-a")
	before := string(p.Encode())
	for _, it := range []struct {
		ids    []string
		result Result
	}{
		{[]string{"t-w-a-plan"}, Result{Verdict: Approved}},
		{[]string{"t-w-a-plan", "t-w-a-review"}, Result{}},
		{[]string{"t-w-a-review"}, Result{Verdict: Approved}}, // its plan is not done
		{[]string{"t-w-a-plan", "t-w-none"}, Result{}},
	} {
		if _, err := Finish(p, it.ids, finishing(it.result), stamp()); err == nil {
			t.Errorf("%v with %+v is accepted", it.ids, it.result)
		}
		if string(p.Encode()) != before {
			t.Fatalf("%v with %+v changed the plan", it.ids, it.result)
		}
	}
}

// Tasks that are not of the pipeline are just done, and keep what was given.
func TestFinishOfOtherTasks(t *testing.T) {
	p := decode(t, `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-x", "spec": "s.md", "name": "Plan GH-42", "s": "p"}
`)
	finish(t, p, Result{Verdict: "fine", Artifact: "a.md"}, "t-x")
	r, _ := p.Task("t-x")
	if got := r.Meta().Text(); !r.Done() || got != `{"verdict": "fine", "artifacts": ["a.md"]}` {
		t.Errorf("meta %s", got)
	}
}
