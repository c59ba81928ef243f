package pipeline

import (
	"cmp"
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
	byID := map[string]*ItemStatus{}
	for _, it := range shown {
		byID[it.ID] = &ItemStatus{
			ID: it.ID, Number: it.Ref(), Title: it.Title, State: nullable(b.items.State(it.ID)), Estimate: nullable(it.Estimate),
			Tasks: []TaskStatus{}, SubItems: []*ItemStatus{},
		}
	}
	b.addTasks(byID, holders)
	s := Status{Items: []*ItemStatus{}}
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

// addTasks adds to items their tasks, and the group that they are planned with.
func (b *builder) addTasks(items map[string]*ItemStatus, holders map[string]string) {
	index := b.plan.DepIndex()
	round := func(t *Task) int { // pending tasks of an earlier one are used again
		if t.Pending() {
			return max(t.Round, b.items.byID[t.Item].Round)
		}
		return t.Round
	}
	tasks := slices.SortedStableFunc(slices.Values(b.tasks), func(a, b Task) int {
		return cmp.Or(cmp.Compare(round(&a), round(&b)), cmp.Compare(a.Step.place(), b.Step.place()))
	})
	for _, t := range tasks {
		if s := items[t.Item]; s != nil {
			s.Tasks = append(s.Tasks, b.taskStatus(&t, index, holders[t.ID()]))
		}
		if len(t.Members) < 2 || t.Step.ofOneItem() {
			continue
		}
		primary := b.items.byID[t.Item].Ref()
		for _, id := range t.Members {
			if s := items[id]; s != nil {
				s.Primary = &primary
			}
		}
	}
}

func (b *builder) taskStatus(t *Task, index *plan.DepIndex, holder string) TaskStatus {
	s := TaskStatus{
		ID: t.ID(), Phase: t.Step, Name: t.Name(), Role: nullable(t.Text("role")), Status: TaskDone, WaitsFor: []string{},
		Holder: nullable(holder), Stream: nullable(t.Stream),
	}
	if !t.Pending() {
		return s
	}
	s.WaitsFor = append(s.WaitsFor, index.BlockedBy(&t.Record)...)
	if t.Step == StepMerge && len(s.WaitsFor) == 0 {
		s.WaitsFor = append(s.WaitsFor, b.unproved(t)...)
	}
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
