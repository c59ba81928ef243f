package land

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// readRemoved returns the commits that the target had on its own line, by the reflogs of this clone, and has no more: somebody
// rewrote the target, perhaps to remove something from it. What came with a merge is not of that line.
func (l *lander) readRemoved(ctx context.Context, branches []*branch) (map[string]bool, error) {
	tips := leftTips(git.Reflog(ctx, l.repo, l.claims.Copy(l.o.Into)), branches)
	if remote := l.claims.Remote(); remote != "" { // its target counts: the local branch may have had what was never pushed
		fetched := "refs/remotes/" + remote + strings.TrimPrefix(l.o.Into, "refs/heads")
		last, err := l.repo.IDAt(ctx, fetched)
		if err != nil {
			return nil, err
		}
		tips = append(append(tips, last), leftTips(git.Reflog(ctx, l.repo, fetched), nil)...)
	}
	tips = slices.DeleteFunc(tips, func(id string) bool { return strings.Trim(id, "0") == "" || l.reader.Follows(id, l.tip) })
	if len(tips) == 0 {
		return nil, nil
	}
	input := strings.Join(tips, "\n") + "\n^" + l.tip + "\n"
	out, err := l.repo.Git().Run(ctx, []byte(input), "rev-list", "--first-parent", "--ignore-missing", "--stdin")
	if err != nil && ctx.Err() == nil { // what was pruned in part is no reason that nothing can land
		l.warn("cannot read what the target had before: %v", err)
		return nil, nil
	}
	return setOf(out), err
}

func setOf(lines string) map[string]bool {
	set := map[string]bool{}
	for _, id := range strings.Fields(lines) {
		set[id] = true
	}
	return set
}

// leftTips returns the commits from which a branch was moved to others that may not have them. Where one of the branches to land was
// merged there without a merge commit, and that was taken back, it is the commit before. A branch that was not there is zeros.
func leftTips(moves []git.ReflogEntry, branches []*branch) (tips []string) {
	for i, m := range moves {
		if goesForward(m.Reason) {
			continue
		}
		left := m.Old
		for k := i - 1; k >= 0 && moves[k].New == left && broughtOneOf(branches, moves[k].Reason); k-- {
			left = moves[k].Old
		}
		tips = append(tips, left)
	}
	return tips
}

// goesForward reports whether git words only moves to a descendant like this.
func goesForward(reason string) bool {
	for _, beginning := range []string{"commit: ", "commit (initial): ", "commit (merge): ", "merge ", "ralph: land"} {
		if strings.HasPrefix(reason, beginning) {
			return true
		}
	}
	return strings.HasSuffix(reason, ": fast-forward") || strings.HasSuffix(reason, ": Fast-forward")
}

// broughtOneOf reports whether a move made the commits of one of these branches those of another one, without a merge.
func broughtOneOf(branches []*branch, reason string) bool {
	return slices.ContainsFunc(branches, func(b *branch) bool { return reason == "merge "+b.Name+": Fast-forward" })
}

// bringsBack returns the newest commit of a branch that was removed from the target, "" for none. One that the target has in another
// form, as after a rebase, is not removed.
func (l *lander) bringsBack(ctx context.Context, b *branch) (string, error) {
	if len(l.removed) == 0 {
		return "", nil
	}
	var found []string
	l.graph.walk(b.Commit, func(id string, _ bool) {
		if l.removed[id] {
			found = append(found, id)
		}
	})
	if len(found) == 0 {
		return "", nil
	}
	out, err := l.repo.Git().Run(ctx, nil, "rev-list", "--topo-order", "--cherry-pick", "--right-only", l.tip+"..."+b.Commit)
	for _, id := range strings.Fields(out) {
		if slices.Contains(found, id) {
			return id, nil
		}
	}
	return "", err
}
