package history

import (
	"context"
	"errors"
	"slices"
	"sync"

	"git-ralph/internal/git"
)

// fetchRounds is how often is fetched at most: folders first, then the plans in
// them.
const fetchRounds = 3

// Fetch gets the versions of the plan that a partial clone has not, from the
// remotes that promised them. It uses the network. The errors are those of
// git.Repo.FetchPromised.
func Fetch(ctx context.Context, o Options) error {
	var before []git.Hash
	for range fetchRounds {
		missing, size, err := absent(ctx, o)
		if err != nil || len(missing) == 0 || slices.Equal(missing, before) {
			return err
		}
		if err := o.Repo.FetchPromised(ctx, missing, size); err != nil {
			return err
		}
		before = missing
	}
	return nil
}

// absent returns the folders and versions of the plan that are not at hand, and
// the size of an id in bytes.
func absent(ctx context.Context, o Options) (missing []git.Hash, size int, err error) {
	w := o.Repo.Walker(ctx)
	defer w.Close()
	tips, err := git.Tips(w)
	if err != nil {
		return nil, 0, err
	}
	request := git.Request{Paths: o.Paths}
	for _, tip := range tips {
		if !slices.Contains(request.Tips, tip.ID) {
			request.Tips = append(request.Tips, tip.ID)
		}
	}
	graph, err := w.Walk(request)
	if err != nil {
		return nil, 0, err
	}
	plans, blind := plansOf(graph)
	if missing, err = unread(w, plans); err != nil || len(blind) == 0 {
		return missing, graph.Size, err
	}
	folders, err := o.Repo.Folders(ctx, blind, graph.Size)
	return append(missing, folders...), graph.Size, err
}

// plansOf returns the distinct versions of the plan, and the commits of which the
// version is not known.
func plansOf(graph *git.Graph) (plans, blind []git.Hash) {
	seen := map[git.Hash]bool{}
	for i := range graph.Commits {
		c := &graph.Commits[i]
		switch {
		case c.Blind:
			blind = append(blind, c.ID)
		case !c.Plan.IsZero() && !seen[c.Plan]:
			seen[c.Plan] = true
			plans = append(plans, c.Plan)
		}
	}
	return plans, blind
}

// unread returns the files that are not at hand.
func unread(w git.Walker, ids []git.Hash) ([]git.Hash, error) {
	var missing []git.Hash
	var mutex sync.Mutex
	err := w.Blobs(ids, workers, func(_, i int, _ []byte, err error) error {
		if errors.Is(err, git.ErrMissing) {
			mutex.Lock()
			defer mutex.Unlock()
			missing = append(missing, ids[i])
			return nil
		}
		return err
	})
	slices.SortFunc(missing, func(a, b git.Hash) int { return slices.Compare(a[:], b[:]) })
	return missing, err
}
