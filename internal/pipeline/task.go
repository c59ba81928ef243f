package pipeline

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// The members of "meta" by which tasks belong to the pipeline.
const (
	metaItem       = "issue_number"  // the number of the item, or of the first one of a group; its id where it has none
	metaPrimary    = "group_primary" // of a group alone, like the members
	metaMembers    = "group_members"
	metaPhase      = "phase"
	metaStream     = "stream"
	metaArtifacts  = "artifacts" // the paths of the files that it can build on, and of the one that it wrote
	metaVerdict    = "verdict"
	metaReason     = "reason"
	metaRefused    = "refused"    // of an issue that waits for a pull request: the commit at which GitHub refused to merge it
	metaIterations = "iterations" // of a review: how many plans it has sent back
)

// A Task is a task of the plan that does a step of the pipeline.
type Task struct {
	plan.Record
	Step    Step
	Item    string   // the id of its item, or of the one that its group is named after
	Members []string // the ids of all items that it is for, epics as well
	Stream  string   // "" as long as streams were not looked for
	Round   int      // that it was done in, or made for
	derived bool     // its id says what it is
}

// Awaits reports whether the work of a review is finished, and waits until a person approves it.
func (t *Task) Awaits() bool {
	v, _ := t.Meta().Get(plan.AwaitsApproval)
	return v == "true" && t.Pending()
}

// isDisputed reports whether "meta" or "name" are in conflict because two clones planned the task's item with different others: what
// they are to be follows from the items, and nobody has to resolve that. A conflict about anything else stays.
func (t *Task) isDisputed(field string) bool {
	return t.derived && slices.ContainsFunc(t.Conflicts(), func(c plan.Conflict) bool {
		if c.Field != field || len(c.Candidates) == 0 {
			return false
		}
		first := withoutGroup(c.Candidates[0])
		return !slices.ContainsFunc(c.Candidates, func(v jsonl.Value) bool {
			name, isName := v.Str()
			step, _, _ := ParseName(name)
			return isName && step != t.Step || !isName && !jsonl.EqualObjects(withoutGroup(v), first)
		})
	})
}

// withoutGroup returns what "meta" says but for who is in the group.
func withoutGroup(meta jsonl.Value) jsonl.Object {
	return jsonl.Build(slices.DeleteFunc(meta.Object().Members(), func(m jsonl.Member) bool {
		return m.Name == metaPrimary || m.Name == metaMembers || m.Name == metaStream
	}))
}

// Items returns the ids of the items that follow the task when it is finished.
func (t *Task) Items() []string {
	if t.Step.ofOneItem() {
		return []string{t.Item}
	}
	return t.Members
}

// isFor reports whether an item follows the task.
func (t *Task) isFor(id string) bool { return slices.Contains(t.Items(), id) }

// TasksOf returns the tasks of a plan that belong to the pipeline.
func TasksOf(p *plan.Plan) []Task { return tasksOf(p, Of(p)) }

// tasksOf returns the tasks of a plan that belong to the pipeline. Most plans have no items, and many tasks to look at.
func tasksOf(p *plan.Plan, items *Items) []Task {
	if len(items.all) == 0 {
		return nil
	}
	var tasks []Task
	records := p.Records()
	for i := range records {
		if records[i].Kind() != plan.KindTask {
			continue
		}
		if t, found := items.taskOf(&records[i]); found {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// taskOf returns what a task is to the pipeline. What its id does not say, since somebody else has added it, its "meta" and its name do.
func (s *Items) taskOf(r *plan.Record) (t Task, found bool) {
	if !r.IsOfItem() {
		return Task{}, false
	}
	meta := r.Meta()
	t = Task{Record: *r, Round: 1, Stream: textIn(meta, metaStream)}
	item, step, round, derived := parseTaskID(r.ID())
	if derived && s.byID[item] != nil {
		t.Item, t.Step, t.Round, t.derived = item, step, round, true
	} else {
		own, _ := meta.Get(metaItem)
		t.Item = s.idOf(own)
		if t.Step = Step(textIn(meta, metaPhase)); t.Step.place() < 0 {
			t.Step, _, _ = ParseName(r.Name())
		}
	}
	t.Round = max(min(t.Round, maxRound), roundIn(meta))
	t.Members = []string{t.Item}
	if members, isGroup := meta.Get(metaMembers); isGroup {
		if ids := s.idsOf(members); len(ids) > 0 {
			t.Members = ids
		}
	}
	return t, t.Item != "" && t.Step != ""
}

// idOf returns the id of the item that "meta" names by its number or its id, or as people do, such as "GH-42"; "" where the plan has none.
func (s *Items) idOf(v jsonl.Value) string {
	name, isText := v.Str()
	if isText && s.byID[name] != nil {
		return name
	}
	if !isText {
		name = string(v)
	}
	if it := s.byNumber[plan.ParseItemNumber(name)]; it != nil {
		return it.ID
	}
	return ""
}

// idsOf returns the ids of the items that "meta" names. Many tasks of a group name the same ones.
func (s *Items) idsOf(list jsonl.Value) []string {
	if ids, known := s.named[list]; known {
		return ids
	}
	var found set
	for v := range list.All() {
		if id := s.idOf(v); id != "" {
			found.add(s.byID[id])
		}
	}
	ids := make([]string, len(found.items))
	for i, it := range found.items {
		ids[i] = it.ID
	}
	s.named[list] = ids
	return ids
}

// ref returns the JSON by which "meta" names an item.
func (it *Item) ref() jsonl.Value {
	if it.Number > 0 {
		return number("", it.Number).Value
	}
	return jsonl.Quote(it.ID)
}

// refs returns the JSON by which "meta" names several items, in the order of their references.
func refs(items []*Item) jsonl.Value {
	var list []string
	for _, it := range slices.SortedFunc(slices.Values(items), compareItems) {
		list = append(list, string(it.ref()))
	}
	return jsonl.Value("[" + strings.Join(list, ", ") + "]")
}
