package store

import (
	"slices"
	"strings"

	"git-ralph/internal/merge"
)

// reinstate makes changes of our last commits on the branch again that git removed unintentionally: a command that was
// running when we committed wrote the branch or the index of the commit before. Later changes stay. The events of a
// reinstated change are reported again, since it may be in no commit any more.
func (t *transaction) reinstate() error {
	lost, err := t.tx.LostChanges(subjectPrefix)
	if err != nil || !t.found.exists {
		return err
	}
	for _, change := range lost {
		without, err := newFile(t.tx.Content(change.Before + ":" + t.path))
		if err != nil {
			return err
		}
		with, err := newFile(t.tx.Content(change.After + ":" + t.path))
		if err != nil {
			return err
		}
		merged, err := merge.Merge(without.data, t.before.data, with.data)
		if err != nil || !with.exists {
			continue // what is invalid is reported where it is read
		}
		back, events := file{merged.Data, true}, eventsOf(change.Messages)
		isBack := back.same(t.before) && !t.found.same(with) || len(events) > 0 && slices.Contains(t.pending.trailers(), events[0])
		if isBack {
			continue // and may have been changed since
		}
		if t.found.same(with) {
			t.ownEdits = false // the file still has it
		}
		t.before, t.reinstated = back, true
		t.pending = append(t.pending, pendingWrite{hash: hashOf(back.data), base: t.pendingBase(), trailers: events})
	}
	return nil
}

// eventsOf returns the trailers of messages that report events, and their receipts.
func eventsOf(messages []string) (events []string) {
	for _, message := range messages {
		for line := range strings.Lines(message) {
			if isKept(line) {
				events = append(events, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return events
}
