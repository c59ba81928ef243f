package hub

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/sha256"
	"git-ralph/internal/workplan"
)

// Reconcile queues what the hub has to be sent so that it says what a file says, as far as is known without asking the hub. Without
// reopen nothing goes backwards. It reports whether the state changed.
func (s *State) Reconcile(f *workplan.File, reopen bool) (changed bool) {
	if f.Workstream == "" {
		return false
	}
	changed = s.dropUnbound(f)
	for _, t := range f.Tasks {
		if t.HubTask != "" {
			changed = s.want(taskEntry(f, t, reopen)) || changed
		}
	}
	if f.Done() || reopen {
		changed = s.want(workstreamEntry(f, reopen)) || changed
	}
	return changed
}

// Close queues the sequence that closes a workplan: every task, the workstream, one milestone. Sending the first two again is
// harmless, so they are queued whatever is known.
func (s *State) Close(f *workplan.File, summary, topic string) {
	if f.Workstream == "" {
		return
	}
	s.dropUnbound(f)
	for _, t := range f.Tasks {
		if t.HubTask != "" {
			s.put(taskEntry(f, t, false))
		}
	}
	w := workstreamEntry(f, false)
	w.Status = workplan.Done
	s.put(w)
	m := Entry{
		Kind: Milestone, ID: milestoneKey(f), Workplan: f.ID, Workstream: f.Workstream, Event: Event{Summary: summary, Topic: topic},
	}
	if summary == "" {
		m.Event.Summary = Summary(f)
	}
	if known := s.Known[m.Key()]; known != sent && known != unknown && s.pending(m.Key()) < 0 {
		s.put(m)
	}
}

// Summary returns what a milestone says where nobody says anything else.
func Summary(f *workplan.File) string {
	names := make([]string, len(f.Tasks))
	for i, t := range f.Tasks {
		names[i] = t.Name
	}
	text := fmt.Sprintf("%s %s: %d tasks done", f.ID, f.Title, len(names))
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return text
}

// milestoneKey is the same for every closing of a workplan, by whomever: there is one milestone.
func milestoneKey(f *workplan.File) string {
	return sha256.Hex("milestone\x00" + f.Workstream + "\x00" + f.ID)[:32]
}

func taskEntry(f *workplan.File, t workplan.Task, reopen bool) Entry {
	return Entry{Kind: Task, ID: t.HubTask, Workplan: f.ID, Workstream: f.Workstream, Status: t.Status, Reopen: reopen}
}

// workstreamEntry is what the hub is to say of a workplan. It is done by the rule of the file, not by its frontmatter alone.
func workstreamEntry(f *workplan.File, reopen bool) Entry {
	return Entry{Kind: Workstream, ID: f.Workstream, Workplan: f.ID, Workstream: f.Workstream, Status: StatusOf(f), Reopen: reopen}
}

// StatusOf returns the status of a workplan by its rule of completion: one with open tasks is active, whatever its frontmatter says.
func StatusOf(f *workplan.File) workplan.Status {
	if f.Status == workplan.Done && !f.Done() {
		return workplan.Active
	}
	return f.Status
}

// dropUnbound removes entries for tasks that the file does not name any more, which happens where an id was wrong.
func (s *State) dropUnbound(f *workplan.File) (changed bool) {
	before := len(s.Queue)
	s.Queue = slices.DeleteFunc(s.Queue, func(e Entry) bool {
		return e.Workstream == f.Workstream && e.Workplan == f.ID && e.Kind == Task &&
			!slices.ContainsFunc(f.Tasks, func(t workplan.Task) bool { return t.HubTask == e.ID })
	})
	return len(s.Queue) != before
}

// want queues an entry where what is known of the hub differs from it.
func (s *State) want(e Entry) bool {
	known, isKnown := s.Known[e.Key()]
	at := s.pending(e.Key())
	switch {
	case isKnown && isBackwards(known, e.Status) && !e.Reopen:
		return false
	case at >= 0 && isInitial(e.Status) && !isKnown:
		s.remove(s.Queue[at]) // the hub was never sent anything else
		return true
	case at < 0 && (isKnown && matches(e.Status, known) || !isKnown && isInitial(e.Status)):
		return false
	}
	e.Reopen = e.Reopen && isBackwards(known, e.Status)
	return s.put(e)
}

// isInitial reports whether a status is that which tasks and workstreams begin with.
func isInitial(s workplan.Status) bool { return s == workplan.Todo || s == workplan.Active }

// Unblock queues what a user just said of a task, also where the hub says that it is blocked.
func (s *State) Unblock(f *workplan.File, t workplan.Task) {
	e := taskEntry(f, t, false)
	if t.HubTask != "" && s.Known[e.Key()] == blocked && t.Status == workplan.InProgress {
		s.put(e)
	}
}
