package record

import (
	"errors"
	"iter"
	"slices"
	"time"

	"git-ralph/internal/git/walk"
	"git-ralph/internal/plan"
)

// An Entry is all that one commit records. It follows from the commit's plan, those of its parents and its message alone, so
// that it can be kept as long as the commit is. Entries are not changed.
type Entry struct {
	Events     []Event    // in the order in which they happened
	Identities []Identity // of the tasks and issues in the commit's plan that are not in its parents' plans
	Err        error      // why the plan could not be compared: ErrInvalidPlan or git.ErrMissing
	Message    *Message   // nil where it was not read
}

// ErrInvalidPlan: a commit's plan has lines that are no records.
var ErrInvalidPlan = errors.New("invalid plan")

// An Identity is what distinguishes a task or issue from others.
type Identity struct {
	Kind                      plan.Kind
	ID, CreatedAt             string
	FormerID, FormerCreatedAt string // those that it had before a merge gave it another id; "" for none
}

// identityOf returns the identity of a record.
func identityOf(r plan.Record) Identity {
	i := Identity{Kind: r.Kind(), ID: r.ID(), CreatedAt: r.CreatedAt()}
	from := r.Texts("renamed_from")
	if len(from) == 2 && from[0] != "" && from[0] != i.ID && from[1] != "" {
		i.FormerID, i.FormerCreatedAt = from[0], from[1]
	}
	return i
}

// A Message is what is kept of a commit's message.
type Message struct {
	By       string   // author's address
	Time     int64    // author's date: seconds since 1970
	Zone     int      // minutes east of UTC
	Branches []string // of a merge: the one that it was made on, and those that it merged, as mergeNames returns them
}

// Date returns the author's date.
func (m *Message) Date() time.Time {
	return time.Unix(m.Time, 0).In(time.FixedZone("", m.Zone*60))
}

// message returns what is kept of a commit's message.
func (s Source) message(at int32, m walk.Message) *Message {
	kept := &Message{By: m.Author.Address, Time: m.Author.Time, Zone: m.Author.Zone}
	if len(s.Parents(at)) > 1 {
		kept.Branches = mergeNames(m.Text)
	}
	return kept
}

// WithMessage returns the entry of a commit, nil for one that records nothing, with the commit's message, which is read
// where it was not. Where that fails the entry is returned as it is.
func (s Source) WithMessage(e *Entry, at int32) *Entry {
	if e != nil && e.Message != nil {
		return e
	}
	m, err := s.Message(s.Graph.Commits[at].ID)
	if err != nil {
		return e
	}
	var with Entry
	if e != nil {
		with = *e
	}
	with.Message = s.message(at, m)
	return &with
}

// MergeNames returns the branches that the message of a merge names: first the one that it was made on, then those that it
// merged, one for each parent but the first; "" where it names none.
func (e *Entry) MergeNames() []string {
	if e == nil || e.Message == nil {
		return nil
	}
	return e.Message.Branches
}

// IDs yields the ids of the records that an entry is about, some more than once.
func (e *Entry) IDs() iter.Seq[string] {
	return func(yield func(string) bool) {
		if e == nil {
			return
		}
		for i := range e.Events {
			if !yield(e.Events[i].ID) {
				return
			}
		}
		for _, i := range e.Identities {
			if !yield(i.ID) || i.FormerID != "" && !yield(i.FormerID) {
				return
			}
		}
	}
}

// Renamed yields the ids of the records that a merge gave another id, each with the former one.
func (e *Entry) Renamed() iter.Seq2[string, string] {
	return func(yield func(id, former string) bool) {
		if e == nil {
			return
		}
		for _, i := range e.Identities {
			if i.FormerID != "" && !yield(i.ID, i.FormerID) {
				return
			}
		}
	}
}

// Only returns the entry with what is about some records alone.
func (e *Entry) Only(ids map[string]bool) *Entry {
	some := *e
	some.Events = slices.DeleteFunc(slices.Clone(e.Events), func(event Event) bool { return !ids[event.ID] })
	some.Identities = slices.DeleteFunc(slices.Clone(e.Identities), func(i Identity) bool { return !ids[i.ID] && !ids[i.FormerID] })
	return &some
}
