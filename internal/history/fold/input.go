package fold

import (
	"git-ralph/internal/git"
	"git-ralph/internal/plan"
)

// Input is all that the fold looks at.
type Input struct {
	Graph *git.Graph
	Cut   map[git.Hash]bool // commits whose parents are hidden: the border of a shallow clone
	Head  git.Hash          // zero where there is none yet
	Tips  []Tip             // in the order in which they are asked what HEAD does not know

	Main    string                 // name of the main line, "" where there is no branch
	Remotes []string               // names of remotes, as git.CutRemote takes them
	Logs    func() []git.BranchLog // reads the logs of local branches; nil for none

	Book  *Book
	Plans Plans

	// Notes hold what was taken from commits before, by their position in Graph; what is nil there is filled in. Silent
	// stands for those that say nothing. Without notes, all are made.
	Notes  []*Note
	Silent *Note

	Part *Part // nil where Graph is whole

	Warnings []string // of what could not be looked at for it

	// Message returns what a commit says of itself. It is asked about commits
	// that changed the plan, and about merges that brought such commits in and
	// may name their branch.
	Message func(git.Hash) (git.Message, error)
}

// A Part says that Graph is but the newest part of a graph, whose commits all come with notes, and that these tell but of
// some tasks. What is looked at beyond is not there; see History.Short.
type Part struct {
	Last   int32                    // up to this position the notes tell all events of HEAD's history
	Beyond func(digits string) bool // whether the id of a commit beyond the part begins so
}

// Plans are the versions of the plan, by object id.
type Plans interface {
	// Version returns one; nil where it is not at hand.
	Version(git.Hash) *Version
	// Readable tells whether all lines of one can be read, and whether it is at hand.
	Readable(git.Hash) (readable, atHand bool)
}

// A Tip is a branch or a tag.
type Tip struct {
	Commit git.Hash
	Branch string // its name without that of a remote; "" for a tag or a detached HEAD
	Local  bool   // it is no branch of a remote
	Tag    string // the name of a tag, "" for a branch
}

// none is the position of a commit that is not in the graph.
const none = int32(-1)

// folder is a fold under way. Commits go by their position in the graph: a
// child's is lower than its parents'.
type folder struct {
	Input
	commits []git.Walked
	places  map[git.Hash]int32 // of tips
	reader  plan.Reader
	inHead  []bool                // which commits HEAD reaches
	undone  map[telling][]telling // for endings, what brought the life back
	noted   []int32               // commits whose notes say something, the oldest first
	scratch *scratch
	read    *trail // the logs of branches, once they were read
	result  *History
}

// A scratch is room that is used for one commit after the other.
type scratch struct {
	told    []Told
	touched transitions
	names   numbering
	lines   []uint32
	old     []uint32
}

func (f *folder) parents(at int32) []int32 { return f.Graph.Parents(int(at)) }

// known tells whether it is known what plan a commit has, if any: one may be missing, or hold what cannot be read.
func (f *folder) known(at int32) bool {
	c := &f.commits[at]
	if c.Plan.IsZero() {
		return !c.Blind
	}
	readable, _ := f.Plans.Readable(c.Plan)
	return readable
}

// shown returns what can be read of the plan of a commit, nil for one that is not at hand.
func (f *folder) shown(at int32) *Version {
	if at < 0 || f.commits[at].Plan.IsZero() {
		return nil
	}
	return f.Plans.Version(f.commits[at].Plan)
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
	if f.Cut[f.commits[at].ID] || gap && len(f.parents(at)) == 0 {
		b.hidden = true
		return
	}
	for _, p := range f.parents(at) {
		if p < 0 {
			b.hidden = true
			continue
		}
		if seen[p] {
			continue
		}
		seen[p] = true
		switch {
		case !f.known(p):
			f.bases(p, b, seen, gap || f.shown(p) == nil)
		case gap && f.commits[p].Plan.IsZero():
			b.hidden = true
		default:
			b.commits = append(b.commits, p)
		}
	}
}
