package oracle

import (
	"regexp"
	"slices"
	"sort"
	"strings"
)

// A move is an entry of a branch's own log, with the branch.
type move struct {
	branch  string
	to      string    // commit
	made    bool      // it was made there
	onto    string    // a rebase moved the branch onto this commit
	renamed [2]string // the branch got the second name in the place of the first
	merged  string    // this branch was merged,
	forward bool      // by moving there,
	from    string    // from this commit
}

// readLogs asks git for the logs of all local branches.
func (r *repo) readLogs() {
	made := regexp.MustCompile(`^(commit|commit \([^)]*\)|cherry-pick|revert|am): |^[^:]*: Merge made by`)
	rebased := regexp.MustCompile(`^[^:]*rebase[^:]*: .* onto ([0-9a-f]{40,64})$`)
	renamed := regexp.MustCompile(`^Branch: renamed refs/heads/(.*) to refs/heads/(.*)$`)
	merged := regexp.MustCompile(`^merge ([^- @~^:?*[\\][^ @~^:?*[\\]*): (Fast-forward)?`)
	for _, t := range r.tips {
		if !t.local {
			continue
		}
		newer := -1 // the move after this one
		out, err := r.git("log", "-g", "--format=%H %gs", "refs/heads/"+t.branch, "--")
		if err != nil {
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			to, reason, _ := strings.Cut(line, " ")
			m := move{branch: t.branch, to: to, made: made.MatchString(reason)}
			if found := rebased.FindStringSubmatch(reason); found != nil {
				m.onto = found[1]
			}
			if found := renamed.FindStringSubmatch(reason); found != nil {
				m.renamed = [2]string{found[1], found[2]}
			}
			if found := merged.FindStringSubmatch(reason); found != nil && !regexp.MustCompile(`HEAD$|^[0-9a-f]{7,}$`).MatchString(found[1]) {
				if name := r.asGiven(found[1]); !slices.Contains(r.tags, name) {
					m.merged, m.forward = name, found[2] != ""
				}
			}
			if newer >= 0 {
				r.moves[newer].from = to
			}
			newer = len(r.moves)
			r.moves = append(r.moves, m)
		}
	}
}

// asGiven returns the short name of a branch as somebody gave it to git.
func (r *repo) asGiven(name string) string {
	name = local(name)
	remote, full := strings.CutPrefix(name, "remotes/")
	full = full || strings.HasPrefix(remote, "origin/")
	for _, known := range r.remotes {
		full = full || strings.HasPrefix(remote, known+"/")
	}
	if full {
		return r.withoutRemote(remote)
	}
	return name
}

// madeOn returns the branches whose own logs say that a commit was made there.
func (r *repo) madeOn(c *commit) []string {
	on := map[string]bool{}
	for _, m := range r.moves {
		if m.to == c.id && m.made {
			on[m.branch] = true
		}
		if m.onto == "" {
			continue
		}
		for at := r.commits[m.to]; at != nil && at.id != m.onto; {
			if at == c {
				on[m.branch] = true
			}
			if len(at.sides) == 0 {
				break
			}
			at = at.sides[0]
		}
	}
	return sorted(on)
}

func sorted(set map[string]bool) (list []string) {
	for name := range set {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

func holds(tip, c *commit) bool { return tip != nil && (tip == c || tip.above[c]) }

// onMain reports whether the main line holds a commit.
func (r *repo) onMain(c *commit) bool {
	return slices.ContainsFunc(r.tips, func(t tip) bool { return t.branch != "" && t.branch == r.main && holds(t.at, c) })
}

// origin finds on which branches a commit was made whose message names none, nothing for the main line, and whether a log
// alone says so. These are rules 2 to 4.
func (r *repo) origin(c *commit) (branches []string, logged bool) {
	if branches := r.broughtIn(c); branches != nil {
		return branches, false
	}
	made := r.madeOn(c)
	if !r.onMain(c) {
		near, all := r.nearest(c)
		there := slices.DeleteFunc(made, func(b string) bool { return !slices.Contains(all, b) })
		if len(all) > 1 && len(there) > 0 && !slices.Equal(there, near) {
			return there, true
		}
		return near, false
	}
	elsewhere := slices.DeleteFunc(slices.Clone(made), func(b string) bool { return b == r.main })
	if len(made) > 0 {
		return elsewhere, len(elsewhere) > 0
	}
	branch := r.forwarded(c)
	if branch == "" {
		return nil, false
	}
	return []string{branch}, true
}

// forwarded returns the branch to which the main line moved when it got a commit, by its own log; the first time counts.
func (r *repo) forwarded(c *commit) string {
	for _, m := range slices.Backward(r.moves) { // the oldest first
		to := r.commits[m.to]
		if m.branch == r.main && m.forward && m.merged != "" && m.from != "" && m.merged != r.main && to != nil && holds(to, c) && !holds(r.commits[m.from], c) {
			return m.merged
		}
	}
	return ""
}

// broughtIn returns the branches by which merges, the oldest first, brought a commit in: the names of the merged side, else the
// branch that the merge was made on, where that had the commit before.
func (r *repo) broughtIn(c *commit) []string {
	usable := func(names []string) bool {
		return len(names) > 0 && !(slices.Contains(names, r.main) && r.onMain(c))
	}
	for _, m := range r.ordered {
		for side, p := range m.sides {
			if side == 0 || m.sides[0] == nil || !holds(p, c) || holds(m.sides[0], c) {
				continue
			}
			if names := r.sideNames(m, side, p); usable(names) {
				return names
			}
		}
	}
	for _, m := range r.ordered {
		into := r.mergeOf(m.message).into
		if len(m.sides) < 2 || m.sides[0] == nil || into == "" {
			continue
		}
		before := holds(m.sides[0], c)
		for _, p := range m.sides[1:] {
			before = before && !holds(p, c)
		}
		if (before || m == c) && usable([]string{into}) {
			return []string{into}
		}
	}
	return nil
}

// sideNames is what a merge names for a parent, else the live branches that stand there or did.
func (r *repo) sideNames(m *commit, side int, p *commit) []string {
	if from := r.mergeOf(m.message).from; side <= len(from) && from[side-1] != "" {
		return []string{from[side-1]}
	}
	if made := r.madeOn(p); made != nil {
		return made
	}
	there := map[string]bool{}
	for _, t := range r.tips {
		if t.at == p && t.branch != "" {
			there[t.branch] = true
		}
	}
	for _, move := range r.moves {
		if move.to == p.id {
			there[move.branch] = true
		}
	}
	for _, move := range r.moves {
		if len(there) == 0 && move.to == m.id && move.merged != "" && !move.forward {
			return []string{move.merged}
		}
	}
	return sorted(there)
}

// nearest returns the live branches that hold a commit, and of these the ones that hold no other place where one stands
// that holds it.
func (r *repo) nearest(c *commit) (near, all []string) {
	nearer, there := map[string]bool{}, map[string]bool{}
	for _, t := range r.tips {
		if t.branch == "" || !holds(t.at, c) {
			continue
		}
		there[t.branch] = true
		if !slices.ContainsFunc(r.tips, func(o tip) bool { return o.branch != "" && t.at != o.at && t.at.above[o.at] && holds(o.at, c) }) {
			nearer[t.branch] = true
		}
	}
	return sorted(nearer), sorted(there)
}

// aliases are the other names of a branch. A former name that another branch has now counts for what was there then.
func (r *repo) aliases(branch string, c *commit) []string {
	known := map[string]bool{branch: true}
	for range r.moves {
		for _, m := range r.moves {
			from, to := m.renamed[0], m.renamed[1]
			if known[from] == known[to] {
				continue
			}
			live := slices.ContainsFunc(r.tips, func(t tip) bool { return t.local && t.branch == from })
			if !live || holds(r.commits[m.to], c) {
				known[from], known[to] = true, true
			}
		}
	}
	delete(known, branch)
	return sorted(known)
}

// name finds the branches of an event, the first rule first: its trailers and rules 2 to 4, then the names of these
// branches before and after, then the main line.
func (s *history) name(e *event) {
	add := func(names ...string) {
		for _, name := range names {
			if name != "" && !slices.Contains(e.branches, name) {
				e.branches = append(e.branches, name)
			}
		}
	}
	for _, t := range append([]*recording{e.recording}, e.copies...) {
		add(t.branch)
		if slices.ContainsFunc(s.tips, func(there tip) bool { return t.branch != "" && there.branch == t.branch }) {
			continue // else it may have been renamed
		}
		branches, logged := s.origin(t.commit)
		add(branches...)
		e.logged = e.logged || logged && t.branch == ""
	}
	if len(e.branches) == 0 {
		add(s.main)
	}
	for i := 0; i < len(e.branches); i++ {
		add(s.aliases(e.branches[i], e.commit)...)
	}
	if len(e.branches) > 0 {
		e.branch = e.branches[0]
	}
}
