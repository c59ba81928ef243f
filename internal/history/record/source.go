package record

import (
	"errors"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// A Source is where commits and their plans are read from. Commits go by their position in the graph.
type Source struct {
	Graph    *walk.Graph
	Boundary map[git.Hash]bool // commits at the boundary of a shallow clone: their parents are hidden
	Lines    *LineTable        // of all versions
	Versions Versions

	// Message returns the message of a commit.
	Message func(git.Hash) (walk.Message, error)
}

// Versions are the versions of the plan.
type Versions interface {
	// Version returns one by its object id. The error is git.ErrMissing where the object is missing; with any other,
	// nothing can be said of the history.
	Version(git.Hash) (*Version, error)
}

// Parents returns the positions of a commit's parents; those of missing commits are negative.
func (s Source) Parents(at int32) []int32 { return s.Graph.Parents(int(at)) }

// Plan returns the plan of a commit, nil where it has none. The errors are those of Versions.
func (s Source) Plan(at int32) (*Version, error) {
	id, err := s.Graph.Commits[at].PlanID()
	if err != nil || id.IsZero() {
		return nil, err
	}
	return s.Versions.Version(id)
}

// differs reports whether a commit's plan is another one than that of each of its parents.
func (s Source) differs(at int32) bool {
	c := &s.Graph.Commits[at]
	if s.Boundary[c.ID] || c.From == c.To {
		return !c.Plan.IsZero()
	}
	for _, p := range s.Parents(at) {
		if p < 0 {
			continue
		}
		if plan, err := s.Graph.Commits[p].PlanID(); err == nil && plan == c.Plan {
			return false
		}
	}
	return true
}

// Changed returns the commits that brought another plan than each of their parents has: their messages are read.
func (s Source) Changed() (ids []git.Hash) {
	for at := range s.Graph.Commits {
		if s.differs(int32(at)) {
			ids = append(ids, s.Graph.Commits[at].ID)
		}
	}
	return ids
}

// A base is what a commit's plan is compared with: the plans of its parents. A parent whose plan is missing or invalid is
// passed over for its own parents.
type base struct {
	parents []parentPlan
	hidden  bool // there are parents that are hidden or missing, or the plan appeared in a commit whose plan is missing
}

// A parentPlan is a parent's plan, nil where it has none, and the number of its path.
type parentPlan struct {
	plan *Version
	path uint8
}

// first returns the plan of the first parent.
func (b base) first() *Version {
	if len(b.parents) == 0 {
		return nil
	}
	return b.parents[0].plan
}

func (s Source) base(at int32) (b base, err error) {
	return b, s.addBase(at, &b, map[int32]bool{}, false)
}

// addBase adds what stands for the parents of a commit; gap says that a plan between it and the commit in question is missing.
func (s Source) addBase(at int32, b *base, seen map[int32]bool, gap bool) error {
	parents := s.Parents(at)
	if s.Boundary[s.Graph.Commits[at].ID] || gap && len(parents) == 0 {
		b.hidden = true
		return nil
	}
	for _, p := range parents {
		if p < 0 {
			b.hidden = true
			continue
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		v, err := s.Plan(p)
		switch missing := errors.Is(err, git.ErrMissing); {
		case missing || err == nil && !v.Valid():
			err = s.addBase(p, b, seen, gap || missing)
		case err == nil && gap && v == nil:
			b.hidden = true
		case err == nil:
			b.parents = append(b.parents, parentPlan{v, s.Graph.Commits[p].Path})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
