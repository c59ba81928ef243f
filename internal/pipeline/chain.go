package pipeline

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
)

// A chain is the tasks that items with one plan need together: from the plan, or a later step, to the merge.
type chain struct {
	primary *Item   // that its tasks are named after
	members []*Item // in dependency order; neither epics nor what is done or canceled
	stream  string
	tasks   map[Step]*Task // those of the present round, and pending ones of earlier rounds
}

// chains returns the chains that a plan has.
func (b *builder) chains() []*chain {
	var chains []*chain
	of := map[string][]*chain{} // by the item that they are named after
	for _, part := range b.parts() {
		same := of[part.primary.ID]
		i := slices.IndexFunc(same, func(c *chain) bool { return !c.overlaps(part) || c.waitsFor(part) || part.waitsFor(c) })
		if i < 0 {
			of[part.primary.ID] = append(same, part)
			chains = append(chains, part)
			continue
		}
		same[i].members, same[i].stream = append(same[i].members, part.members...), cmp.Or(part.stream, same[i].stream)
		for _, t := range part.tasks {
			same[i].add(t)
		}
	}
	for _, c := range chains {
		c.members = dependencyOrder(slices.Compact(slices.SortedFunc(slices.Values(c.members), compareItems)))
		b.leaveBehind(c)
	}
	return chains
}

// parts returns the chains that a plan has, each in as many parts as its tasks say different things about whom they are for. An item that
// left its group has a chain of its own, which repeats steps of the other one; a merge, or whoever resolves its conflicts, leaves tasks of
// one chain that differ.
func (b *builder) parts() []*chain {
	var parts []*chain
	at := map[string]*chain{}
	for i := range b.tasks {
		t := &b.tasks[i]
		if t.Step.ofOneItem() || !b.isPresent(t) {
			continue
		}
		key := t.Item + ": " + strings.Join(t.Members, " ")
		c := at[key]
		if c == nil {
			c = &chain{primary: b.items.byID[t.Item], tasks: map[Step]*Task{}}
			at[key] = c
			parts = append(parts, c)
		}
		c.add(t)
		c.members = append(c.members, b.open(t.Members)...)
		c.stream = cmp.Or(t.Stream, c.stream)
	}
	return parts
}

// add adds a task, unless there is one of a later round.
func (c *chain) add(t *Task) {
	if other := c.tasks[t.Step]; other == nil || other.Round < t.Round {
		c.tasks[t.Step] = t
	}
}

// waitsFor reports whether a task of the chain waits for one of another.
func (c *chain) waitsFor(other *chain) bool {
	isOther := func(id string) bool {
		_, step, _, found := parseTaskID(id)
		return found && other.tasks[step] != nil && other.tasks[step].ID() == id
	}
	for _, t := range c.tasks {
		if t.Pending() && slices.ContainsFunc(t.Deps(), isOther) {
			return true
		}
	}
	return false
}

// isDisputed reports whether a merge left a conflict about whom tasks of the chain are for.
func (c *chain) isDisputed() bool {
	for _, t := range c.tasks {
		if t.isDisputed("meta") {
			return true
		}
	}
	return false
}

// overlaps reports whether two chains have a step in common.
func (c *chain) overlaps(other *chain) bool {
	for step := range other.tasks {
		if c.tasks[step] != nil {
			return true
		}
	}
	return false
}

// leaveBehind removes the members of a chain that went back, or came too late, while others did not: what is to be done for them is not
// what the chain does next.
func (b *builder) leaveBehind(c *chain) {
	next, round := StepMerge, 0
	for _, t := range c.tasks {
		round = max(round, t.Round)
		if t.Pending() && t.Step.place() < next.place() {
			next = t.Step
		}
	}
	isPlanned := slices.ContainsFunc(chainSteps(), func(s Step) bool { return b.isOver(c, s) })
	isBehind := func(it *Item) bool {
		step := b.entry([]*Item{it})
		isEarlier := step != "" && step.place() < next.place() && !(step == StepImplement && next == StepPR)
		return isEarlier && it.State != HumanNeeded && (it.Round > round || isPlanned && b.beforePlan(it))
	}
	if ahead := slices.DeleteFunc(slices.Clone(c.members), isBehind); len(ahead) > 0 {
		c.members = ahead
	}
}

// isPresent reports whether a task counts for the round that its item is in: what was done in an earlier one has to be done again.
func (b *builder) isPresent(t *Task) bool {
	return t.Pending() || t.Done() && (!t.derived || t.Round >= b.items.byID[t.Item].Round)
}

// open returns the items that ids stand for and that something is left to do for: the sub-items of epics, and no final ones.
func (b *builder) open(ids []string) []*Item {
	var all set
	for _, id := range ids {
		it := b.items.byID[id]
		if it == nil {
			continue
		}
		for _, leaf := range b.items.leaves(it) {
			if !Final(leaf.State) {
				all.add(leaf)
			}
		}
	}
	return all.items
}

// entry returns the first step that a chain has for its members: that of the one that is the least far along.
func (b *builder) entry(members []*Item) Step {
	first := Step("")
	for _, it := range members {
		step := b.items.firstStep(it)
		if step.ofOneItem() {
			step = StepPlan
		}
		if step != "" && (first == "" || step.place() < first.place()) {
			first = step
		}
	}
	return first
}

// begun reports whether work on a chain is finished or under way, so that it stays as it is.
func (b *builder) begun(c *chain) bool {
	for _, t := range c.tasks {
		if t.Done() || b.claimed[t.ID()] || t.Awaits() {
			return true
		}
	}
	return false
}

// meta returns what the "meta" of a chain's tasks says about whom they are for.
func (c *chain) meta() []jsonl.Member {
	meta := []jsonl.Member{{Name: metaItem, Value: c.primary.ref()}, {Name: metaPrimary}, {Name: metaMembers}, jsonl.TextMember(metaStream, c.stream)}
	if len(c.members) > 1 || len(c.members) == 1 && c.members[0] != c.primary {
		meta[1].Value, meta[2].Value = c.primary.ref(), refs(c.members)
	}
	return meta
}
