package commit

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// A commit of paths is made from a temporary index, in which a hook that formats files stages them again. The worktree's index
// then has the files as they were before the hook: the user's next commit would undo the formatting.

// stageCommitted updates the index to what was committed: at paths, and at those that a hook added to the commit if the user had
// nothing staged there. If it cannot, git shows the files as staged, and nothing is lost.
func stageCommitted(ctx context.Context, r *git.Repo, o Options, paths []string) {
	differing, err := rawDiff(ctx, r, "diff-index", "--cached", "HEAD")
	if err != nil || len(differing) == 0 {
		return
	}
	others, ours := map[string]indexEntry{}, map[string]bool{}
	for _, p := range paths {
		ours[p] = true
	}
	if slices.ContainsFunc(differing, func(c rawChange) bool { return !ours[c.path] }) {
		committed, err := rawDiff(ctx, r, "diff-tree", "-r", "--root", "--no-commit-id", "HEAD")
		if err != nil {
			return
		}
		for _, c := range committed {
			others[c.path] = c.from
		}
	}
	stale := indexEntries{}
	var names []string
	for _, c := range differing {
		if was, committed := others[c.path]; !ours[c.path] && (!committed || was != c.to) {
			continue
		}
		names = append(names, c.path)
		if c.from.mode != absentMode {
			stale[c.path] = []indexEntry{c.from}
		}
	}
	limited, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	if len(names) == 0 || AwaitIndex(limited, r) != nil || setEntries(ctx, r, names, stale) != nil {
		return
	}
	RefreshIndex(ctx, r)
}

// absentMode is the mode that git shows if there is no file.
const absentMode = "000000"

// A rawChange is a path at which two trees differ, or a tree and the index.
type rawChange struct {
	path     string
	from, to indexEntry
}

// rawDiff runs a command that prints ":<mode> <mode> <id> <id> <status>" and a path, each ended by a NUL. Unmerged paths are
// left out.
func rawDiff(ctx context.Context, r *git.Repo, args ...string) ([]rawChange, error) {
	out, err := r.Git().Output(ctx, slices.Insert(slices.Clone(args), 1, "--raw", "-z", "--no-renames", "--abbrev=64", "--ignore-submodules=none")...)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	var changes []rawChange
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(f) == 5 && f[4] != "U" {
			changes = append(changes, rawChange{fields[i+1], indexEntry{mode: f[0], id: f[2]}, indexEntry{mode: f[1], id: f[3]}})
		}
	}
	return changes, nil
}
