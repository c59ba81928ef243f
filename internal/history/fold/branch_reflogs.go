package fold

import (
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
)

// branchReflogs are what the reflogs of branches record.
type branchReflogs struct {
	stood    map[git.Hash][]string // branches that stood at a commit
	made     map[int32][]string    // branches on which a commit was made
	merged   map[git.Hash]string   // the branch that a merge brought in
	forwards []forward
	renamed  []rename
}

// A forward moved the main line to another branch, which had all of it.
type forward struct {
	branch   string
	from, to int32
}

// A rename gave a branch another name.
type rename struct {
	from, to string
	at       int32  // where the branch stood
	held     []bool // what it held there, once that was needed
}

// branchReflogs reads the reflogs of branches, once.
func (f *builder) branchReflogs() *branchReflogs {
	if f.logs != nil {
		return f.logs
	}
	t := &branchReflogs{stood: map[git.Hash][]string{}, made: map[int32][]string{}, merged: map[git.Hash]string{}}
	f.logs = t
	if f.Logs == nil {
		return t
	}
	logs := f.Logs()
	places := f.placesOf(logs)
	for _, l := range logs {
		for _, m := range l.Moves {
			t.stood[m.New] = with(t.stood[m.New], l.Branch)
			at, known := places[m.New]
			if from, to, ok := renaming(m.Reason); ok {
				if !known {
					at = none
				}
				t.renamed = append(t.renamed, rename{from: from, to: to, at: at})
			}
			if !known || at == none {
				continue
			}
			if isMade(m.Reason) {
				t.made[at] = with(t.made[at], l.Branch)
			}
			if onto, ok := rebasedOnto(m.Reason); ok {
				f.rebased(at, onto, l.Branch, t)
			}
			name, how := merging(m.Reason)
			switch name = f.withoutRemote(name); {
			case name == "" || f.isTag(name):
			case how == fastForward && l.Branch == f.Main:
				if from, known := places[m.Old]; known {
					t.forwards = append(t.forwards, forward{name, from, at})
				}
			case how != fastForward:
				t.merged[m.New] = name
			}
		}
	}
	return t
}

// placesOf finds where the commits that reflogs name stand; what lies beyond a part stands nowhere.
func (f *builder) placesOf(logs []walk.BranchReflog) map[git.Hash]int32 {
	places := map[git.Hash]int32{}
	for _, l := range logs {
		for _, m := range l.Moves {
			places[m.Old], places[m.New] = none, none
		}
	}
	if len(places) > 0 {
		for at := range f.commits {
			if _, wanted := places[f.commits[at].ID]; wanted {
				places[f.commits[at].ID] = int32(at)
			}
		}
	}
	maps.DeleteFunc(places, func(id git.Hash, at int32) bool { return at == none && (f.Part == nil || id == git.Hash{}) })
	return places
}

// rebased notes the commits that a rebase made on a branch: those above the one that it was moved onto.
func (f *builder) rebased(at int32, onto git.Hash, branch string, t *branchReflogs) {
	for at >= 0 && f.commits[at].ID != onto {
		t.made[at] = with(t.made[at], branch)
		parents := f.Parents(at)
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
func (f *builder) aliases(branch string, at int32) []string {
	renamed := f.branchReflogs().renamed
	if len(renamed) == 0 {
		return nil
	}
	known := map[string]bool{branch: true}
	for grown := true; grown; {
		grown = false
		for i := range renamed {
			r := &renamed[i]
			if known[r.from] != known[r.to] && (!f.isLive(r.from) || f.heldThen(r)[at]) {
				known[r.from], known[r.to], grown = true, true, true
			}
		}
	}
	delete(known, branch)
	return slices.Sorted(maps.Keys(known))
}

func (f *builder) isLive(branch string) bool {
	return slices.ContainsFunc(f.Tips, func(t Tip) bool { return t.Branch == branch && t.Local })
}

func (f *builder) isTag(name string) bool {
	return slices.ContainsFunc(f.Tips, func(t Tip) bool { return t.Tag == name })
}

// heldThen reports for each commit whether a branch held it when it was renamed.
func (f *builder) heldThen(r *rename) []bool {
	if r.held == nil {
		r.held = f.Graph.Reached(r.at)
	}
	return r.held
}

// isMade reports whether the reason of a move says that the commit was made on the branch, rather than elsewhere before.
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

// fastForward is how a merge is logged that only moved the branch.
const fastForward = "Fast-forward"

// merging reads "merge x: Fast-forward" and "merge x: Merge made by …": the one branch that was merged, if it is one, and how.
func merging(reason string) (name, how string) {
	rest, found := strings.CutPrefix(reason, "merge ")
	name, how, _ = strings.Cut(rest, ": ")
	isCommit := len(name) >= commitLength && strings.Trim(name, "0123456789abcdef") == ""
	if !found || isCommit || strings.HasPrefix(name, "-") || strings.HasSuffix(name, "HEAD") || strings.Contains(name, "@") {
		return "", ""
	}
	return record.BranchName(name), how
}

// commitLength is how many hexadecimal digits are taken for a commit, and not for a branch.
const commitLength = 7

// withoutRemote returns the name of a branch that was given to git, without that of its remote.
func (f *builder) withoutRemote(name string) string {
	short, known := git.CutRemote(strings.TrimPrefix(name, "remotes/"), f.Remotes)
	if known || strings.HasPrefix(name, "remotes/") || strings.HasPrefix(name, "origin/") {
		return short
	}
	return name
}

// renaming reads "Branch: renamed refs/heads/x to refs/heads/y".
func renaming(reason string) (from, to string, ok bool) {
	rest, found := strings.CutPrefix(reason, "Branch: renamed refs/heads/")
	from, to, both := strings.Cut(rest, " to refs/heads/")
	return from, to, found && both
}
