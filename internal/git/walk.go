package git

import (
	"context"

	"git-ralph/internal/git/odb"
)

// Hash is an object id in binary. Ids of sha1 use the first 20 bytes, the rest is zero; Graph.Size tells which.
type Hash = odb.Hash

// Tip is a place where a walk begins: a full reference name, or "HEAD", and the commit that it stands for. A tag is
// followed to its commit; references to anything else are no tips. One whose object is not at hand keeps that object's id.
type Tip struct {
	Name   string
	ID     Hash
	Target string // full name of the reference that this one points to, as HEAD does to a branch; "" for none
}

// Request says what to walk.
type Request struct {
	Tips  []Hash
	Paths []string // slash-separated, from the root; the first that a commit holds counts
	Known Known    // what need not be walked again
	Plans Plans    // nil, or who takes plans as they are found: one core follows parents, and another has time for that
}

// Plans take what files hold while a walk finds them. Which of them an engine reads so early, if any, is its own affair.
type Plans interface {
	// Wants tells whether a file is to be read. It is called from several goroutines at once.
	Wants(Hash) bool
	// Take takes a file's content, which is valid during the call only. Worker is the number of the calling goroutine.
	Take(worker int, id Hash, data []byte)
}

// Known is a set of commits that the caller has walked before. It holds every ancestor, at hand, of each of its members.
type Known struct {
	Tips []Hash          // all of the set can be reached from these; those that are gone do no harm
	Has  func(Hash) bool // nil: the set is empty. It is called from one goroutine at a time
}

func (k Known) has(id Hash) bool { return k.Has != nil && k.Has(id) }

// Graph is what a walk found. Commits hold no pointers: of many the garbage collector would look at each.
type Graph struct {
	Size    int      // bytes of an id: 20 or 32
	Commits []Walked // children before parents; otherwise by committer date, newest first, then by id
	Links   []int32  // what Parents gives
	Missing []Hash   // parents and tips that are not in Commits, by id: known, or not at hand (partial, damaged)
}

// Parents gives the parents of the commit at a position, in the commit's order: positions in Commits; -1-m is Missing[m].
func (g *Graph) Parents(at int) []int32 {
	c := &g.Commits[at]
	return g.Links[c.From:c.To]
}

// Reached tells for each commit whether the one at a position reaches it; -1 reaches none.
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

// Walked is a commit of a Graph.
type Walked struct {
	ID       Hash
	Plan     Hash  // the file at the first of the paths that the commit holds; zero where there is none
	Time     int64 // committer's date, seconds since 1970
	From, To int32 // where in Graph.Links its parents stand
	Path     uint8 // index of the path of Plan
	Blind    bool  // a folder on the way to the plan is not at hand: Plan is zero and says nothing
}

// Message is what a commit says of itself.
type Message struct {
	Author, Committer Signature
	Text              string // as it stands, in UTF-8 where the commit names an encoding that we know
}

// Signature is who did something, and when.
type Signature struct {
	Name, Address string
	Time          int64 // seconds since 1970
	Zone          int   // minutes east of UTC
}

// Walker reads history. Two engines are behind it, and both pass one contract suite. What git replaces, by `git replace`,
// grafts or a shallow clone's border, is read as git shows it. It is not safe for concurrent use.
type Walker interface {
	// References gives HEAD, local and remote branches, and tags, sorted by name; HEAD comes first where it has a commit.
	// Their ids are those that are written down: a tag's own.
	References() ([]Tip, error)
	// Broken gives the references that the last References left out because git cannot tell what they stand for.
	Broken() []string
	// Tips follows references to their commits, and leaves out those that stand for anything else.
	Tips(references []Tip) ([]Tip, error)
	// Walk lists all commits that can be reached.
	Walk(Request) (*Graph, error)
	// Message reads one commit. The error is ErrMissing.
	Message(Hash) (Message, error)
	// Messages reads commits in any order, as Blobs does files.
	Messages(ids []Hash, workers int, fn func(i int, m Message, err error) error) error
	// Blobs reads files in any order, calling fn with the index into ids from up to workers goroutines at once, of which
	// worker is the number. One worker gets in a row what is stored close together. The data is valid during the call
	// only. What cannot be read comes as ErrMissing; fn's own error ends the reading and is given back.
	Blobs(ids []Hash, workers int, fn func(worker, i int, data []byte, err error) error) error
	// Close lets go of files and processes.
	Close() error
}

// Tips gives the commits that references stand for.
func Tips(w Walker) ([]Tip, error) {
	references, err := w.References()
	if err != nil {
		return nil, err
	}
	return w.Tips(references)
}

// Walker opens the engines for reading history. It starts nothing and opens nothing until it is asked.
func (r *Repo) Walker(ctx context.Context) Walker {
	return &eitherWalker{repo: r, ctx: ctx, program: &programWalker{repo: r, ctx: ctx, files: catFile{repo: r, ctx: ctx}}}
}
