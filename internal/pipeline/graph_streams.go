package pipeline

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// settle makes the chains that nobody has begun follow their items: their names, and their streams.
func (b *builder) settle() error {
	for _, c := range b.chains() {
		if len(c.members) > 0 && !slices.Contains(c.members, c.primary) && !b.begun(c) {
			if err := b.rename(c); err != nil {
				return err
			}
		}
	}
	return b.divide()
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
	} else if err := b.hand(old, streams[heir]); err != nil {
		return err
	}
	if heir >= 0 {
		streams = slices.Delete(streams, heir, heir+1)
	}
	return b.complete(streams...)
}

// hand gives the tasks of a chain to one of its streams. Its plan no longer waits for the items of others.
func (b *builder) hand(old, to *chain) error {
	to.tasks = old.tasks
	first := to.tasks[StepPlan]
	deps := slices.DeleteFunc(first.Deps(), func(id string) bool {
		item, step, _, found := parseTaskID(id)
		return found && step.ofOneItem() && !slices.ContainsFunc(to.members, func(it *Item) bool { return it.ID == item })
	})
	if err := b.edit(first, []jsonl.Member{texts("deps", deps)}, nil); err != nil {
		return err
	}
	return b.adapt(b.again(to), nil)
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
