package hub

import (
	"context"
	"errors"

	"git-ralph/internal/workplan"
)

// A Verdict says how the hub compares with the file.
type Verdict string

// The verdicts.
const (
	Equal   Verdict = "equal"
	Differs Verdict = "differs"
	Unknown Verdict = "unknown"
)

// A Comparison is that of one task, or of the workstream.
type Comparison struct {
	Entry           // what the file says
	Name    string  // of the task, or the title
	Hub     string  // what the hub says, in the words of the file; "" where that is unknown
	Verdict Verdict // …
	Ahead   bool    // the hub is further: only reopening it makes it equal
	Why     string  // why it is unknown
}

// OpenWorkstream reports whether a workplan is done whose workstream is not, which hubs list as C-13.
func (c Comparison) OpenWorkstream() bool {
	return c.Kind == Workstream && c.Verdict == Differs && c.Status == workplan.Done
}

// Compare reads every bound task and the workstream of a workplan from the hub, and keeps what the hub says.
func (c *Client) Compare(ctx context.Context, f *workplan.File) ([]Comparison, error) {
	var all []Comparison
	for _, t := range f.Tasks {
		if t.HubTask != "" {
			all = append(all, Comparison{Entry: taskEntry(f, t, false), Name: t.Name})
		}
	}
	all = append(all, Comparison{Entry: workstreamEntry(f, false), Name: f.Title})
	known := map[string]workplan.Status{}
	for i := range all {
		it := &all[i]
		at, err := c.read(ctx, it.Kind, it.ID)
		if err != nil && !errors.Is(err, errUnreadable) {
			return nil, err
		}
		switch {
		case err != nil:
			it.Verdict, it.Why = Unknown, err.Error()
			continue
		case matches(it.Status, at):
			it.Verdict = Equal
		default:
			it.Verdict, it.Ahead = Differs, isBackwards(at, it.Status)
		}
		it.Hub, known[it.Key()] = string(at), at
	}
	return all, c.Store.Change(func(s *State) {
		for key, at := range known {
			if s.pending(key) < 0 {
				s.Known[key] = at
			}
		}
	})
}

// Repair queues what makes the hub equal. Where the hub is further than the file, only reopen takes it back.
func (s *State) Repair(all []Comparison, reopen bool) {
	for _, it := range all {
		if it.Verdict == Differs && (!it.Ahead || reopen) {
			e := it.Entry
			e.Reopen = it.Ahead
			s.put(e)
		}
	}
}

// VerdictOf returns the verdict of several comparisons.
func VerdictOf(all []Comparison) Verdict {
	verdict := Equal
	for _, it := range all {
		if it.Verdict == Differs {
			return Differs
		}
		if it.Verdict == Unknown {
			verdict = Unknown
		}
	}
	return verdict
}
