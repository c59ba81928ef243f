package history

import (
	"path/filepath"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
)

// A memory is what earlier runs took from commits. There is none of a history of
// which git shows something else than the commits say, or not all.
type memory struct {
	*reader
	dir    string // "" for none
	key    cache.Key
	paths  []string    // where plans lay in the end
	old    *cache.Kept // nil where nothing is kept
	fresh  int         // how many commits came before the old ones, in the order of all
	draft  chan *cache.Draft
	saving sync.WaitGroup // beside whoever prints what was read
	grown  bool           // the old ones are there in their order, behind the fresh ones
}

func (r *reader) memory() *memory {
	m := &memory{reader: r}
	if r.Maker != "" && r.Repo.PlainHistory() {
		m.dir, m.key = r.place()
	}
	return m
}

// place is where a history is kept, and for what.
func (o Options) place() (dir string, key cache.Key) {
	return filepath.Join(o.Repo.CommonDir(), "ralph", "history"), cache.Key{Size: o.Repo.IDSize(), Paths: o.Paths, Maker: o.Maker}
}

// KnownIDs returns the ids of tasks and issues that the history knew when it was
// last read, and whether each is that of an accepted task. It reads no commit.
func KnownIDs(o Options) map[string]bool {
	known, _ := cache.IDs(o.place())
	return known.IDs
}

// load reads what earlier runs kept.
func (m *memory) load() {
	if m.dir != "" && m.old == nil {
		m.old = cache.Load(m.dir, m.key)
	}
}

// forget lets everything be read anew.
func (m *memory) forget() { m.old, m.fresh, m.grown = nil, 0, false }

// A visit is what a walk to the kept commits met.
type visit struct {
	fold.Input
	plans  *versions
	found  *git.Graph // what was new
	heads  []git.Hash // of the kept commits, from which all of them are reached
	border []int32    // where its missing commits stand among the kept ones
}

// history reads what is new, and puts it before what is kept. It is nil where something is missing, or where a plan may
// have moved: then all is to be read. Where the newest events are enough, so many of them, it may tell but those.
func (m *memory) history(newest int) (*fold.History, error) {
	v, err := m.visit()
	if v == nil || err != nil {
		return nil, err
	}
	if h := m.recent(v, newest); h != nil {
		return h, nil
	}
	if v.plans.gone || !m.join(v) {
		return nil, nil
	}
	m.prepare(v.Input)
	h := fold.Of(v.Input)
	if v.plans.gone {
		m.draft = nil
		return nil, nil
	}
	m.saving.Go(func() { m.keep(known(v.Input), v.plans.Readable, h) })
	return h, nil
}

// visit walks to what is kept, and reads the plans on the way.
func (m *memory) visit() (*visit, error) {
	in, plans, err := m.input()
	if err != nil {
		return nil, err
	}
	v := &visit{Input: in, plans: plans, heads: m.old.Heads()}
	plans.kept, m.paths = m.old.Readable, m.old.Paths
	if v.found, err = m.walkFresh(v); err != nil {
		return nil, err
	}
	v.border = make([]int32, len(v.found.Missing))
	for i, id := range v.found.Missing {
		var known bool
		if v.border[i], known = m.old.Place(id); !known {
			return nil, nil
		}
	}
	if m.moved(v.found, v.border) {
		return nil, nil
	}
	m.fresh = len(v.found.Commits)
	m.grown = m.fresh == 0 || m.allNewer(v.found)
	return v, plans.fetch(plans.unread(v.found))
}

// walkFresh walks to what is kept.
func (m *memory) walkFresh(v *visit) (*git.Graph, error) {
	request := git.Request{Paths: m.old.Paths, Plans: v.plans}
	for _, id := range m.commits() {
		if _, known := m.old.Place(id); !known {
			request.Tips = append(request.Tips, id)
		}
	}
	if request.Tips == nil {
		return &git.Graph{Size: m.key.Size}, nil
	}
	request.Known.Has = func(id git.Hash) bool { _, known := m.old.Place(id); return known }
	request.Known.Tips = v.heads
	return m.walker.Walk(request)
}

// moved tells whether a plan came, went or lies elsewhere in one of the commits.
func (m *memory) moved(fresh *git.Graph, border []int32) bool {
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
			plan, path = m.old.Plan(border[-1-p])
		}
		if c.Blind || c.Plan.IsZero() != plan.IsZero() || c.Path != path {
			return true
		}
	}
	return false
}

// prepare begins to write down the graph, beside the fold.
func (m *memory) prepare(in fold.Input) {
	if m.dir == "" || m.old != nil && m.grown && m.fresh == 0 {
		return
	}
	f := cache.Fresh{Paths: m.paths, Graph: in.Graph, New: m.fresh}
	if m.grown {
		f.Before = m.old
	}
	m.draft = make(chan *cache.Draft, 1)
	go func() { m.draft <- cache.Prepare(m.key, f) }()
}

// known begins what is kept of the ids: where HEAD, branches and tags stand.
func known(in fold.Input) cache.Known {
	k := cache.Known{Head: in.Head}
	for _, tip := range in.Tips {
		k.Tips = append(k.Tips, tip.Commit)
	}
	return k
}

// keep keeps what this run found, where everything was at hand. That it could not
// be written costs nothing but time.
func (m *memory) keep(at cache.Known, readable func(git.Hash) (readable, atHand bool), h *fold.History) {
	if m.dir == "" {
		return
	}
	var err error
	if m.draft != nil {
		draft := <-m.draft
		m.draft = nil
		if !h.Whole {
			return
		}
		err = draft.Save(m.dir, cache.Taken{Notes: h.Notes(), Silent: h.Silent(), Readable: readable})
	}
	if err == nil && h.Whole { // without a new commit too: HEAD may stand elsewhere
		cache.KeepIDs(m.dir, m.key, at, h.Lives) //nolint:errcheck // see above
	}
}
