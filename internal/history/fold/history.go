package fold

import (
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// A History is what all commits together record.
type History struct {
	Lives    []*Life  // of tasks and issues, by id
	Events   []*Event // the oldest first: parents before children, then by committer's date and commit
	Warnings []string // what could not be reported, and why
	Complete bool     // nothing was missing

	graph   *walk.Graph
	head    int32    // the position of HEAD in it
	builder *builder // for what is read later of branches; nil after Shrink
}

// Shrink gives up what Main, BranchState and Branches need, which are not called afterwards: it is more than all the rest.
func (h *History) Shrink() { h.builder = nil }

// IDSize is the length of a commit's id in bytes.
func (h *History) IDSize() int { return h.graph.IDSize }

// Reaches returns which events a commit or its ancestors record, nil where the history does not have the commit.
func (h *History) Reaches(commit git.Hash) func(*Event) bool {
	at := slices.IndexFunc(h.graph.Commits, func(c walk.Commit) bool { return c.ID == commit })
	if at < 0 {
		return nil
	}
	set := h.graph.Reached(int32(at))
	return func(e *Event) bool {
		return slices.ContainsFunc(e.copies, func(c occurrence) bool { return set[c.at] })
	}
}

// PlanCommits returns the commits on HEAD's line of first parents that have another plan than their first parent, the newest first. It
// needs the whole history.
func (h *History) PlanCommits() (found []walk.Commit) {
	g := h.graph
	for at := h.head; at >= 0; {
		c, before, parent := g.Commits[at], git.Hash{}, none
		if parents := g.Parents(int(at)); len(parents) > 0 && parents[0] >= 0 {
			parent = parents[0]
			before = g.Commits[parent].Plan
		}
		if c.Plan != before {
			found = append(found, c)
		}
		at = parent
	}
	return found
}
