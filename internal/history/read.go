package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// workers is how many versions of a plan are read at once, at most.
const workers = 2

// Options say whose history is read.
type Options struct {
	Repo  *git.Repo
	Paths []string // where plans lie: the present one first, then former ones
}

// Read reads the history of a plan. What cannot be told is among its warnings;
// the error is that of a repository which cannot be read at all.
func Read(ctx context.Context, o Options) (*fold.History, error) {
	w := o.Repo.Walker(ctx)
	defer w.Close()
	r := reader{Options: o, ctx: ctx, walker: w}
	in, err := r.input()
	if err != nil {
		return nil, fmt.Errorf("cannot read the history: %w", err)
	}
	return fold.Of(in), nil
}

type reader struct {
	Options
	ctx    context.Context
	walker git.Walker
}

// input reads what the fold looks at.
func (r *reader) input() (fold.Input, error) {
	in := fold.Input{Cut: map[git.Hash]bool{}, Book: fold.NewBook(), Versions: map[git.Hash]*fold.Version{}, Message: r.walker.Message}
	border, err := r.Repo.Border()
	if err != nil {
		return in, err
	}
	for _, id := range border {
		in.Cut[id] = true
	}
	tips, err := r.walker.Tips()
	if err != nil {
		return in, err
	}
	in.Head, in.Tips = r.arrange(tips)
	return in, r.walk(&in, tips)
}

// walk reads the graph and the versions, again for each place that the plan was
// moved from or to.
func (r *reader) walk(in *fold.Input, tips []git.Tip) error {
	request := git.Request{Paths: slices.Clone(r.Paths)}
	for _, tip := range tips {
		if !slices.Contains(request.Tips, tip.ID) {
			request.Tips = append(request.Tips, tip.ID)
		}
	}
	for {
		var err error
		if in.Graph, err = r.walker.Walk(request); err != nil {
			return err
		}
		if err = r.versions(in); err != nil {
			return err
		}
		former, err := r.moves(in, request.Paths)
		if err != nil || former == nil || len(request.Paths) >= mostPaths {
			return err
		}
		request.Paths = append(request.Paths, former...)
	}
}

// mostPaths bounds how often a plan is followed to another place.
const mostPaths = 32

// versions reads the plans that were not read yet.
func (r *reader) versions(in *fold.Input) error {
	var ids []git.Hash
	asked := map[git.Hash]bool{}
	for i := len(in.Graph.Commits) - 1; i >= 0; i-- {
		id := in.Graph.Commits[i].Plan
		if id.IsZero() || asked[id] || in.Versions[id] != nil {
			continue
		}
		asked[id] = true
		ids = append(ids, id)
	}
	var mutex sync.Mutex
	return r.walker.Blobs(ids, workers, func(i int, data []byte, err error) error {
		if errors.Is(err, git.ErrMissing) {
			return nil
		}
		if err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		in.Versions[ids[i]] = in.Book.Version(data)
		return nil
	})
}

// arrange finds HEAD among the tips and puts the others in the order in which
// they are asked: branches by name, the main one first, a local one before the
// remote one of the same name; then tags.
func (r *reader) arrange(tips []git.Tip) (head git.Hash, ordered []fold.Tip) {
	type named struct {
		fold.Tip
		rank string
	}
	var all []named
	main := r.mainBranch(tips)
	remotes := r.Repo.Remotes(r.ctx)
	for _, tip := range tips {
		if tip.Name == "HEAD" {
			head = tip.ID
			continue
		}
		n := named{Tip: fold.Tip{Commit: tip.ID}, rank: "2" + tip.Name}
		if branch, local := branchOf(tip.Name, remotes); branch != "" {
			n.Branch, n.rank = branch, "1"+branch+"\x00"
			if branch == main {
				n.rank = "0"
			}
			if !local {
				n.rank += "~" + tip.Name
			}
		}
		if !strings.HasSuffix(tip.Name, "/HEAD") || !strings.HasPrefix(tip.Name, "refs/remotes/") {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b named) int { return strings.Compare(a.rank, b.rank) })
	for _, n := range all {
		ordered = append(ordered, n.Tip)
	}
	return head, ordered
}

// mainBranch returns the name of the branch that is asked first.
func (r *reader) mainBranch(tips []git.Tip) string {
	if name := r.Repo.MainBranch(r.ctx); name != "" {
		return name
	}
	for _, name := range [...]string{"main", "master"} {
		if slices.ContainsFunc(tips, func(t git.Tip) bool { return t.Name == "refs/heads/"+name }) {
			return name
		}
	}
	return ""
}

// branchOf returns the short name of a branch, without that of its remote, "" for
// another reference.
func branchOf(ref string, remotes []string) (branch string, local bool) {
	if branch, local = strings.CutPrefix(ref, "refs/heads/"); local {
		return branch, true
	}
	rest, found := strings.CutPrefix(ref, "refs/remotes/")
	if !found {
		return "", false
	}
	branch, _ = git.CutRemote(rest, remotes)
	return branch, false
}
