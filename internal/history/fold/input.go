package fold

import (
	"git-ralph/internal/git"
)

// Input is all that the fold looks at.
type Input struct {
	Graph *git.Graph
	Cut   map[git.Hash]bool // commits whose parents are hidden: the border of a shallow clone
	Head  git.Hash          // zero where there is none yet
	Tips  []Tip             // in the order in which they are asked what HEAD does not know

	Book     *Book
	Versions map[git.Hash]*Version // by the plan's object id; one that is not here is not at hand

	// Message returns what a commit says of itself. It is asked about commits
	// that changed the plan, and about merges that brought such commits in and
	// may name their branch.
	Message func(git.Hash) (git.Message, error)
}

// A Tip is a branch or a tag.
type Tip struct {
	Commit git.Hash
	Branch string // its name without that of a remote; "" for a tag or a detached HEAD
}

// none is the position of a commit that is not in the graph.
const none = int32(-1)

// folder is a fold under way. Commits go by their position in the graph: a
// child's is lower than its parents'.
type folder struct {
	Input
	commits  []git.Walked
	places   map[git.Hash]int32 // of tips
	told     map[int32][]Told   // by commits that changed the plan
	speeches map[int32]speech   // by commits that were read
	result   *History
}

// version returns the plan of a commit, nil where it has none. It tells whether
// that is known: a plan may be missing, or hold what cannot be read.
func (f *folder) version(at int32) (v *Version, known bool) {
	c := &f.commits[at]
	if c.Plan.IsZero() {
		return nil, !c.Blind
	}
	v, found := f.Versions[c.Plan]
	return v, found && v.Readable()
}

// shown returns what can be read of the plan of a commit.
func (f *folder) shown(at int32) *Version {
	if at == none {
		return nil
	}
	return f.Versions[f.commits[at].Plan]
}

// A base is what a commit's plan is compared with: the plans of its parents. A
// parent whose plan is not known is passed over for its own parents.
type base struct {
	commits []int32
	hidden  bool // there are parents that are not at hand, or the plan came up in one that is not
}

func (f *folder) base(at int32) base {
	var b base
	f.bases(at, &b, map[int32]bool{}, false)
	return b
}

// bases adds what stands for the parents of a commit; gap says that a plan on the
// way to it is not at hand.
func (f *folder) bases(at int32, b *base, seen map[int32]bool, gap bool) {
	if f.Cut[f.commits[at].ID] || gap && len(f.commits[at].Parents) == 0 {
		b.hidden = true
		return
	}
	for _, p := range f.commits[at].Parents {
		if p < 0 {
			b.hidden = true
			continue
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		switch v, known := f.version(p); {
		case !known:
			f.bases(p, b, seen, gap || v == nil)
		case gap && v == nil:
			b.hidden = true
		default:
			b.commits = append(b.commits, p)
		}
	}
}
