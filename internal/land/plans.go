package land

import (
	"bytes"
	"encoding/hex"
	"errors"
	"maps"
	"slices"

	"git-ralph/internal/git/treemerge"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// errPlan: a plan cannot be merged, or its conflict is to stop a merge.
var errPlan = errors.New("the plan cannot be merged")

// planIn returns the plan's file in a tree, empty where there is none.
func planIn(trees *treemerge.Trees, tree, path string) ([]byte, error) {
	e, ok, err := trees.Entry(tree, path)
	if err != nil || !ok || !e.IsFile() {
		return nil, err
	}
	return trees.Blob(hex.EncodeToString(e.ID))
}

// mergePlans merges plans. Where a recorded conflict is to stop merges it is an error.
func mergePlans(base, ours, theirs []byte, stops bool) ([]byte, error) {
	result, err := merge.Merge(base, ours, theirs)
	if err != nil || stops && len(result.Conflicts) > 0 {
		return nil, errors.Join(errPlan, err)
	}
	return result.Data, nil
}

// tasksOf are the tasks of the lines that one plan has and another has not.
type tasksOf map[string]plan.Record

// changedTasks returns the tasks of two plans on lines that differ. Only these are read.
func changedTasks(before, after []byte) (was, is tasksOf, err error) {
	known := map[string]bool{}
	for line := range bytes.Lines(before) {
		known[string(line)] = true
	}
	var added []byte
	for line := range bytes.Lines(after) {
		if known[string(line)] {
			delete(known, string(line))
		} else {
			added = append(added, line...)
		}
	}
	var removed []byte
	for line := range bytes.Lines(before) {
		if known[string(line)] {
			removed = append(removed, line...)
		}
	}
	if was, err = readTasks(removed); err == nil {
		is, err = readTasks(added)
	}
	return was, is, err
}

func readTasks(lines []byte) (tasksOf, error) {
	p, problems := plan.DecodeBytes(lines)
	if !problems.Readable() {
		return nil, errPlan
	}
	tasks := tasksOf{}
	for _, r := range p.Of(plan.KindTask) {
		tasks[r.ID()] = r
	}
	return tasks, nil
}

// checkEmptied refuses a plan that was emptied: else all tasks would count as cancelled.
func checkEmptied(before, after []byte) error {
	was, _ := plan.DecodeBytes(before)
	if is, _ := plan.DecodeBytes(after); is.IsEmptied(was) {
		return errPlan
	}
	return nil
}

// endedTasks returns the tasks that a merge makes done, or removes while they are pending, in order.
func endedTasks(before, after []byte) ([]string, error) {
	was, is, err := changedTasks(before, after)
	if err != nil {
		return nil, err
	}
	ended := map[string]bool{}
	for id, task := range is {
		old, there := was[id]
		ended[id] = task.Done() && (!there || old.Pending())
	}
	for id, task := range was {
		if _, there := is[id]; !there {
			ended[id] = task.Pending()
		}
	}
	maps.DeleteFunc(ended, func(_ string, yes bool) bool { return !yes })
	return slices.Sorted(maps.Keys(ended)), nil
}
