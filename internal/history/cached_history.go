package history

import (
	"errors"
	"path/filepath"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
)

// A cachedHistory is what earlier runs read. A history that replacements, grafts or a shallow boundary change is not cached.
type cachedHistory struct {
	*repository
	dir      string // "" for none
	key      cache.Key
	paths    []string        // all paths at which plans were found
	contents *cache.Contents // nil if nothing is cached
	fresh    int             // the number of new commits; they come before the cached ones in walk order
	saving   sync.WaitGroup  // the cache is written while the caller prints
	extended bool            // the cached commits follow the new ones unchanged, so that the cache only has to be extended
}

func (r *repository) cachedHistory() *cachedHistory {
	m := &cachedHistory{repository: r}
	if r.ProgramVersion != "" && r.Repo.PlainHistory() {
		m.dir, m.key = r.cacheLocation()
	}
	return m
}

// cacheLocation returns the directory of the cache, and its key.
func (o Options) cacheLocation() (dir string, key cache.Key) {
	return filepath.Join(o.Repo.CommonDir(), "ralph", "history"), cache.Key{IDSize: o.Repo.IDSize(), Paths: o.Paths, ProgramVersion: o.ProgramVersion}
}

// KnownIDs returns the ids of tasks and issues that the history knew when it was
// last read, and whether each is that of an accepted task. It reads no commit.
func KnownIDs(o Options) map[string]bool {
	known, _ := cache.IDs(o.cacheLocation())
	return known.IDs
}

// load reads the cache.
func (m *cachedHistory) load() {
	if m.dir != "" && m.contents == nil {
		m.contents = cache.Load(m.dir, m.key, m.LongLived)
	}
}

// discard forgets the cache, so that everything is read again.
func (m *cachedHistory) discard() { m.contents, m.fresh, m.extended = nil, 0, false }

// errStale: the cache does not match the history any more, which must be read as a whole.
var errStale = errors.New("the cached history is stale")

// newCommits are what a walk to the kept commits found.
type newCommits struct {
	fold.Input
	plans    *planVersions
	found    *walk.Graph // what was new
	heads    []git.Hash  // of the kept commits, from which all of them are reached
	boundary []int32     // where its missing commits stand among the kept ones
}

// history reads what is new, and puts it before what is kept. Where the newest events are enough, so many of them, it may
// have only those. The error is errStale where something is missing, or a plan may have moved.
func (m *cachedHistory) history(newest int) (*fold.History, error) {
	v, err := m.readNew()
	if err != nil {
		return nil, err
	}
	if h, err := m.newestPart(v, newest); h != nil || err != nil {
		return h, err
	}
	if err := m.combine(v); err != nil {
		return nil, err
	}
	h, err := fold.Build(v.Input)
	if err != nil {
		return nil, err
	}
	m.saving.Go(func() { m.keep(v.Input, v.plans, h) })
	return h, nil
}

// readNew walks to what is kept, and reads the plans on the way.
func (m *cachedHistory) readNew() (*newCommits, error) {
	in, plans, err := m.input()
	if err != nil {
		return nil, err
	}
	v := &newCommits{Input: in, plans: plans, heads: m.contents.Heads()}
	plans.kept, m.paths = m.contents.Valid, m.contents.Paths
	if v.found, err = m.walkFresh(v); err != nil {
		return nil, err
	}
	v.boundary = make([]int32, len(v.found.Missing))
	for i, id := range v.found.Missing {
		var known bool
		if v.boundary[i], known = m.contents.Place(id); !known {
			return nil, errStale
		}
	}
	if m.moved(v.found, v.boundary) {
		return nil, errStale
	}
	m.fresh = len(v.found.Commits)
	m.extended = m.fresh == 0 || m.allNewer(v.found)
	return v, plans.fetch(plans.unread(v.found))
}

// walkFresh walks to what is kept.
func (m *cachedHistory) walkFresh(v *newCommits) (*walk.Graph, error) {
	request := walk.Request{Paths: m.contents.Paths}
	for _, id := range m.commits() {
		if _, known := m.contents.Place(id); !known {
			request.Tips = append(request.Tips, id)
		}
	}
	if request.Tips == nil {
		return &walk.Graph{IDSize: m.key.IDSize}, nil
	}
	request.Known.Has = func(id git.Hash) bool { _, known := m.contents.Place(id); return known }
	request.Known.Tips = v.heads
	return m.walker.Walk(request)
}

// moved reports whether a plan came, went or lies elsewhere in one of the commits.
func (m *cachedHistory) moved(fresh *walk.Graph, boundary []int32) bool {
	for i := range fresh.Commits {
		c := &fresh.Commits[i]
		parents := fresh.Parents(i)
		if len(parents) == 0 {
			continue
		}
		var plan git.Hash
		var path uint8
		if p := parents[0]; p >= 0 {
			plan, path = fresh.Commits[p].Plan, fresh.Commits[p].Path
		} else {
			plan, path = m.contents.Plan(boundary[-1-p])
		}
		if id, err := c.PlanID(); err != nil || id.IsZero() != plan.IsZero() || c.Path != path {
			return true
		}
	}
	return false
}

// known begins what is kept of the ids: the commits of HEAD, branches and tags.
func known(in fold.Input) cache.Known {
	k := cache.Known{Head: in.Head}
	for _, tip := range in.Tips {
		k.Tips = append(k.Tips, tip.Commit)
	}
	return k
}

// keep caches what this run read, if nothing was missing. If that fails, the next run takes longer.
func (m *cachedHistory) keep(in fold.Input, plans *planVersions, h *fold.History) {
	if m.dir == "" || !h.Complete {
		return
	}
	if m.contents == nil || !m.extended || m.fresh > 0 {
		f := cache.Fresh{Paths: m.paths, Graph: in.Graph, New: m.fresh}
		if m.extended {
			f.Before = m.contents
		}
		if cache.Save(m.dir, m.key, f, cache.Recorded{Entries: in.Entries, Valid: plans.isValid}) != nil {
			return
		}
	}
	cache.KeepIDs(m.dir, m.key, known(in), h.Lives) //nolint:errcheck // also without new commits: HEAD may have moved
}
