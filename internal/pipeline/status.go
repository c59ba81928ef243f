package pipeline

import (
	"slices"

	"git-ralph/internal/plan"
)

// A Status says where items are, which tasks they have and what these wait for. It is what `git ralph pipeline status` prints.
type Status struct {
	Items []*ItemStatus `json:"items"`
}

// An ItemStatus is one item, with its own tasks and with those of its group where that is named after it, and its sub-items.
type ItemStatus struct {
	ID       string        `json:"id"`
	Number   Ref           `json:"number"`
	Title    string        `json:"title"`
	State    nullable      `json:"state"`
	Estimate nullable      `json:"estimate"`
	Primary  *Ref          `json:"groupPrimary"` // of the group that it is planned with, null where it is planned alone
	Tasks    []TaskStatus  `json:"tasks"`
	SubItems []*ItemStatus `json:"subItems"`
}

// A TaskStatus is one task of an item.
type TaskStatus struct {
	ID       string   `json:"id"`
	Phase    Step     `json:"phase"`
	Name     string   `json:"name"`
	Role     nullable `json:"role"`
	Status   string   `json:"status"` // TaskReady and so on
	WaitsFor []string `json:"waitsFor"`
	Holder   nullable `json:"holder"` // who works on it
	Stream   nullable `json:"stream"`
}

// The states of a task of the pipeline.
const (
	TaskReady    = "ready"
	TaskWaiting  = "waiting"
	TaskClaimed  = "claimed"
	TaskAwaiting = "awaiting approval"
	TaskDone     = "done"
)

// StatusOf returns the status of items: of the groups that ids name, and of what is above and below them, or, without ids, of all.
// holders says who works on tasks.
func StatusOf(p *plan.Plan, ids []string, holders map[string]string) (Status, error) {
	claimed := map[string]bool{}
	for id := range holders {
		claimed[id] = true
	}
	b := newBuilder(p, claimed)
	b.items = b.items.WithStates(Shown(p, claimed))
	shown, err := b.shownItems(ids)
	if err != nil {
		return Status{}, err
	}
	index := p.DepIndex()
	byID := map[string]*ItemStatus{}
	s := Status{Items: []*ItemStatus{}}
	for _, it := range shown {
		byID[it.ID] = b.itemStatus(it, index, holders)
	}
	for _, it := range shown {
		if above := byID[it.Parent]; above != nil {
			above.SubItems = append(above.SubItems, byID[it.ID])
		} else {
			s.Items = append(s.Items, byID[it.ID])
		}
	}
	return s, nil
}

// shownItems returns the items to show, by reference.
func (b *builder) shownItems(ids []string) ([]*Item, error) {
	var shown set
	if len(ids) == 0 {
		shown.items = slices.Clone(b.items.all)
	} else {
		g, err := b.items.Group(ids...)
		if err != nil {
			return nil, err
		}
		named, _ := b.items.find(ids)
		for _, it := range append(named, g.Members...) {
			shown.add(it)
		}
		for i := 0; i < len(shown.items); i++ {
			if above := b.items.byID[shown.items[i].Parent]; above != nil {
				shown.add(above)
			}
		}
	}
	slices.SortFunc(shown.items, compareItems)
	return shown.items, nil
}

func (b *builder) itemStatus(it *Item, index *plan.DepIndex, holders map[string]string) *ItemStatus {
	s := &ItemStatus{
		ID: it.ID, Number: it.Ref(), Title: it.Title, State: nullable(b.items.State(it.ID)), Estimate: nullable(it.Estimate),
		Tasks: []TaskStatus{}, SubItems: []*ItemStatus{},
	}
	var tasks []*Task
	for i := range b.tasks {
		t := &b.tasks[i]
		if t.Item == it.ID {
			tasks = append(tasks, t)
		}
		if primary := b.items.byID[t.Item]; len(t.Members) > 1 && slices.Contains(t.Members, it.ID) && !t.Step.ofOneItem() {
			ref := primary.Ref()
			s.Primary = &ref
		}
	}
	slices.SortStableFunc(tasks, func(a, b *Task) int { return (a.Step.place() - b.Step.place()) + len(Steps())*(a.Round-b.Round) })
	for _, t := range tasks {
		s.Tasks = append(s.Tasks, taskStatus(t, index, holders[t.ID()]))
	}
	return s
}

func taskStatus(t *Task, index *plan.DepIndex, holder string) TaskStatus {
	s := TaskStatus{
		ID: t.ID(), Phase: t.Step, Name: t.Name(), Role: nullable(t.Text("role")), Status: TaskDone, WaitsFor: []string{},
		Holder: nullable(holder), Stream: nullable(t.Stream),
	}
	if !t.Pending() {
		return s
	}
	s.WaitsFor = append(s.WaitsFor, index.BlockedBy(&t.Record)...)
	switch {
	case t.Awaits():
		s.Status = TaskAwaiting
	case holder != "":
		s.Status = TaskClaimed
	case len(s.WaitsFor) > 0:
		s.Status = TaskWaiting
	default:
		s.Status = TaskReady
	}
	return s
}
