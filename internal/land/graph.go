package land

import (
	"context"
	"strings"

	"git-ralph/internal/git"
)

// graph holds the commits that branches have and the target does not.
type graph struct {
	repo    *git.Repo
	tip     string
	parents map[string][]string // of each such commit
}

// readGraph reads the commits of branches in one process.
func readGraph(ctx context.Context, r *git.Repo, tip string, branches []*branch) (graph, error) {
	input := "^" + tip + "\n"
	for _, b := range branches {
		input += b.Commit + "\n"
	}
	out, err := r.Git().Run(ctx, []byte(input), "rev-list", "--parents", "--stdin")
	g := graph{repo: r, tip: tip, parents: map[string][]string{}}
	for line := range strings.Lines(out) {
		if ids := strings.Fields(line); len(ids) > 0 {
			g.parents[ids[0]] = ids[1:]
		}
	}
	return g, err
}

// isNew reports whether the target does not have a commit.
func (g graph) isNew(commit string) bool {
	_, new := g.parents[commit]
	return new
}

// merged are the commits of branches that were merged already.
type merged map[string]bool

// bases returns the best common ancestors of a branch and of the target with the branches that were merged into it, whose tips
// are others. Mostly they follow from the graph; where branches share commits, git finds them.
func (g graph) bases(ctx context.Context, commit string, done merged, others []string) ([]string, error) {
	ends, shared := map[string]bool{}, false
	var last string
	g.walk(commit, func(id string, isNew bool) {
		shared = shared || done[id]
		if !isNew {
			ends[id], last = true, id
		}
	})
	switch {
	case shared:
		return g.repo.MergeBases(ctx, commit, append([]string{g.tip}, others...)...)
	case len(ends) == 1:
		return []string{last}, nil
	case len(ends) == 0:
		return nil, nil
	}
	return g.repo.MergeBases(ctx, commit, g.tip)
}

// walk visits the new commits that a commit reaches, and their parents in the target.
func (g graph) walk(commit string, visit func(id string, isNew bool)) {
	seen, open := map[string]bool{commit: true}, []string{commit}
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		parents, isNew := g.parents[id]
		visit(id, isNew)
		for _, p := range parents {
			if !seen[p] {
				seen[p] = true
				open = append(open, p)
			}
		}
	}
}
