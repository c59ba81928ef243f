package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// Clones that go on by themselves, and merge again and again, bring all items to an end too.
func TestEveryItemOfTwoClonesComesToAnEnd(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := newWalker(t, r, randomPlan(r))
		for range r.IntN(6) {
			w.step()
		}
		for round := range 3 {
			w.diverge(1 + round)
		}
		w.do("plan", func() (plan.Change, error) { return Extend(w.plan, w.ids, nil) })
		w.toTheEnd()
	}
}

// diverge lets two clones go on, merges them, and resolves the conflicts at random.
func (w *walker) diverge(round int) {
	base, ids := string(w.plan.Encode()), w.ids
	var sides [2]string
	for i := range sides {
		before := len(w.ids)
		w.plan, w.subs = decode(w.t, base), 100*round+10*i
		w.log = append(w.log, fmt.Sprint("== side ", i))
		for range w.r.IntN(6) {
			w.step()
		}
		sides[i], ids = string(w.plan.Encode()), append(ids, w.ids[before:]...)
		w.ids = w.ids[:before:before]
	}
	w.log, w.ids, w.subs = append(w.log, "== merged"), ids, 100*round+20
	w.plan = merged(w.t, base, sides[0], sides[1])
	if choices := w.choices(); len(choices) > 0 {
		w.do("resolve", func() (plan.Change, error) { return w.plan.ResolveConflicts(choices) })
	}
	switch w.r.IntN(3) {
	case 0:
		w.do("plan", func() (plan.Change, error) { return Extend(w.plan, w.ids, nil) })
	case 1:
		w.do("follow", func() (plan.Change, error) { return FollowLanding(w.plan, landing()) })
	}
}

func merged(t *testing.T, base, ours, theirs string) *plan.Plan {
	t.Helper()
	got, err := merge.Merge([]byte(base), []byte(ours), []byte(theirs))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, string(got.Data))
}

func (w *walker) choices() []plan.Choice {
	var all []plan.Choice
	for _, r := range slices.Concat(w.plan.Of(plan.KindTask), w.plan.Of(plan.KindItem)) {
		for _, c := range r.Conflicts() {
			choice := plan.Choice{Kind: c.Kind, ID: c.ID, Field: c.Field, Value: c.Value}
			if c.Field == plan.Removed {
				choice.Remove = w.r.IntN(2) == 0 && len(w.plan.Dependants(c.ID)) == 0
			} else if w.r.IntN(2) == 0 {
				choice.Value = c.Candidates[w.r.IntN(len(c.Candidates))]
			}
			all = append(all, choice)
		}
	}
	return all
}

// Two clones plan groups that have an item in common: it is in one of them, and nothing is left to resolve.
func TestOverlappingGroupsOfTwoClones(t *testing.T) {
	items := []string{"w-a #1 state=Ready for Plan", "w-b #2 state=Ready for Plan", "w-c #3 state=Ready for Plan"}
	for _, c := range []struct {
		name         string
		ours, theirs []string
		want         []string
	}{
		{"another first item", []string{"w-a", "w-b"}, []string{"w-b", "w-c"}, slices.Concat(tail("w-a", "GH-1", "Plan group GH-1", "", ""), tail("w-c", "GH-3", "Plan GH-3", "", ""))},
		{"the same first item", []string{"w-a", "w-b"}, []string{"w-a", "w-c"}, slices.Concat(
			tail("w-a", "GH-1", "Plan GH-1", "", "stream-1"), tail("w-b", "GH-2", "Plan GH-2", "", "stream-2"), tail("w-c", "GH-3", "Plan GH-3", "", "stream-3"),
		)},
		{"one alone", []string{"w-a", "w-b"}, []string{"w-b"}, nil},
	} {
		base, ours, theirs := planOf(t, items...), planOf(t, items...), planOf(t, items...)
		extend(t, ours, c.ours...)
		if _, err := ours.EditItem(c.ours[0], nil, []jsonl.Member{member("k", "v")}); err != nil {
			t.Fatal(err)
		}
		if len(c.theirs) == 1 {
			if _, err := theirs.MoveItem("w-a", Done, "", stamp().Now); err != nil {
				t.Fatal(err)
			}
		}
		extend(t, theirs, c.theirs...)
		p := merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
		for _, r := range p.Of(plan.KindTask) {
			if r.Has("conflict") {
				t.Errorf("%s: %s", c.name, r.JSON())
			}
		}
		extend(t, p, "w-a", "w-b", "w-c")
		if c.want != nil {
			want(t, p, c.want...)
		}
		checkGraph(t, p)
		once := string(p.Encode())
		if extend(t, p, "w-a", "w-b", "w-c"); string(p.Encode()) != once {
			t.Errorf("%s: creating it again changes it", c.name)
		}
	}
}

// One clone finished the pull request of an item while the other one left it to a person: what is done stays done, and what
// the answer calls for is done again.
func TestItemsCatchUpAfterAMerge(t *testing.T) {
	base := planOf(t, "w-a #1 state=In Progress")
	extend(t, base, "w-a")
	finish(t, base, Result{}, "t-w-a-implement")
	ours, theirs := decode(t, string(base.Encode())), decode(t, string(base.Encode()))
	finish(t, ours, Result{}, "t-w-a-pr")
	if _, err := theirs.Edit("t-w-a-merge", nil, []jsonl.Member{member("k", "v")}); err != nil {
		t.Fatal(err)
	}
	p := merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
	if _, err := p.MoveItem("w-a", InProgress, "", stamp().Now); err != nil {
		t.Fatal(err)
	}
	next := decode(t, string(p.Encode()))
	extend(t, p, "w-a")
	wantStates(t, p, "w-a In Review")
	finish(t, next, Result{}, "t-w-a-merge")
	wantStates(t, next, "w-a Done")

	if _, err := Move(theirs, "w-a", HumanNeeded, "why?", stamp().Now, nil); err != nil {
		t.Fatal(err)
	}
	p = merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
	wantStates(t, p, "w-a Human Needed")
	if _, err := Move(p, "w-a", InProgress, "", stamp().Now, nil); err != nil {
		t.Fatal(err)
	}
	wantStates(t, p, "w-a In Progress")
	task, _ := p.Task("t-w-a-merge")
	if waits := p.BlockedBy(task); !slices.Equal(waits, []string{"t-w-a-pr-2"}) {
		t.Errorf("the merge waits for %v:\n%s", waits, tasksIn(p))
	}
}

// One clone split an item of a group in another way than the clone that went on to finish the group's plan: what that plan is not for has its own.
func TestItemsThatComeTooLateForAPlan(t *testing.T) {
	base := planOf(t, "w-a #1 state=Ready for Plan estimate=L", "w-b #2 state=Ready for Plan")
	extend(t, base, "w-a", "w-b")
	sides := make([]*plan.Plan, 2)
	for i := range sides {
		sides[i] = decode(t, string(base.Encode()))
		sub := object(member("id", fmt.Sprint("w-sub", i)), member("name", fmt.Sprint("part ", i)), member("parent", "w-a"))
		if _, err := sides[i].AddItems([]jsonl.Object{sub}, stamp()); err != nil {
			t.Fatal(err)
		}
		finish(t, sides[i], Result{}, "t-w-a-split")
	}
	finish(t, sides[0], Result{Verdict: Canceled}, "t-w-sub0-triage")
	finish(t, sides[0], Result{}, "t-w-b-plan")
	p := merged(t, string(base.Encode()), string(sides[0].Encode()), string(sides[1].Encode()))
	extend(t, p, "w-a", "w-b")
	finish(t, p, Result{Verdict: Approved}, "t-w-b-review")
	finish(t, p, Result{Verdict: ReadyForPlan}, "t-w-sub1-triage")
	if _, found := p.Task("t-w-sub1-plan"); !found {
		t.Error(tasksIn(p))
	}
	wantStates(t, p, "w-a Backlog, w-b In Progress, w-sub0 Canceled, w-sub1 Ready for Plan")
}

// What a person moves stays there, whatever was accepted before, and however the item came to be left to a person.
func TestMovesOfAPersonAreNotUndone(t *testing.T) {
	p := planOf(t, "w-a #1 state=In Progress")
	extend(t, p, "w-a")
	finish(t, p, Result{}, "t-w-a-implement", "t-w-a-pr")
	if _, err := p.Accept([]string{"t-w-a-implement", "t-w-a-pr"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.MoveItem("w-a", HumanNeeded, "", stamp().Now); err != nil {
		t.Fatal(err)
	}
	if _, err := Move(p, "w-a", InProgress, "", stamp().Now, nil); err != nil {
		t.Fatal(err)
	}
	extend(t, p, "w-a")
	wantStates(t, p, "w-a In Progress")
	want(t, p, "t-w-a-implement-2: Implement GH-1 (builder)", "t-w-a-pr-2: Create PR for GH-1 (integrator) <- t-w-a-implement-2", "t-w-a-merge: Merge PR for GH-1 (integrator) <- t-w-a-pr-2")
}

// A person sent a plan back in one clone, while its review awaited approval in the other: only another plan can be approved.
func TestApprovalOfAPlanThatWasSentBack(t *testing.T) {
	base := planOf(t, "w-a #1 state=Ready for Plan")
	extend(t, base, "w-a")
	finish(t, base, Result{}, "t-w-a-plan")
	ours, theirs := decode(t, string(base.Encode())), decode(t, string(base.Encode()))
	f := finishing(Result{Verdict: Approved})
	f.Gate = true
	if _, err := Finish(ours, []string{"t-w-a-review"}, f, stamp()); err != nil {
		t.Fatal(err)
	}
	if _, err := Disapprove(theirs, "w-a", finishing(Result{Reason: "a gap"}), stamp()); err != nil {
		t.Fatal(err)
	}
	p := merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
	if _, err := Approve(p, []string{"w-a"}, finishing(Result{}), stamp()); err == nil || err.Error() != "t-w-a-review waits for t-w-a-plan" {
		t.Errorf("error %v", err)
	}
}

// Ids that something else has are passed over: other tasks, and the tombstones of tasks that are gone.
func TestIDsThatAreTaken(t *testing.T) {
	p := planOf(t, "w-a #1 state=Ready for Plan", "w-b #2 state=Plan in Review")
	text := string(p.Encode()) + `{"t": "task", "id": "t-w-a-plan", "name": "mine", "s": "p"}
{"t": "reject", "id": "t-w-b-review", "done_at": "0123456789ab", "reason": "a gap"}
`
	p = decode(t, text)
	extend(t, p, "w-a", "w-b")
	for _, id := range []string{"t-w-a-plan-2", "t-w-b-review-2"} {
		if task, found := p.Task(id); !found || !task.IsOfItem() {
			t.Errorf("no %s:\n%s", id, tasksIn(p))
		}
	}
}

// One clone finished a plan and its review, both accepted and gone, while the other one left the item to a person: the answer that it is ready for a plan
// calls for another review, too.
func TestAnswerAfterTheOtherCloneApproved(t *testing.T) {
	base := planOf(t, "w-a #1 state=Ready for Plan")
	extend(t, base, "w-a")
	ours, theirs := decode(t, string(base.Encode())), decode(t, string(base.Encode()))
	finish(t, ours, Result{}, "t-w-a-plan")
	finish(t, ours, Result{Verdict: Approved}, "t-w-a-review")
	if _, err := Move(theirs, "w-a", HumanNeeded, "why?", stamp().Now, nil); err != nil {
		t.Fatal(err)
	}
	p := merged(t, string(base.Encode()), string(ours.Encode()), string(theirs.Encode()))
	if _, err := Move(p, "w-a", ReadyForPlan, "", stamp().Now, nil); err != nil {
		t.Fatal(err)
	}
	extend(t, p, "w-a")
	if task, found := p.Task("t-w-a-review-2"); !found || !slices.Equal(p.BlockedBy(task), []string{"t-w-a-plan-2"}) {
		t.Errorf("no other review:\n%s", tasksIn(p))
	}
}
