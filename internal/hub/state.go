package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"git-ralph/internal/workplan"
)

// A Kind is what an entry is about.
type Kind string

// The kinds.
const (
	Task       Kind = "task"
	Workstream Kind = "workstream"
	Milestone  Kind = "milestone"
)

// An Entry is a call that waits to be sent. There is one at most for each task, workstream and milestone.
type Entry struct {
	Seq        int             `json:"seq"` // another one whenever the entry changes
	Kind       Kind            `json:"kind"`
	ID         string          `json:"id"`         // of the task or workstream in the hub; the key of a milestone
	Workplan   string          `json:"workplan"`   // the workplan's own id
	Workstream string          `json:"workstream"` // of the workplan in the hub
	Status     workplan.Status `json:"status,omitempty"`
	Reopen     bool            `json:"reopen,omitempty"` // it may go backwards
	Event      Event           `json:"event,omitzero"`
}

// An Event is what a milestone says.
type Event struct {
	Summary string `json:"summary,omitempty"`
	Topic   string `json:"topic,omitempty"`
}

// Key identifies what the entry is about.
func (e Entry) Key() string { return string(e.Kind) + ":" + e.ID }

// What is known of a milestone.
const (
	trying  workplan.Status = "trying" // it was sent, and the reply did not come
	sent    workplan.Status = "sent"
	unknown workplan.Status = "unknown" // as trying, of a hub that offers no way to read it back
)

// A State is the queue, and what is known of one hub.
type State struct {
	Seq   int                        `json:"seq"`
	Queue []Entry                    `json:"queue"`           // in the order in which they are sent
	Known map[string]workplan.Status `json:"known"`           // by Key: what the hub was sent, or said, last
	Forms map[string]int             `json:"forms,omitempty"` // by operation: the form that the hub took last; -1: it takes none
	Asked bool                       `json:"asked,omitempty"` // the words were looked for
	Words Vocabulary                 `json:"words,omitempty"` // what it answered
	Wait  time.Time                  `json:"wait,omitzero"`   // nothing is sent before, unless a user asks for it
}

// Text returns the state as JSON.
func (s State) Text() ([]byte, error) {
	text, err := json.MarshalIndent(s, "", " ")
	return append(text, '\n'), err
}

// ErrDamaged: a text is not one that Text returned.
var ErrDamaged = errors.New("the queue for the State Hub is damaged")

// ParseState reads a text of Text, and "" as a state that is new.
func ParseState(text []byte) (State, error) {
	var s State
	if len(text) > 0 {
		if err := json.Unmarshal(text, &s); err != nil {
			return State{}, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
	if s.Known == nil {
		s.Known = map[string]workplan.Status{}
	}
	if s.Forms == nil {
		s.Forms = map[string]int{}
	}
	return s, nil
}

// pending returns where the queue has an entry for a key, -1 where it has none.
func (s *State) pending(key string) int {
	return slices.IndexFunc(s.Queue, func(e Entry) bool { return e.Key() == key })
}

// put queues an entry, in the place of one for the same key. It reports whether that changed the queue.
func (s *State) put(e Entry) bool {
	at := s.pending(e.Key())
	if at >= 0 {
		e.Reopen = e.Reopen || s.Queue[at].Reopen
		if was := s.Queue[at]; was.Status == e.Status && was.Reopen == e.Reopen {
			return false
		}
	}
	s.Seq++
	e.Seq = s.Seq
	if at >= 0 {
		s.Queue[at] = e
	} else {
		s.Queue = append(s.Queue, e)
	}
	return true
}

// remove takes an entry out of the queue, unless it has changed since it was read.
func (s *State) remove(e Entry) {
	s.Queue = slices.DeleteFunc(s.Queue, func(q Entry) bool { return q.Seq == e.Seq })
}
