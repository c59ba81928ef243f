package pipeline

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Extend adds the tasks that items still need and the plan does not have, all of them. Ids name items as in Items.Group. What
// is there stays: doing it twice is the same as once, whatever the order of ids. claimed are the tasks that somebody works on.
func Extend(p *plan.Plan, ids []string, claimed map[string]bool) (plan.Change, error) {
	return p.Together(func() (plan.Change, error) {
		b := newBuilder(p, claimed)
		if err := b.catchUp(); err != nil {
			return plan.Change{}, err
		}
		g, err := b.items.Group(ids...)
		if err != nil {
			return plan.Change{}, err
		}
		if err := b.reunite(); err != nil {
			return plan.Change{}, err
		}
		if err := b.extend(g.Members); err != nil {
			return plan.Change{}, err
		}
		err = b.settle()
		return b.change, err
	})
}

// A builder changes the tasks of a plan's items. Its parts are read again after each change.
type builder struct {
	plan    *plan.Plan
	claimed map[string]bool
	items   *Items
	tasks   []Task
	taken   map[string]bool // the ids of all records, once one was looked for
	change  plan.Change
}

func newBuilder(p *plan.Plan, claimed map[string]bool) *builder {
	b := &builder{plan: p, claimed: claimed}
	b.read()
	return b
}

func (b *builder) read() {
	b.items = Of(b.plan)
	b.tasks, b.taken = tasksOf(b.plan, b.items), nil
	for _, t := range b.tasks {
		if t.Step == StepPlan && (t.Done() || t.Text("reject") != "") {
			for _, id := range t.Members {
				b.items.byID[id].planned = true
			}
		}
	}
}

// did notes a change of the plan. That nothing changed is no error here.
func (b *builder) did(c plan.Change, err error) error {
	if _, unchanged := err.(*plan.UnchangedError); unchanged {
		return nil
	}
	b.change.Join(c)
	if err == nil && !c.Empty() {
		b.read()
	}
	return err
}

// each changes items, which are read again once that is done.
func (b *builder) each(items []*Item, change func(it *Item) (plan.Change, error)) error {
	var all plan.Change
	for _, it := range items {
		c, err := change(it)
		if _, unchanged := err.(*plan.UnchangedError); err != nil && !unchanged {
			return err
		}
		all.Join(c)
	}
	return b.did(all, nil)
}

// extend adds what members of a group lack: their own tasks, and chains for those that no chain is for yet.
func (b *builder) extend(members []*Item) error {
	members = b.openOf(members)
	chains := b.chains()
	groups := map[*Item][]*Item{} // whom each member goes along with
	var missing []*Item
	for _, it := range members {
		i := slices.IndexFunc(chains, func(c *chain) bool { return slices.Contains(c.members, it) })
		if i < 0 {
			missing = append(missing, it)
		} else {
			groups[it] = chains[i].members
		}
	}
	for _, it := range missing {
		groups[it] = missing
	}
	var objects []jsonl.Object
	for _, it := range members {
		if step := b.items.firstStep(it); step.ofOneItem() && b.own(it, step) == nil {
			objects = append(objects, b.ownTask(it, step, groups[it]))
		}
	}
	if err := b.did(b.plan.AddDerivedTasks(objects)); err != nil {
		return err
	}
	for _, it := range members {
		if err := b.orderOwn(it); err != nil {
			return err
		}
	}
	return b.extendChains(members, missing)
}

// orderOwn lets the research of an item that went back wait until it is triaged or split again.
func (b *builder) orderOwn(it *Item) error {
	research, step := b.own(it, StepResearch), b.items.firstStep(it)
	if research == nil || !research.Pending() || step.place() >= StepResearch.place() || !step.ofOneItem() {
		return nil
	}
	deps := including(research.Deps(), b.own(it, step).ID())
	return b.edit(research, []jsonl.Member{jsonl.ListMember("deps", deps)}, nil)
}

// openOf is open for items, whose records may have been read again since.
func (b *builder) openOf(items []*Item) []*Item {
	var ids []string
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return dependencyOrder(b.open(ids))
}

// extendChains completes the chains that members belong to, and adds those of the missing ones.
func (b *builder) extendChains(members, missing []*Item) error {
	members, missing = b.openOf(members), b.openOf(missing)
	chains := slices.DeleteFunc(b.chains(), func(c *chain) bool {
		return !slices.ContainsFunc(c.members, func(it *Item) bool { return slices.Contains(members, it) })
	})
	return b.complete(append(chains, b.newChains(missing)...)...)
}

// newChains returns chains without tasks for items that have none: one for those that are to be planned together, or one for each of
// their streams once these are known, and one for those that are further along, by their states.
func (b *builder) newChains(items []*Item) []*chain {
	by := map[Step][]*Item{}
	for _, it := range items {
		step := b.entry([]*Item{it})
		by[step] = append(by[step], it)
	}
	var chains []*chain
	for _, step := range chainSteps() {
		switch together := by[step]; {
		case len(together) == 0:
		case step == StepPlan && !slices.ContainsFunc(together, b.beforePlan):
			chains = append(chains, streamChains(together)...)
		case step != StepPlan || slices.ContainsFunc(together, b.isTriaged):
			chains = append(chains, &chain{primary: together[0], members: together, tasks: map[Step]*Task{}})
		}
	}
	return chains
}

// beforePlan reports whether an item is still to be triaged, split or researched.
func (b *builder) beforePlan(it *Item) bool { return b.items.firstStep(it).ofOneItem() }

// isTriaged reports whether it is known that an item is going to be researched and planned.
func (b *builder) isTriaged(it *Item) bool {
	step := b.items.firstStep(it)
	return step != StepTriage && step != StepSplit
}

// streamChains returns a chain for each stream of items.
func streamChains(items []*Item) []*chain {
	g := Group{Members: items}
	var chains []*chain
	for _, s := range g.Streams().Streams {
		members := dependencyOrder(slices.DeleteFunc(slices.Clone(items), func(it *Item) bool { return !slices.Contains(s.Issues, it.Ref()) }))
		c := &chain{primary: members[0], members: members, tasks: map[Step]*Task{}}
		if len(items) > maxTogether {
			c.stream = s.ID
		}
		chains = append(chains, c)
	}
	return chains
}

// own returns the task that does a step for one item, nil where there is none.
func (b *builder) own(it *Item, step Step) *Task {
	i := slices.IndexFunc(b.tasks, func(t Task) bool { return t.Item == it.ID && t.Step == step && b.isPresent(&t) })
	if i < 0 {
		return nil
	}
	return &b.tasks[i]
}

// ownTask makes the task of one item. Its group is known by it before there is a chain.
func (b *builder) ownTask(it *Item, step Step, group []*Item) jsonl.Object {
	meta := []jsonl.Member{{Name: metaItem, Value: it.ref()}}
	if len(group) > 1 {
		meta = append(meta, jsonl.Member{Name: metaPrimary, Value: group[0].ref()}, jsonl.Member{Name: metaMembers, Value: refs(group)})
	}
	return taskObject(b.newID(it, step), it, step, false, nil, append(meta, jsonl.TextMember(metaPhase, string(step)), jsonl.ListMember(metaArtifacts, it.Artifacts)))
}

// taskObject makes a task that is named after an item, which also decides its age.
func taskObject(id string, it *Item, step Step, group bool, deps []string, meta []jsonl.Member) jsonl.Object {
	return object(
		jsonl.TextMember("id", id), jsonl.TextMember("name", step.Name(it.Ref(), group)), jsonl.ListMember("deps", deps),
		jsonl.TextMember("role", step.Role()), jsonl.TextMember("created_at", it.CreatedAt), jsonl.Member{Name: "meta", Value: jsonl.Value(object(meta...).Text())},
	)
}

// object makes an object of the members that have a value.
func object(members ...jsonl.Member) jsonl.Object {
	return jsonl.Build(slices.DeleteFunc(members, func(m jsonl.Member) bool { return m.Value == "" }))
}
