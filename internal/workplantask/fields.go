package workplantask

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/workplan"
)

// fieldsOf returns the fields of a task that differ from its block.
func fieldsOf(r plan.Record, block workplan.Task) []jsonl.Member {
	var changes []jsonl.Member
	if r.Name() != block.Name {
		changes = append(changes, jsonl.Member{Name: "name", Value: jsonl.Quote(block.Name)})
	}
	if r.Priority() != block.Priority {
		value := jsonl.Value("null")
		if block.Priority != "" {
			value = jsonl.Quote(block.Priority)
		}
		changes = append(changes, jsonl.Member{Name: "priority", Value: value})
	}
	return changes
}

// Import returns the inputs of new tasks: one for each block that is not done and that no task of the plan came from, or has the id
// of. With chain each waits for the one before it in the file.
func Import(p *plan.Plan, path string, f *workplan.File, chain bool) []jsonl.Object {
	known := map[string]string{} // the ids of tasks, by those of their blocks
	for _, r := range p.Of(plan.KindTask) {
		known[blockID(r, path)] = r.ID()
	}
	var inputs []jsonl.Object
	before := ""
	for _, t := range f.Tasks {
		if t.Status == workplan.Done {
			continue
		}
		if id, ok := known[t.ID]; ok {
			before = id
			continue
		}
		fields := []jsonl.Member{
			{Name: "id", Value: jsonl.Quote(t.ID)},
			{Name: "name", Value: jsonl.Quote(t.Name)},
			{Name: Field, Value: jsonl.Quote(Origin{path, t.ID}.String())},
		}
		if t.Priority != "" {
			fields = append(fields, jsonl.Member{Name: "priority", Value: jsonl.Quote(t.Priority)})
		}
		if chain && before != "" {
			fields = append(fields, jsonl.Member{Name: "deps", Value: jsonl.List([]string{before})})
		}
		inputs = append(inputs, jsonl.Build(fields))
		before = t.ID
	}
	return inputs
}

// Export returns the tasks of a spec as a workplan. Their blocks have the ids that they came with, else those of the plan.
func Export(p *plan.Plan, path, spec string, head workplan.File) workplan.File {
	for _, r := range p.Of(plan.KindTask) {
		if r.Spec() != spec {
			continue
		}
		t := workplan.Task{ID: blockID(r, path), Name: r.Name(), Status: workplan.Todo}
		if slices.Contains(workplan.Priorities(), r.Priority()) {
			t.Priority = r.Priority()
		}
		if r.Done() {
			t.Status = workplan.Done
		}
		head.Tasks = append(head.Tasks, t)
	}
	return head
}

// Statuses returns the changes that make an existing workplan say what the plan says.
func Statuses(p *plan.Plan, path string, f *workplan.File) []workplan.Change {
	var changes []workplan.Change
	for _, r := range p.Of(plan.KindTask) {
		block, ok := f.Task(blockID(r, path))
		switch {
		case !ok:
		case r.Done() && block.Status != workplan.Done:
			changes = append(changes, workplan.Change{Task: block.ID, To: workplan.Done})
		case r.Pending() && block.Status == workplan.Done:
			changes = append(changes, workplan.Change{Task: block.ID, To: workplan.Todo})
		}
	}
	return changes
}

// blockID returns the id that the block of a task has in a workplan.
func blockID(r plan.Record, path string) string {
	if o, ok := OriginOf(r); ok && o.Path == path {
		return o.ID
	}
	return r.ID()
}
