package pipeline

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// settle makes the chains that nobody has begun follow their items: which ones they are for, their names, and their streams.
func (b *builder) settle() error {
	if err := b.reunite(); err != nil {
		return err
	}
	if err := b.separate(); err != nil {
		return err
	}
	for _, c := range b.chains() {
		if len(c.members) > 0 && !slices.Contains(c.members, c.primary) && !b.begun(c) {
			if err := b.rename(c); err != nil {
				return err
			}
		}
	}
	return b.divide()
}

// separate leaves each item in one chain. Two clones may have planned it with different ones: a chain that is begun keeps it, else the first one.
func (b *builder) separate() error {
	kept, others := partition(b.chains(), func(c *chain) bool {
		return b.begun(c) || c.tasks[StepPlan] == nil && slices.Contains(c.members, c.primary) // one without it is going to be renamed
	})
	taken := map[string]bool{}
	for _, c := range kept {
		for _, it := range c.members {
			taken[it.ID] = true
		}
	}
	for _, c := range others {
		lost, own := partition(c.members, func(it *Item) bool { return taken[it.ID] })
		for _, it := range own {
			taken[it.ID] = true
		}
		if c.members = own; len(lost) == 0 {
			continue
		}
		if err := b.shrink(c); err != nil {
			return err
		}
	}
	return nil
}

// shrink lets the tasks of a chain follow that it lost members: its plan no longer waits for those, and a chain without
// members is cancelled.
func (b *builder) shrink(c *chain) error {
	switch {
	case len(c.members) == 0:
		return b.did(b.plan.Cancel(c.ids(), plan.CancelDetach))
	case !slices.Contains(c.members, c.primary):
		return b.rename(c)
	}
	c = b.again(c)
	deps := slices.DeleteFunc(c.tasks[StepPlan].Deps(), func(id string) bool {
		item, step, _, found := parseTaskID(id)
		return found && step.ofOneItem() && !slices.ContainsFunc(c.members, func(it *Item) bool { return it.ID == item })
	})
	if err := b.edit(c.tasks[StepPlan], []jsonl.Member{jsonl.ListMember("deps", deps)}, nil); err != nil {
		return err
	}
	return b.adapt(b.again(c), nil)
}

// rename replaces a chain whose first item is canceled, or was split, by one that is named after another one.
func (b *builder) rename(c *chain) error {
	if err := b.did(b.plan.Cancel(c.ids(), plan.CancelDetach)); err != nil {
		return err
	}
	return b.complete(&chain{primary: c.members[0], members: c.members, stream: c.stream, tasks: map[Step]*Task{}})
}

// divide replaces each chain of a group by those of its streams, once all of its members are researched and before somebody works on
// it. That happens once: a chain that says which stream it is stays as it is.
func (b *builder) divide() error {
	for _, c := range b.chains() {
		if c.stream != "" || c.tasks[StepPlan] == nil || len(c.members) <= maxTogether || b.begun(c) || slices.ContainsFunc(c.members, b.beforePlan) {
			continue
		}
		if err := b.replace([]*chain{c}, streamChains(c.members)); err != nil {
			return err
		}
	}
	return nil
}

// reunite divides items again that two clones divided in different ways, each by the files that it knew of. That can be seen in a stream
// that both have: what it is for is in conflict. Streams that nobody disputes stay, but for those that now belong together with one of these.
func (b *builder) reunite() error {
	kept, open := partition(b.chains(), func(c *chain) bool { return c.stream == "" || c.tasks[StepPlan] == nil || b.begun(c) })
	var taken, all set
	for _, c := range kept {
		taken.addAll(c.members)
	}
	disputed, others := partition(open, func(c *chain) bool { return c.isDisputed() })
	if len(disputed) == 0 {
		return nil
	}
	for _, c := range open {
		all.addAll(c.members)
	}
	parts := divide(dependencyOrder(all.items))
	for i := 0; i < len(disputed); i++ {
		belongs := func(c *chain) bool {
			return slices.ContainsFunc(parts, func(part []*Item) bool { return meet(part, c.members) && meet(part, disputed[i].members) })
		}
		var more []*chain
		more, others = partition(others, belongs)
		disputed = append(disputed, more...)
	}
	var again set
	for _, c := range disputed {
		again.addAll(slices.DeleteFunc(slices.Clone(c.members), func(it *Item) bool { return taken.ids[it.ID] }))
	}
	return b.replace(disputed, streamChains(dependencyOrder(again.items)))
}

// meet reports whether two lists have an item in common.
func meet(some, others []*Item) bool {
	return slices.ContainsFunc(some, func(it *Item) bool { return slices.Contains(others, it) })
}

// replace puts the chains of streams in the place of others. The stream that the first item of one of those is in takes over its tasks.
func (b *builder) replace(old, streams []*chain) error {
	var left []string
	for _, c := range old {
		heir := slices.IndexFunc(streams, func(s *chain) bool { return s.primary.ID == c.primary.ID })
		if heir < 0 {
			left = append(left, c.ids()...)
		} else {
			streams[heir].tasks = c.tasks
		}
	}
	if len(left) > 0 {
		if err := b.did(b.plan.Cancel(left, plan.CancelDetach)); err != nil {
			return err
		}
	}
	heirs, others := partition(streams, func(c *chain) bool { return len(c.tasks) > 0 })
	for _, c := range heirs {
		if err := b.shrink(c); err != nil {
			return err
		}
	}
	return b.complete(others...)
}

// again returns a chain with its tasks as they are now.
func (b *builder) again(c *chain) *chain {
	for i := range b.tasks {
		t := &b.tasks[i]
		if was := c.tasks[t.Step]; was != nil && was.ID() == t.ID() {
			c.tasks[t.Step] = t
		}
	}
	return c
}

// ids returns the ids of a chain's tasks.
func (c *chain) ids() []string {
	var ids []string
	for _, step := range chainSteps() {
		if t := c.tasks[step]; t != nil {
			ids = append(ids, t.ID())
		}
	}
	return ids
}
