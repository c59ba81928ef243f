package fold

import (
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// A trail is what the logs of branches say.
type trail struct {
	stood   map[git.Hash][]string // branches that stood at a commit
	made    map[int32][]string    // branches on which a commit was made
	renamed []rename
}

// A rename gave a branch another name.
type rename struct {
	from, to string
	at       git.Hash // where the branch stood
}

// trail reads the logs of branches when they are asked for first.
func (f *folder) trail() *trail {
	if f.read != nil {
		return f.read
	}
	t := &trail{stood: map[git.Hash][]string{}, made: map[int32][]string{}}
	f.read = t
	if f.Logs == nil {
		return t
	}
	made := map[git.Hash][]string{}
	rebased := map[git.Hash][]git.BranchLog{} // one move each
	for _, l := range f.Logs() {
		for _, m := range l.Moves {
			t.stood[m.New] = with(t.stood[m.New], l.Branch)
			if from, to, ok := renaming(m.Reason); ok {
				t.renamed = append(t.renamed, rename{from, to, m.New})
			}
			if isMade(m.Reason) {
				made[m.New] = with(made[m.New], l.Branch)
			} else if _, ok := rebasedOnto(m.Reason); ok {
				rebased[m.New] = append(rebased[m.New], git.BranchLog{Branch: l.Branch, Moves: []git.Move{m}})
			}
		}
	}
	if len(made)+len(rebased) == 0 {
		return t
	}
	for at := range f.commits {
		id := f.commits[at].ID
		for _, branch := range made[id] {
			t.made[int32(at)] = with(t.made[int32(at)], branch)
		}
		for _, l := range rebased[id] {
			f.rebased(int32(at), l, t)
		}
	}
	return t
}

// rebased notes the commits that a rebase made on a branch: those above the one that it was moved onto.
func (f *folder) rebased(at int32, l git.BranchLog, t *trail) {
	onto, _ := rebasedOnto(l.Moves[0].Reason)
	for at >= 0 && f.commits[at].ID != onto {
		t.made[at] = with(t.made[at], l.Branch)
		parents := f.parents(at)
		if len(parents) == 0 {
			return
		}
		at = parents[0]
	}
}

// with adds a name to a sorted list that may have it.
func with(names []string, name string) []string {
	at, there := slices.BinarySearch(names, name)
	if there {
		return names
	}
	return slices.Insert(names, at, name)
}

// aliases returns by what other names a branch went, for the commit at a position. Where another branch has the former name
// now, that counts only for what was there when the branch was renamed.
func (f *folder) aliases(branch string, at int32) []string {
	if len(f.trail().renamed) == 0 {
		return nil
	}
	known := map[string]bool{branch: true}
	for grown := true; grown; {
		grown = false
		for _, r := range f.trail().renamed {
			if known[r.from] != known[r.to] && (!f.isLive(r.from) || f.wasThere(r, at)) {
				known[r.from], known[r.to], grown = true, true, true
			}
		}
	}
	delete(known, branch)
	return slices.Sorted(maps.Keys(known))
}

func (f *folder) isLive(branch string) bool {
	return slices.ContainsFunc(f.Tips, func(t Tip) bool { return t.Branch == branch && t.Local })
}

// wasThere tells whether a branch held a commit when it was renamed.
func (f *folder) wasThere(r rename, at int32) bool {
	from := int32(slices.IndexFunc(f.commits, func(c git.Walked) bool { return c.ID == r.at }))
	return f.Graph.Reached(from)[at]
}

// isMade tells whether the reason of a move says that the commit was made on the branch, rather than elsewhere before.
func isMade(reason string) bool {
	what, rest, _ := strings.Cut(reason, ": ")
	switch what {
	case "commit", "cherry-pick", "revert", "am":
		return true
	}
	return strings.HasPrefix(what, "commit (") || strings.HasPrefix(rest, "Merge made by")
}

// rebasedOnto reads "rebase (finish): refs/heads/x onto <commit>", in the words of all versions of git.
func rebasedOnto(reason string) (onto git.Hash, ok bool) {
	what, rest, _ := strings.Cut(reason, ": ")
	if !strings.Contains(what, "rebase") {
		return onto, false
	}
	_, id, found := strings.Cut(rest, " onto ")
	onto, err := git.ParseHash(id)
	return onto, found && err == nil
}

// renaming reads "Branch: renamed refs/heads/x to refs/heads/y".
func renaming(reason string) (from, to string, ok bool) {
	rest, found := strings.CutPrefix(reason, "Branch: renamed refs/heads/")
	from, to, both := strings.Cut(rest, " to refs/heads/")
	return from, to, found && both
}
