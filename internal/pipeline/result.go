package pipeline

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A Result is what the work on a task has come to.
type Result struct {
	Verdict  string   // of a review: Approved or NeedsIteration; of triage: the state that the item goes on in
	Reason   string   // for the verdict
	Artifact string   // the path of the file that was written
	Files    []string // that will be modified, as research found
	Estimate string   // of the item, as triage found
	SubItems []jsonl.Object
}

// A ResultError says that a task cannot be finished with a part of its result, which may be empty.
type ResultError struct{ ID, Part, Value, Want string }

func (e *ResultError) Error() string {
	return fmt.Sprintf("invalid %s %q for %s: want %s", e.Part, e.Value, e.ID, e.Want)
}

// CheckReport refuses what an agent reports of a task without the document that the next step reads. People may finish tasks without.
func (t *Task) CheckReport(r Result) error {
	if (t.Step == StepResearch || t.Step == StepPlan) && r.Artifact == "" {
		return &ResultError{t.ID(), "artifact", "", "the path of the document that was written"}
	}
	return nil
}

// checkArtifact refuses the path of a document that other clones could not have, or that leads out of the worktree: the next agent reads it.
func (f finisher) checkArtifact(id string) error {
	if f.Artifact == "" || filepath.IsLocal(f.Artifact) && !strings.ContainsFunc(f.Artifact, unicode.IsControl) {
		return nil
	}
	return &ResultError{id, "artifact", f.Artifact, "the path of a file in the worktree, from its root"}
}

// TaskOf returns what a task of a plan is to the pipeline; found is false where it belongs to no item.
func TaskOf(p *plan.Plan, task plan.Record) (t Task, found bool) {
	if !task.IsOfItem() {
		return Task{}, false
	}
	return Of(p).taskOf(&task)
}

// keepItems stores what triage and splits found about items: their size, and what they consist of. The task may be nil.
func (f finisher) keepItems(t *Task) error {
	switch {
	case t == nil:
	case t.Step == StepTriage && f.Estimate != "":
		return f.did(f.plan.EditItem(t.Item, []jsonl.Member{jsonl.TextMember("estimate", f.Estimate)}, nil))
	case t.Step == StepSplit && len(f.SubItems) > 0:
		if objects := f.newSubItems(t.Item); len(objects) > 0 {
			return f.did(f.plan.AddItems(objects, f.stamp))
		}
	}
	return nil
}

// newSubItems returns those of the sub-items of a split that are not there yet, by their names: an agent may have added them by commands
// before it reported them.
func (f finisher) newSubItems(parent string) []jsonl.Object {
	known := map[string]string{} // ids of what is there, by the names that the others have for it
	for _, it := range f.items.subItems[parent] {
		known[it.Title] = it.ID
	}
	var objects []jsonl.Object
	for _, o := range f.SubItems {
		if id := known[strings.TrimSpace(textIn(o, "name"))]; id == "" {
			objects = append(objects, o)
		} else if local := textIn(o, "id"); local != "" {
			known[local] = id
		}
	}
	for i, o := range objects {
		objects[i] = with(waitingFor(o, known), jsonl.TextMember("parent", parent))
	}
	return objects
}

// waitingFor returns a new item that names those which are there by their ids in "blocked_by".
func waitingFor(o jsonl.Object, known map[string]string) jsonl.Object {
	waits, _ := o.Get("blocked_by")
	ids, _ := waits.Strings()
	if len(ids) == 0 {
		return o
	}
	for i, id := range ids {
		if there := known[id]; there != "" {
			ids[i] = there
		}
	}
	return with(o, jsonl.ListMember("blocked_by", ids))
}

// clean returns the result with paths in one form, each once: items are in one stream where they modify the same file.
func (r Result) clean() Result {
	var files []string
	for _, name := range r.Files {
		if name = path.Clean(strings.TrimSpace(name)); name != "." && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	if r.Files = files; r.Artifact != "" {
		r.Artifact = path.Clean(r.Artifact)
	}
	return r
}

// NewArtifacts returns the documents that items of a plan have and had not before.
func NewArtifacts(before, after *plan.Plan) []string {
	known, all := Of(before), []string(nil)
	for _, it := range Of(after).all {
		for _, name := range it.Artifacts {
			if old := known.byID[it.ID]; (old == nil || !slices.Contains(old.Artifacts, name)) && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}
