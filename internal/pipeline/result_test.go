package pipeline

import (
	"errors"
	"slices"
	"testing"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A split that names its sub-items adds those that are not there yet, in the same change, and knows the others by their names.
func TestSplitAddsItsSubItems(t *testing.T) {
	p := planOf(t, "w-l #1 state=Research Needed estimate=L")
	extend(t, p, "w-l")
	there := object(member("id", "w-s1"), member("name", "One"), member("parent", "w-l"))
	if _, err := p.AddItems([]jsonl.Object{there}, stamp()); err != nil {
		t.Fatal(err)
	}
	c := finish(t, p, Result{SubItems: []jsonl.Object{
		object(member("id", "first"), member("name", "One ")),
		object(member("id", "w-s2"), member("name", "Two"), list("blocked_by", []string{"first"})),
		object(member("id", "w-s3"), member("name", "Three"), list("blocked_by", []string{"w-s2", "first"})),
	}}, "t-w-l-split")
	if !slices.ContainsFunc(c.Events, func(e plan.Event) bool { return e.Name == plan.EventDone }) {
		t.Error("the split is not done in the change that adds its sub-items")
	}
	wantStates(t, p, "w-l Backlog, w-s1 Backlog, w-s2 Backlog, w-s3 Backlog")
	for id, waits := range map[string][]string{"w-s1": nil, "w-s2": {"w-s1"}, "w-s3": {"w-s2", "w-s1"}} {
		item, _ := p.Item(id)
		if got := item.Texts("blocked_by"); !slices.Equal(got, waits) || item.Text("parent") != "w-l" {
			t.Errorf("%s: %s", id, item.JSON())
		}
		if _, found := p.Task("t-" + id + "-triage"); !found {
			t.Errorf("%s is not triaged", id)
		}
	}
}

// Triage says how large an item is: one that is too large is split next.
func TestTriageEstimates(t *testing.T) {
	p := planOf(t, "w-a #1")
	extend(t, p, "w-a")
	_, err := Finish(p, []string{"t-w-a-triage"}, finishing(Result{Verdict: ResearchNeeded, Estimate: "huge"}), stamp())
	if _, ok := errors.AsType[*plan.FieldError](err); !ok {
		t.Fatalf("error %v, want that there is no such size", err)
	}
	finish(t, p, Result{Verdict: ResearchNeeded, Estimate: "L"}, "t-w-a-triage")
	if item, _ := p.Item("w-a"); item.Text("estimate") != "L" {
		t.Errorf("%s", item.JSON())
	}
	if _, found := p.Task("t-w-a-split"); !found {
		t.Errorf("not split:\n%s", tasksIn(p))
	}
}

// Two spellings of one path are one file, for streams and for whoever looks for a document.
func TestPathsOfAResultHaveOneForm(t *testing.T) {
	p := planOf(t, "w-a #1 state=Research Needed")
	extend(t, p, "w-a")
	before, _ := plan.DecodeBytes(p.Encode())
	finish(t, p, Result{Artifact: "./r.md", Files: []string{"./a.go", "b//c.go", " a.go ", "."}}, "t-w-a-research")
	item, _ := p.Item("w-a")
	if got := item.Texts("files"); !slices.Equal(got, []string{"a.go", "b/c.go"}) {
		t.Errorf("files %q", got)
	}
	if got := NewArtifacts(before, p); !slices.Equal(got, []string{"r.md"}) {
		t.Errorf("new documents %q", got)
	}
	if got := NewArtifacts(p, p); len(got) > 0 {
		t.Errorf("new documents %q, where nothing changed", got)
	}
}

// An agent's report on research or a plan names the document; people and reviews may do without.
func TestReportsThatNameNoDocument(t *testing.T) {
	for _, step := range Steps() {
		task := Task{Step: step}
		err := task.CheckReport(Result{})
		if _, refused := errors.AsType[*ResultError](err); refused != (step == StepResearch || step == StepPlan) {
			t.Errorf("%s: %v", step, err)
		}
		if err := task.CheckReport(Result{Artifact: "a.md"}); err != nil {
			t.Errorf("%s: %v", step, err)
		}
	}
}

// A document is a file of the worktree, whoever says that it was written: the next agent reads it.
func TestDocumentsAreInTheWorktree(t *testing.T) {
	for _, artifact := range []string{"../../etc/passwd", "/etc/passwd", "a/../../b.md", "..", "a\nb.md", "\x1b[2Ja.md"} {
		p := planOf(t, "w-a #1 state=Research Needed")
		extend(t, p, "w-a")
		_, err := Finish(p, []string{"t-w-a-research"}, finishing(Result{Artifact: artifact}), stamp())
		if bad, ok := errors.AsType[*ResultError](err); !ok || bad.Part != "artifact" {
			t.Errorf("%q: error %v, want that it is no document of the worktree", artifact, err)
		}
		if task, _ := p.Task("t-w-a-research"); !task.Pending() {
			t.Errorf("%q: the task is finished", artifact)
		}
	}
}
