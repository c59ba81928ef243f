package pipeline

import (
	"slices"

	"git-ralph/internal/jsonl"
)

// complete adds the tasks that chains lack, and lets those that are there wait for them.
func (b *builder) complete(chains ...*chain) error {
	var objects []jsonl.Object
	waits := map[string][]string{} // what existing tasks are to wait for, by their ids
	for _, c := range chains {
		objects = append(objects, b.missing(c, waits)...)
	}
	if err := b.did(b.plan.AddDerivedTasks(objects)); err != nil {
		return err
	}
	for _, c := range chains {
		if err := b.adapt(c, waits); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the tasks that a chain lacks, from its members' state on, and notes what those that are there are to wait for. A task
// that is not in the plan but that a later one waits for is accepted, and not missing.
func (b *builder) missing(c *chain, waits map[string][]string) []jsonl.Object {
	entry := b.entry(c.members)
	if entry == "" {
		return nil
	}
	var objects []jsonl.Object
	var before []string // the tasks of the step before
	if entry == StepPlan {
		before = b.ownIDs(c.members)
	}
	for _, step := range chainSteps()[slices.Index(chainSteps(), entry):] {
		task := c.tasks[step]
		switch {
		case task != nil:
			waits[task.ID()] = before
			before = []string{task.ID()}
		case b.isAccepted(c, step):
			before = nil
		default:
			id := b.newID(c.primary, step)
			objects = append(objects, c.object(id, step, before))
			before = []string{id}
		}
	}
	return objects
}

// isOver reports whether a step of a chain is finished, or accepted.
func (b *builder) isOver(c *chain, step Step) bool {
	if t := c.tasks[step]; t != nil {
		return t.derived && t.Done()
	}
	return b.isAccepted(c, step)
}

// isAccepted reports whether a task of the chain waits for one of a step that is not in the plan. That was accepted: those who wait
// for a cancelled one lose the dependency.
func (b *builder) isAccepted(c *chain, of Step) bool {
	isOf := func(id string) bool {
		item, step, _, found := parseTaskID(id)
		return found && item == c.primary.ID && step == of && b.task(id) == nil
	}
	for _, t := range c.tasks {
		if slices.ContainsFunc(t.Deps(), isOf) {
			return true
		}
	}
	return false
}

// ownIDs returns the ids of the pending tasks by which items get to their plan.
func (b *builder) ownIDs(members []*Item) []string {
	var ids []string
	for _, it := range members {
		for _, step := range Steps() {
			if t := b.own(it, step); t != nil && t.Pending() && step.ofOneItem() {
				ids = append(ids, t.ID())
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// newID returns the id of a new task: that of the item's round, or the first one after that which is free. Those of tombstones are taken too.
func (b *builder) newID(it *Item, step Step) string {
	if b.taken == nil {
		b.taken = map[string]bool{}
		for _, r := range b.plan.Records() {
			b.taken[r.ID()] = true
		}
	}
	round := it.Round
	for b.taken[taskID(it.ID, step, round)] {
		round++
	}
	id := taskID(it.ID, step, round)
	b.taken[id] = true
	return id
}

// object makes a task of the chain.
func (c *chain) object(id string, step Step, deps []string) jsonl.Object {
	meta := c.meta()
	var artifacts []string
	for _, it := range c.members {
		artifacts = including(artifacts, it.Artifacts...)
	}
	meta = slices.Insert(meta, len(meta)-1, jsonl.TextMember(metaPhase, string(step)))
	return taskObject(id, c.primary, step, len(c.members) > 1, deps, append(meta, jsonl.ListMember(metaArtifacts, artifacts)))
}

// adapt changes the tasks of a chain where other items belong to it than they say, or where they are to wait for more.
func (b *builder) adapt(c *chain, waits map[string][]string) error {
	for _, step := range chainSteps() {
		t := c.tasks[step]
		if t == nil || !t.derived {
			continue
		}
		var changes, meta []jsonl.Member
		isOther := !b.isFor(t, c) || t.isDisputed("meta")
		if isOther {
			meta = c.meta()
		}
		if step == StepPlan && t.Pending() && !b.claimed[t.ID()] && (isOther || t.isDisputed("name")) {
			changes = append(changes, jsonl.TextMember("name", step.Name(c.primary.Ref(), len(c.members) > 1)))
		}
		if t.Pending() {
			changes = append(changes, jsonl.ListMember("deps", including(t.Deps(), waits[t.ID()]...)))
		}
		if err := b.edit(t, changes, meta); err != nil {
			return err
		}
	}
	return nil
}

// isFor reports whether a task says that it is for the members of a chain. Those that are done or canceled by now make no difference: taking
// them out is a change that nobody needs, and that others would have to merge.
func (b *builder) isFor(t *Task, c *chain) bool {
	var says set
	for _, it := range b.open(t.Members) {
		says.add(it)
	}
	isNew := func(it *Item) bool { return !says.ids[it.ID] }
	return t.Stream == c.stream && !slices.ContainsFunc(t.Members, b.items.Epic) &&
		len(says.items) == len(c.members) && !slices.ContainsFunc(c.members, isNew)
}

// edit changes a task, where that changes anything.
func (b *builder) edit(t *Task, changes, meta []jsonl.Member) error {
	now := t.Object()
	if holds(now, changes) && holds(t.Meta(), meta) && !t.isDisputed("meta") && !t.isDisputed("name") {
		return nil
	}
	return b.did(b.plan.Edit(t.ID(), changes, meta))
}

// holds reports whether an object has all members as they are, and none of those without a value.
func holds(o jsonl.Object, members []jsonl.Member) bool {
	return !slices.ContainsFunc(members, func(m jsonl.Member) bool {
		v, _ := o.Get(m.Name)
		return v != m.Value
	})
}
