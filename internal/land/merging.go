package land

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/pipeline"
)

// merging merges one branch onto a stack.
type merging struct {
	*lander
	stack  *stack
	branch *branch
	bases  []string // at least one

	overlaps []string // paths that both sides changed, where that is known
}

// run returns the merged tree. Where there is a conflict, it is noted at the branch.
func (m *merging) run(ctx context.Context) (string, error) {
	theirs, err := m.trees.TreeOf(m.branch.Commit)
	if err != nil {
		return "", err
	}
	if len(m.bases) > 1 {
		return m.throughGit(ctx, theirs)
	}
	base, err := m.trees.TreeOf(m.bases[0])
	if err != nil {
		return "", err
	}
	got, err := m.trees.Merge(base, m.stack.tree, theirs)
	switch {
	case err != nil || len(got.Overlaps) == 0:
		return got.Tree, err
	case !slices.Equal(got.Overlaps, []string{m.st.PlanPath()}):
		m.overlaps = got.Overlaps
		return m.throughGit(ctx, theirs)
	}
	before, err := planIn(m.trees, base, m.st.PlanPath())
	if err != nil {
		return "", err
	}
	return m.withPlan(got.Tree, theirs, before)
}

// readOwnTasks finds out which tasks a branch ends since it began, and which there were. Merged into a target where another
// attempt at one of them has landed, it would end nothing new, and yet it would land that task twice.
func (m *merging) readOwnTasks(ctx context.Context) error {
	var base []byte
	tree, err := m.trees.TreeOf(m.bases[0])
	if err == nil && len(m.bases) > 1 {
		base, err = m.st.Base(ctx, m.branch.Commit, append([]string{m.tip}, m.stack.commits...)...)
	} else if err == nil {
		base, err = planIn(m.trees, tree, m.st.PlanPath())
	}
	if err != nil {
		return err
	}
	theirs, err := m.trees.TreeOf(m.branch.Commit)
	if err != nil {
		return err
	}
	text, err := planIn(m.trees, theirs, m.st.PlanPath())
	if err != nil {
		return err
	}
	was, is, err := changedTasks(base, text)
	if err == nil && len(was) > 0 && len(is) == 0 {
		err = checkEmptied(base, text)
	}
	if err != nil {
		return err
	}
	m.branch.knew, m.branch.judges, m.branch.verdicts = map[string]bool{}, nil, map[string]pipeline.Verdict{}
	for id := range was {
		m.branch.knew[id] = true
		task := was[id]
		now, left := is[id]
		had := pipeline.VerdictOf(task)
		switch {
		case task.Done():
			m.branch.judges = append(m.branch.judges, id)
		case task.Pending() && task.IsOfItem() && (!left || !now.Pending() || pipeline.VerdictOf(now) != had):
			m.branch.verdicts[id] = had
		}
	}
	m.branch.ends, err = endedTasks(base, text)
	return err
}

// withPlan returns a tree with the plan that ours, in the stack, and theirs make of base.
func (m *merging) withPlan(tree, theirs string, base []byte) (string, error) {
	changed, err := planIn(m.trees, theirs, m.st.PlanPath())
	if err != nil {
		return "", err
	}
	if changed == nil || m.stack.plan == nil { // removed on one side
		return "", errPlan
	}
	result, err := mergePlans(base, m.stack.plan, changed, m.stops)
	if err != nil {
		return "", err
	}
	return m.trees.With(tree, m.st.PlanPath(), "100644", m.trees.AddBlob(result))
}

// throughGit has git merge. Both sides get the merged plan first, so that git finds no difference there: whatever drivers and
// attributes there are, plans are merged by our rules, and a clone where nothing was installed lands like any other.
func (m *merging) throughGit(ctx context.Context, theirs string) (string, error) {
	ours := m.stack.tree
	if m.stack.plan != nil {
		base, err := m.st.Base(ctx, m.branch.Commit, append([]string{m.tip}, m.stack.commits...)...)
		if err != nil {
			return "", errors.Join(errPlan, err)
		}
		if text, err := planIn(m.trees, theirs, m.st.PlanPath()); err != nil {
			return "", err
		} else if text != nil {
			if ours, err = m.withPlan(ours, theirs, base); err != nil {
				return "", err
			}
			if theirs, err = m.copyPlan(ours, theirs); err != nil {
				return "", err
			}
		}
	}
	one, err := m.draft(ctx, ours, append([]string{m.tip}, m.stack.commits...))
	if err != nil {
		return "", err
	}
	other, err := m.draft(ctx, theirs, []string{m.branch.Commit})
	if err != nil {
		return "", err
	}
	return m.mergeTree(ctx, one, other)
}

// copyPlan returns a tree with the plan of another.
func (m *merging) copyPlan(from, to string) (string, error) {
	e, _, err := m.trees.Entry(from, m.st.PlanPath())
	if err != nil {
		return "", err
	}
	return m.trees.With(to, m.st.PlanPath(), "100644", hex.EncodeToString(e.ID))
}

// draft makes a commit that nobody refers to, for git to merge.
func (m *merging) draft(ctx context.Context, tree string, parents []string) (string, error) {
	tree, err := m.trees.Write(ctx, tree)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&text, "parent %s\n", p)
	}
	text.WriteString("author git-ralph <git-ralph> 0 +0000\ncommitter git-ralph <git-ralph> 0 +0000\n\ndraft of a merge\n")
	return commit.WriteCommitText(ctx, m.repo, []byte(text.String()))
}
