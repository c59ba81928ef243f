package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/plan"
)

// reviewed returns a plan with a group of two whose plan is done.
func reviewed(t *testing.T) *plan.Plan {
	t.Helper()
	p := planOf(t, "w-a #1 state=Ready for Plan", "w-b #2 state=Ready for Plan")
	extend(t, p, "w-a", "w-b")
	finish(t, p, Result{Artifact: "plan.md"}, "t-w-a-plan")
	return p
}

// A plan that needs iteration is rejected with the reason, and its review is pending again: three times, then a person is needed.
func TestReviewSendsPlansBack(t *testing.T) {
	p := reviewed(t)
	for n := 1; n <= 4; n++ {
		finish(t, p, Result{Verdict: NeedsIteration, Reason: fmt.Sprintf("gap %d", n)}, "t-w-a-review")
		task, _ := p.Task("t-w-a-plan")
		review, _ := p.Task("t-w-a-review")
		if !task.Pending() || !review.Pending() || task.Text("reject") != fmt.Sprintf("gap %d", n) {
			t.Fatalf("after %d: %s\n%s", n, task.JSON(), review.JSON())
		}
		if n == 4 {
			break
		}
		wantStates(t, p, "w-a Ready for Plan, w-b Ready for Plan")
		finish(t, p, Result{}, "t-w-a-plan")
	}
	wantStates(t, p, "w-a Human Needed, w-b Human Needed")
	item, _ := p.Item("w-b")
	if reason := textIn(item.Meta(), metaEscalation); reason != "" {
		t.Error(reason)
	}
	escalation, _ := item.Meta().Get(metaEscalation)
	if reason := textIn(escalation.Object(), "reason"); !strings.Contains(reason, "gap 4") {
		t.Errorf("reason %q", reason)
	}
	if n := len(p.Of(plan.KindReject)); n != 4 {
		t.Errorf("%d tombstones", n)
	}
	// Once a person has looked at it, the review counts from the beginning.
	for _, id := range []string{"w-a", "w-b"} {
		if _, err := Move(p, id, ReadyForPlan, "", time.Time{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	extend(t, p, "w-a", "w-b")
	finish(t, p, Result{}, "t-w-a-plan")
	finish(t, p, Result{Verdict: NeedsIteration, Reason: "gap 5"}, "t-w-a-review")
	wantStates(t, p, "w-a Ready for Plan, w-b Ready for Plan")
}

// A verdict needs what it says: one of two words, and a reason for sending back.
func TestVerdicts(t *testing.T) {
	p := reviewed(t)
	before := string(p.Encode())
	for _, r := range []Result{{}, {Verdict: "approved"}, {Verdict: NeedsIteration}, {Verdict: NeedsIteration, Reason: "  "}} {
		if _, err := Finish(p, []string{"t-w-a-review"}, finishing(r), stamp()); err == nil || string(p.Encode()) != before {
			t.Errorf("%+v: error %v", r, err)
		}
	}
}

// The events of a verdict are those that history shows.
func TestEventsOfVerdicts(t *testing.T) {
	names := func(c plan.Change) string {
		var all []string
		for _, e := range c.Events {
			all = append(all, string(e.Name)+" "+e.ID)
		}
		return strings.Join(all, ", ")
	}
	p := reviewed(t)
	got := names(finish(t, p, Result{Verdict: NeedsIteration, Reason: "gap"}, "t-w-a-review"))
	if want := "edited t-w-a-review, rejected t-w-a-plan, item-moved w-a, item-moved w-b"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	got = names(finish(t, reviewed(t), Result{Verdict: Approved}, "t-w-a-review"))
	if want := "done t-w-a-review, accepted t-w-a-plan, accepted t-w-a-review, item-moved w-a, item-moved w-b"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}

// awaiting returns a plan whose review awaits a person.
func awaiting(t *testing.T) *plan.Plan {
	t.Helper()
	p := reviewed(t)
	f := finishing(Result{Verdict: Approved, Artifact: "review.md"})
	f.Gate = true
	if _, err := Finish(p, []string{"t-w-a-review"}, f, stamp()); err != nil {
		t.Fatal(err)
	}
	return p
}

// At the gate the report is there and the review stays pending; it is not ready, and nothing after it begins.
func TestGate(t *testing.T) {
	p := awaiting(t)
	wantStates(t, p, "w-a Plan in Review, w-b Plan in Review")
	review, _ := p.Task("t-w-a-review")
	if !review.Pending() || strings.Join(p.BlockedBy(review), " ") != "w-a" || strings.Join(p.DepIndex().BlockedBy(&review), " ") != "w-a" || !p.DepIndex().Blocked(&review) {
		t.Errorf("the review is ready: %s", review.JSON())
	}
	if paths, _ := review.Meta().Get(metaArtifacts); paths != `["review.md"]` {
		t.Errorf("artifacts %s", paths)
	}
	if _, err := Finish(p, []string{"t-w-a-review"}, finishing(Result{Verdict: Approved}), stamp()); err == nil {
		t.Error("a second report goes through the gate")
	}
}

// A person approves by naming any item of the group, or sends the plan back, which is not counted.
func TestDecisionsAtTheGate(t *testing.T) {
	p := awaiting(t)
	if _, err := Approve(p, []string{"w-b", "w-a"}, finishing(Result{}), stamp()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, p, "w-a In Progress, w-b In Progress")
	if _, found := p.Task("t-w-a-review"); found {
		t.Error("the review is not accepted")
	}
	for range 6 {
		p = awaiting(t)
		if _, err := Disapprove(p, "w-b", finishing(Result{Reason: "no"}), stamp()); err != nil {
			t.Fatal(err)
		}
		wantStates(t, p, "w-a Ready for Plan, w-b Ready for Plan")
		review, _ := p.Task("t-w-a-review")
		if task, _ := p.Task("t-w-a-plan"); !task.Pending() || task.Text("reject") != "no" || strings.Join(p.BlockedBy(review), " ") != "t-w-a-plan" {
			t.Errorf("%s", task.JSON())
		}
	}
}

// Only what awaits a decision can be decided about.
func TestNothingToDecide(t *testing.T) {
	p := reviewed(t)
	_, err := Approve(p, []string{"w-a"}, finishing(Result{}), stamp())
	if _, ok := errors.AsType[*NotAwaitingError](err); !ok {
		t.Errorf("error %v: its plan is not reviewed", err)
	}
	if _, err := Disapprove(p, "w-a", finishing(Result{Reason: "I read it myself"}), stamp()); err != nil {
		t.Errorf("a plan that is done cannot be sent back: %v", err)
	}
	p = planOf(t, "w-a state=Ready for Plan", "w-b")
	extend(t, p, "w-a")
	for _, id := range []string{"w-a", "w-b"} {
		if _, err := Approve(p, []string{id}, finishing(Result{}), stamp()); err == nil {
			t.Errorf("%s is approved", id)
		}
		if _, err := Disapprove(p, id, finishing(Result{Reason: "no"}), stamp()); err == nil {
			t.Errorf("%s is sent back", id)
		}
	}
}

// A claim writes nothing: readers see the lock state while there is one.
func TestShownStates(t *testing.T) {
	p := planOf(t, "w-a #1 state=Research Needed", "w-b #2 state=Ready for Plan", "w-c #3 state=In Progress")
	extend(t, p, "w-a", "w-b", "w-c")
	for claimed, want := range map[string]string{
		"t-w-a-research": "map[w-a:Research in Progress]", "t-w-a-plan": "map[w-b:Plan in Progress]", "t-w-c-implement": "map[]", "t-w-a-review": "map[]", "": "map[]",
	} {
		if got := fmt.Sprint(Shown(p, map[string]bool{claimed: true})); got != want {
			t.Errorf("%s claimed: %s, want %s", claimed, got, want)
		}
	}
	if state := Of(p).WithStates(map[string]string{"w-a": ResearchInProgress}).State("w-a"); state != ResearchInProgress {
		t.Errorf("state %q", state)
	}
}

func TestReviewModes(t *testing.T) {
	for text, want := range map[string]ReviewMode{"": AutoReview, "auto": AutoReview, "interactive": InteractiveReview, "Auto": "", "skip": ""} {
		if got, err := ParseReviewMode(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// An item that is too large, but was planned all the same, is not split when its plan is sent back: neither its task nor the plan need be there.
func TestLargePlansThatAreSentBack(t *testing.T) {
	for _, state := range []string{PlanInProgress, PlanInReview} {
		p := planOf(t, "w-a #1 estimate=XL state="+state)
		extend(t, p, "w-a")
		if state == PlanInProgress {
			finish(t, p, Result{}, "t-w-a-plan")
			if _, err := p.Accept([]string{"t-w-a-plan"}); err != nil {
				t.Fatal(err)
			}
		}
		finish(t, p, Result{Verdict: NeedsIteration, Reason: "a gap"}, "t-w-a-review")
		extend(t, p, "w-a")
		if _, found := p.Task("t-w-a-split"); found || strings.Count(tasksIn(p), ": Plan GH-1") != 1 {
			t.Errorf("from %s:\n%s", state, tasksIn(p))
		}
	}
}
