package history

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/record"
)

// workers is how many versions of a plan are read at once, at most.
const workers = 2

type repository struct {
	Options
	ctx    context.Context
	walker walk.Walker
	tips   []git.Tip
}

// history reads only what is new where the rest is cached, else everything. If newest is not 0, that many of the newest events
// are enough.
func (r *repository) history(m *cachedHistory, newest int) (*fold.History, error) {
	m.load()
	if m.contents != nil {
		h, err := m.history(newest)
		if !errors.Is(err, errStale) {
			return h, err
		}
		m.discard()
	}
	return r.all(m)
}

// all reads the whole history: the graph with all versions of the plan, what each commit records, and what follows from that.
func (r *repository) all(m *cachedHistory) (*fold.History, error) {
	in, plans, err := r.input()
	if err != nil {
		return nil, err
	}
	if m.paths, err = r.walk(&in, plans); err != nil {
		return nil, err
	}
	if err := r.warnHidden(&in); err != nil {
		return nil, err
	}
	if in.Message, err = r.messages(in.Changed()); err != nil {
		return nil, err
	}
	if in.Entries, err = in.Source.Entries(len(in.Graph.Commits)); err != nil {
		return nil, err
	}
	h, err := fold.Build(in)
	if err != nil {
		return nil, err
	}
	plans.close()
	m.saving.Go(func() { m.keep(in, plans, h) })
	return h, nil
}

// warnHidden warns of commits whose parents grafts or replacements cut off, where nothing else leads to these.
func (r *repository) warnHidden(in *fold.Input) error {
	if r.Repo.PlainHistory() {
		return nil
	}
	altered, err := walk.AlteredParents(r.ctx, r.Repo)
	if err != nil || len(altered) == 0 {
		return err
	}
	shown := make(map[git.Hash]bool, len(in.Graph.Commits))
	for i := range in.Graph.Commits {
		shown[in.Graph.Commits[i].ID] = true
	}
	cut := 0
	for id, parents := range altered {
		if shown[id] && slices.ContainsFunc(parents, func(p git.Hash) bool { return !shown[p] }) {
			cut++
		}
	}
	if cut > 0 {
		in.Warnings = append(in.Warnings, fold.CountText(cut,
			"grafts or replacements hide parents of 1 commit; what came before it is not reported",
			"grafts or replacements hide parents of %d commits; what came before them is not reported"))
	}
	return nil
}

// messages reads the messages of many commits at once, others when they are needed.
func (r *repository) messages(ids []git.Hash) (func(git.Hash) (walk.Message, error), error) {
	var mutex sync.Mutex
	read := make(map[git.Hash]walk.Message, len(ids))
	err := r.walker.Messages(ids, workers, func(_, i int, m walk.Message, err error) error {
		mutex.Lock()
		defer mutex.Unlock()
		if err == nil {
			read[ids[i]] = m
		}
		return nil
	})
	return func(id git.Hash) (walk.Message, error) {
		mutex.Lock()
		defer mutex.Unlock()
		if m, known := read[id]; known {
			delete(read, id) // none is read twice
			return m, nil
		}
		return r.walker.Message(id)
	}, err
}

// input begins what the fold reads.
func (r *repository) input() (fold.Input, *planVersions, error) {
	plans := newVersions(r.walker)
	if smudge := r.Repo.Smudge(r.ctx, r.Paths[0]); smudge != nil {
		plans.smudge = func(id git.Hash) ([]byte, error) { return smudge(hex.EncodeToString(id[:r.Repo.IDSize()])) }
	}
	in := fold.Input{Source: record.Source{Boundary: map[git.Hash]bool{}, Lines: plans.lines, Versions: plans, Message: r.walker.Message}}
	boundary, err := walk.ShallowBoundary(r.Repo)
	if err != nil {
		return in, nil, err
	}
	for _, id := range boundary {
		in.Boundary[id] = true
	}
	in.Head, in.Tips = r.orderTips(r.tips)
	in.Remotes = r.Repo.Remotes(r.ctx)
	if in.Main = r.mainBranch(r.tips); in.Main == "" {
		in.Main = r.oldestBranch(in.Tips)
	}
	in.Logs = func() []walk.BranchReflog { return r.branchReflogs(in.Tips) }
	return in, plans, nil
}

// commits returns the commits of the tips, each once.
func (r *repository) commits() (ids []git.Hash) {
	seen := make(map[git.Hash]bool, len(r.tips))
	for _, tip := range r.tips {
		if !seen[tip.ID] {
			seen[tip.ID] = true
			ids = append(ids, tip.ID)
		}
	}
	return ids
}

// walk reads the graph and the versions, again for each place that the plan was
// moved from or to. It returns all these places.
func (r *repository) walk(in *fold.Input, plans *planVersions) (paths []string, err error) {
	request := walk.Request{Tips: r.commits(), Paths: slices.Clone(r.Paths)}
	for {
		if in.Graph, err = r.walker.Walk(request); err != nil {
			return nil, err
		}
		if err = plans.fetch(plans.unread(in.Graph)); err != nil {
			return nil, err
		}
		former, err := r.findMoves(in, request.Paths)
		if err != nil || former == nil || len(request.Paths) >= maxPaths {
			cutLoops(in.Graph)
			return request.Paths, err
		}
		request.Paths = append(request.Paths, former...)
	}
}

// maxPaths bounds how often a plan is followed to another place.
const maxPaths = 32

// cutLoops treats parents that are listed before their children as missing: replaced commits may be their own ancestors.
func cutLoops(g *walk.Graph) {
	for at := range g.Commits {
		parents := g.Parents(at)
		for i, p := range parents {
			if p >= 0 && int(p) <= at {
				parents[i] = -1
			}
		}
	}
}

// orderTips finds HEAD among the tips and puts the others in the order in which
// they are used: branches by name, the main one first, a local one before the
// remote one of the same name; then tags.
func (r *repository) orderTips(tips []git.Tip) (head git.Hash, ordered []fold.Tip) {
	type named struct {
		fold.Tip
		rank string
	}
	var all []named
	main := r.mainBranch(tips)
	remotes := r.Repo.Remotes(r.ctx)
	for _, tip := range tips {
		if tip.Name == "HEAD" {
			head = tip.ID
			continue
		}
		n := named{Tip: fold.Tip{Commit: tip.ID}, rank: "2" + tip.Name}
		if tag, found := strings.CutPrefix(tip.Name, "refs/tags/"); found {
			n.Tag = tag
		}
		if branch, local := branchOf(tip.Name, remotes); branch != "" {
			n.Branch, n.Local, n.rank = branch, local, "1"+branch+"\x00"
			if branch == main {
				n.rank = "0"
			}
			if !local {
				n.rank += "~" + tip.Name
			}
		}
		if !strings.HasSuffix(tip.Name, "/HEAD") || !strings.HasPrefix(tip.Name, "refs/remotes/") {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b named) int { return strings.Compare(a.rank, b.rank) })
	for _, n := range all {
		ordered = append(ordered, n.Tip)
	}
	return head, ordered
}

// mainBranch returns the name of the main line: the default branch of the remote "origin", else init.defaultBranch, else "main",
// "master" or "trunk", if there is such a branch; otherwise "".
func (r *repository) mainBranch(tips []git.Tip) string {
	if name := r.Repo.RemoteDefaultBranch(r.ctx); name != "" {
		return name
	}
	remotes := r.Repo.Remotes(r.ctx)
	for _, name := range [...]string{r.Repo.InitDefaultBranch(r.ctx), "main", "master", "trunk"} {
		if name != "" && slices.ContainsFunc(tips, func(t git.Tip) bool { branch, _ := branchOf(t.Name, remotes); return branch == name }) {
			return name
		}
	}
	return ""
}

// oldestBranch returns the branch whose reflog began first, or whose commit is the oldest where it has none.
func (r *repository) oldestBranch(tips []fold.Tip) string {
	began := map[string]int64{}
	for _, l := range r.branchReflogs(tips) {
		began[l.Branch] = l.Began
	}
	oldest, since := "", int64(math.MaxInt64)
	for _, tip := range tips {
		age := began[tip.Branch]
		if age == 0 && tip.Branch != "" {
			m, _ := r.walker.Message(tip.Commit) // one that is missing is no older than others
			age = m.Committer.Time
		}
		if age > 0 && age < since {
			oldest, since = tip.Branch, age
		}
	}
	return oldest
}

// branchReflogs returns the reflogs of the local branches.
func (r *repository) branchReflogs(tips []fold.Tip) []walk.BranchReflog {
	var branches []string
	for _, tip := range tips {
		if tip.Branch != "" && tip.Local {
			branches = append(branches, tip.Branch)
		}
	}
	return walk.BranchReflogs(r.ctx, r.Repo, branches)
}

// branchOf returns the short name of a branch, without that of its remote, "" for
// another reference.
func branchOf(ref string, remotes []string) (branch string, local bool) {
	if branch, local = strings.CutPrefix(ref, "refs/heads/"); local {
		return branch, true
	}
	rest, found := strings.CutPrefix(ref, "refs/remotes/")
	if !found {
		return "", false
	}
	branch, _ = git.CutRemote(rest, remotes)
	return branch, false
}
