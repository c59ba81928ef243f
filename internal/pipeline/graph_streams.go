package pipeline

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// settle makes the chains that nobody has begun follow their items: which ones they are for, their names, and their streams.
func (b *builder) settle() error {
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
	if err := b.edit(c.tasks[StepPlan], []jsonl.Member{texts("deps", deps)}, nil); err != nil {
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
		if err := b.replace(c, streamChains(c.members)); err != nil {
			return err
		}
	}
	return nil
}

// replace puts the chains of streams in the place of one. The stream that the chain's first item is in takes over its tasks.
func (b *builder) replace(old *chain, streams []*chain) error {
	heir := slices.IndexFunc(streams, func(c *chain) bool { return c.primary.ID == old.primary.ID })
	if heir < 0 {
		if err := b.did(b.plan.Cancel(old.ids(), plan.CancelDetach)); err != nil {
			return err
		}
		return b.complete(streams...)
	}
	streams[heir].tasks = old.tasks
	if err := b.shrink(streams[heir]); err != nil {
		return err
	}
	return b.complete(slices.Delete(streams, heir, heir+1)...)
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
