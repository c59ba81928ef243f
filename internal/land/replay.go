package land

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/git/commit"
)

// pick is one commit of a branch, as it is made again on top of a stack.
type pick struct {
	commit string // the original
	tree   string // with its changes
}

// replay makes the commits of a branch again, one after the other, for a landing with Rebase. merged is what a merge gives: where
// the last tree is another one, the branch cannot be rebased.
func (m *merging) replay(ctx context.Context, merged string) (picks []pick, err error) {
	at := m.stack.tree
	for _, id := range m.graph.line(m.branch.Commit, m.stack.done) {
		base := ""
		if parents := m.graph.parents[id]; len(parents) > 0 {
			if base, err = m.trees.TreeOf(parents[0]); err != nil {
				return nil, err
			}
		}
		theirs, err := m.trees.TreeOf(id)
		if err != nil {
			return nil, err
		}
		next, err := m.pick(ctx, base, at, theirs)
		if err != nil || m.branch.Outcome != "" {
			return nil, err
		}
		if next != at {
			picks, at = append(picks, pick{id, next}), next
		}
	}
	if at != merged {
		m.branch.conflict(nil)
		m.branch.Reason = "its commits do not give the same files one by one: merge it, or squash it"
	}
	return picks, nil
}

// pick returns ours with what theirs changed of base. A conflict is noted at the branch.
func (m *merging) pick(ctx context.Context, base, ours, theirs string) (string, error) {
	got, err := m.trees.Merge(base, ours, theirs)
	if err != nil || len(got.Overlaps) == 0 {
		return got.Tree, err
	}
	all := []string{base, ours, theirs}
	if slices.Contains(got.Overlaps, m.st.PlanPath()) {
		if got.Tree, err = m.samePlan(all, got.Tree); err != nil || len(got.Overlaps) == 1 {
			return got.Tree, err
		}
	}
	m.overlaps = got.Overlaps
	root, err := m.draft(ctx, all[0], nil)
	if err != nil {
		return "", err
	}
	one, err := m.draft(ctx, all[1], []string{root})
	if err != nil {
		return "", err
	}
	other, err := m.draft(ctx, all[2], []string{root})
	if err != nil {
		return "", err
	}
	return m.mergeTree(ctx, one, other)
}

// samePlan merges the plans of three trees, and gives the result to all of them, and to another tree, which it returns.
func (m *merging) samePlan(all []string, tree string) (string, error) {
	var texts [3][]byte
	for i, t := range all {
		var err error
		if texts[i], err = planIn(m.trees, t, m.st.PlanPath()); err != nil {
			return "", err
		}
	}
	if texts[1] == nil || texts[2] == nil {
		return "", errPlan
	}
	merged, err := mergePlans(texts[0], texts[1], texts[2], m.stops)
	if err != nil {
		return "", err
	}
	blob := m.trees.AddBlob(merged)
	for i, t := range all {
		if all[i], err = m.trees.With(t, m.st.PlanPath(), "100644", blob); err != nil {
			return "", err
		}
	}
	return m.trees.With(tree, m.st.PlanPath(), "100644", blob)
}

// line returns the commits that a branch adds, the oldest first, without merges and those of branches that were merged already.
func (g graph) line(tip string, done merged) []string {
	var ids []string
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		parents, isNew := g.parents[id]
		if !isNew || seen[id] || done[id] {
			return
		}
		seen[id] = true
		for _, p := range parents {
			visit(p)
		}
		if len(parents) < 2 {
			ids = append(ids, id)
		}
	}
	visit(tip)
	return ids
}

// rebased makes the commits of a stack again, in a line on the target's tip. The last commit of each branch has its trailers.
func (l *lander) rebased(ctx context.Context, s *stack) (string, error) {
	tip := s.tip
	for _, p := range s.parts {
		trailers, err := l.trailers(p)
		if err != nil {
			return "", err
		}
		for i, c := range p.picks {
			if i < len(p.picks)-1 {
				tip, err = l.again(ctx, c, tip, nil)
			} else {
				tip, err = l.again(ctx, c, tip, trailers)
			}
			if err != nil {
				return "", err
			}
		}
	}
	return tip, nil
}

// again makes one commit again, with its author and message.
func (l *lander) again(ctx context.Context, c pick, parent string, trailers []string) (string, error) {
	o, err := l.reader.Commit(c.commit)
	if err != nil {
		return "", err
	}
	tree, err := l.trees.Write(ctx, c.tree)
	if err != nil {
		return "", err
	}
	headers, message, _ := strings.Cut(string(o.Data), "\n\n")
	_, author, _ := strings.Cut(headers, "\nauthor ")
	author, _, _ = strings.Cut(author, "\n")
	if len(trailers) > 0 {
		message = withTrailers(message, trailers)
	}
	return commit.WriteCommitBy(ctx, l.repo, author, tree, []string{parent}, message)
}
