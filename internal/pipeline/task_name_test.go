package pipeline

import (
	"strings"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Names are read as they are written, and in the shorter forms of others.
func TestTaskNames(t *testing.T) {
	for _, step := range Steps() {
		for _, group := range []bool{false, true} {
			name := step.Name(Ref{Number: 42}, group)
			if got, ref, found := ParseName(name); got != step || ref != "GH-42" || !found {
				t.Errorf("%q is read as %s of %s", name, got, ref)
			}
		}
	}
	for name, want := range map[string]Step{
		"Review plan for GH-42": StepReview, "Create PR GH-42": StepPR, "Merge PR GH-42": StepMerge, "Plan w-a": StepPlan,
		"Plan the party": "", "Research": "", "Implement ": "", "research GH-42": "", "": "",
	} {
		if got, _, _ := ParseName(name); got != want {
			t.Errorf("%q is read as %q, want %q", name, got, want)
		}
	}
}

// An id says what a task is, whatever the item's id looks like.
func TestTaskIDs(t *testing.T) {
	for _, item := range []string{"w-a", "w-plan", "w-a-plan-2", "w-1-2"} {
		for _, step := range Steps() {
			for round := 1; round < 4; round++ {
				id := taskID(item, step, round)
				gotItem, gotStep, gotRound, found := parseTaskID(id)
				if !found || gotItem != item || gotStep != step || gotRound != round || !plan.ValidID(plan.KindTask, id) {
					t.Errorf("%s is read as %s, %s, %d", id, gotItem, gotStep, gotRound)
				}
			}
		}
	}
	for _, id := range []string{"t-1a2b", "t-", "t-w-a", "t-w-a-plan-1", "t-w-a-plan-02", "w-a-plan", "t-plan", ""} {
		if item, step, round, found := parseTaskID(id); found && item != "" {
			t.Errorf("%q is read as %s, %s, %d", id, item, step, round)
		}
	}
}

// Tasks that somebody else has added take part in the pipeline where they name an item.
func TestTasksOfOthers(t *testing.T) {
	p := planOf(t, "w-a #42 state=Research Needed")
	for _, task := range []jsonl.Object{
		object(member("name", "Research GH-42"), jsonl.Member{Name: "meta", Value: `{"issue_number": 42}`}, member("id", "t-mine")),
		object(member("name", "Plan GH-42"), jsonl.Member{Name: "meta", Value: `{"issue_number": "42"}`}, member("id", "t-mine-too"), list("deps", []string{"t-mine"})),
	} {
		if _, err := p.AddTasks([]jsonl.Object{task}, stamp()); err != nil {
			t.Fatal(err)
		}
	}
	extend(t, p, "w-a")
	got := tasksIn(p)
	if strings.Contains(got, "t-w-a-research") || !strings.Contains(got, "t-w-a-review: Review plan GH-42 (validator) <- t-mine-too") || strings.Contains(got, "t-w-a-plan:") {
		t.Errorf("%s", got)
	}
	finish(t, p, Result{}, "t-mine")
	wantStates(t, p, "w-a Ready for Plan")
}
