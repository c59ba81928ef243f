// Package walk lists the commits of a repository with what each has at a path. One engine reads the files of git's object
// store; the other runs git, for the repositories that the first one does not read. Both pass the same contract suite.
package walk

import (
	"context"

	"git-ralph/internal/git"
)

// Request says what to walk.
type Request struct {
	Tips  []git.Hash
	Paths []string // slash-separated, from the root; the first that a commit holds counts
	Known Known    // what need not be walked again
}

// Known is a set of commits that the caller has walked before. It holds every ancestor that is not missing of each of
// its members.
type Known struct {
	Tips []git.Hash          // the whole set is reachable from these; tips that do not exist any more are ignored
	Has  func(git.Hash) bool // nil: the set is empty. It is called from one goroutine at a time
}

func (k Known) has(id git.Hash) bool { return k.Has != nil && k.Has(id) }

// Graph is what a walk found. Commits hold no pointers, so that the garbage collector need not look at each of them.
type Graph struct {
	IDSize  int        // bytes of an id: 20 or 32
	Commits []Commit   // children before parents; otherwise by committer date, newest first, then by id
	Links   []int32    // parents of all commits, see Parents
	Missing []git.Hash // parents and tips that are not in Commits, by id: known, or missing (partial, damaged)
}

// Parents returns the parents of the commit at a position, in the commit's order: positions in Commits; -1-m is
// Missing[m].
func (g *Graph) Parents(at int) []int32 {
	c := &g.Commits[at]
	return g.Links[c.From:c.To]
}

// Reached reports for each commit whether it can be reached from the one at a position; from -1, none can.
func (g *Graph) Reached(from int32) []bool {
	set := make([]bool, len(g.Commits))
	if from < 0 {
		return set
	}
	set[from] = true
	for at := int(from); at < len(set); at++ {
		if set[at] {
			for _, p := range g.Parents(at) {
				if p >= 0 {
					set[p] = true
				}
			}
		}
	}
	return set
}

// A Commit is one of a Graph.
type Commit struct {
	ID          git.Hash
	Plan        git.Hash // the file at the first of the paths that the commit holds; zero where there is none
	Time        int64    // committer's date, seconds since 1970
	From, To    int32    // where in Graph.Links its parents stand
	Path        uint8    // index of the path of Plan
	planMissing bool     // see PlanID
}

// PlanID returns Plan. The error is git.ErrMissing where a directory on the way to the plan is missing: Plan is zero then.
func (c *Commit) PlanID() (git.Hash, error) {
	if c.planMissing {
		return git.Hash{}, git.ErrMissing
	}
	return c.Plan, nil
}

// Message is a commit's author, committer and text.
type Message struct {
	Author, Committer Signature
	Text              string // converted to UTF-8 if the commit names an encoding that we know
}

// Signature is a name, an address and a time.
type Signature struct {
	Name, Address string
	Time          int64 // seconds since 1970
	Zone          int   // minutes east of UTC
}

// A Walker reads history. Two engines are behind it, and both pass one contract suite. What git replaces, by `git replace`,
// grafts or a shallow clone's boundary, is read as git shows it. It is not safe for concurrent use.
type Walker interface {
	// References returns HEAD, local and remote branches, and tags, sorted by name; HEAD comes first where it has a
	// commit. The id of an annotated tag is that of the tag object.
	References() ([]git.Tip, error)
	// Broken returns the references that the last References left out because git cannot resolve them.
	Broken() []string
	// Tips follows references to their commits, and leaves out those that point to other objects.
	Tips(references []git.Tip) ([]git.Tip, error)
	// Walk lists all commits that can be reached.
	Walk(Request) (*Graph, error)
	// Message reads one commit. The error is ErrMissing.
	Message(git.Hash) (Message, error)
	// Messages reads commits in any order, as Blobs does files.
	Messages(ids []git.Hash, workers int, fn func(worker, i int, m Message, err error) error) error
	// Blobs reads files in any order, calling fn with the index into ids from up to workers goroutines at once, of which
	// worker is the number. Each worker gets files that are stored close together one after the other. The data is valid only
	// during the call. fn gets ErrMissing for a file that cannot be read; an error of fn ends the reading and is returned.
	Blobs(ids []git.Hash, workers int, fn func(worker, i int, data []byte, err error) error) error
	// Close closes files and ends processes.
	Close() error
}

// Tips returns the commits that references point to.
func Tips(w Walker) ([]git.Tip, error) {
	references, err := w.References()
	if err != nil {
		return nil, err
	}
	return w.Tips(references)
}

// Open returns a Walker. It starts no process and opens no file before the first query.
func Open(ctx context.Context, r *git.Repo) Walker {
	return &fallbackWalker{repo: r, ctx: ctx, program: &gitWalker{repo: r, ctx: ctx, files: r.Reader(ctx)}}
}
