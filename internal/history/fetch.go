package history

import (
	"context"
	"errors"
	"slices"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
)

// fetchRounds is the maximum number of fetches: directories first, then the plans in them.
const fetchRounds = 3

// Fetch gets the versions of the plan that a partial clone lacks from the remotes that promised them. It uses the network. The
// errors are those of walk.FetchPromised.
func Fetch(ctx context.Context, o Options) error {
	var before []git.Hash
	for range fetchRounds {
		missing, size, err := missingObjects(ctx, o)
		if err != nil || len(missing) == 0 || slices.Equal(missing, before) {
			return err
		}
		if err := walk.FetchPromised(ctx, o.Repo, missing, size); err != nil {
			return err
		}
		before = missing
	}
	return nil
}

// missingObjects returns the directories and versions of the plan that are missing, and
// the size of an id in bytes.
func missingObjects(ctx context.Context, o Options) (missing []git.Hash, size int, err error) {
	w := walk.Open(ctx, o.Repo)
	defer w.Close()
	tips, err := walk.Tips(w)
	if err != nil {
		return nil, 0, err
	}
	request := walk.Request{Paths: o.Paths}
	for _, tip := range tips {
		if !slices.Contains(request.Tips, tip.ID) {
			request.Tips = append(request.Tips, tip.ID)
		}
	}
	graph, err := w.Walk(request)
	if err != nil {
		return nil, 0, err
	}
	plans, planMissing := plansOf(graph)
	if missing, err = unread(w, plans); err != nil || len(planMissing) == 0 {
		return missing, graph.IDSize, err
	}
	directories, err := walk.RootTrees(ctx, o.Repo, planMissing, graph.IDSize)
	return append(missing, directories...), graph.IDSize, err
}

// plansOf returns the distinct versions of the plan, and the commits of which the
// version is not known.
func plansOf(graph *walk.Graph) (plans, planMissing []git.Hash) {
	seen := map[git.Hash]bool{}
	for i := range graph.Commits {
		c := &graph.Commits[i]
		switch plan, err := c.PlanID(); {
		case err != nil:
			planMissing = append(planMissing, c.ID)
		case !plan.IsZero() && !seen[plan]:
			seen[plan] = true
			plans = append(plans, plan)
		}
	}
	return plans, planMissing
}

// unread returns the files that are missing.
func unread(w walk.Walker, ids []git.Hash) ([]git.Hash, error) {
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
