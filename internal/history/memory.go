package history

import (
	"path/filepath"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
)

// A memory is what earlier runs took from commits. There is none of a history of
// which git shows something else than the commits say, or not all.
type memory struct {
	*reader
	dir   string // "" for none
	key   cache.Key
	paths []string    // where plans lay in the end
	old   *cache.Kept // nil where nothing is kept
	fresh int         // how many commits came before the old ones, in the order of all
	grown bool        // the old ones are there in their order, behind the fresh ones
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
func KnownIDs(o Options) map[string]bool { return cache.IDs(o.place()) }

// load reads what earlier runs kept.
func (m *memory) load() {
	if m.dir != "" {
		m.old = cache.Load(m.dir, m.key)
	}
}

// forget lets everything be read anew.
func (m *memory) forget() { m.old, m.fresh, m.grown = nil, 0, false }

// recall puts the commits that are new before those that are kept. It tells
// whether that is all there is to do: not where nothing is kept, where something
// is missing, or where a plan may have moved.
func (m *memory) recall(in *fold.Input, plans *versions) (bool, error) {
	if m.old == nil {
		return false, nil
	}
	fresh, err := m.walkFresh()
	if err != nil {
		return false, err
	}
	border := make([]int32, len(fresh.Missing))
	for i, id := range fresh.Missing {
		at, known := m.old.Place(id)
		if !known {
			m.forget()
			return false, nil
		}
		border[i] = at
	}
	if m.moved(fresh, border) {
		m.forget()
		return false, nil
	}
	plans.kept = m.old.Readable
	if err := plans.fetch(plans.unread(fresh)); err != nil {
		return false, err
	}
	m.paths = m.old.Paths
	m.join(in, fresh, border)
	return true, nil
}

// walkFresh walks to what is kept.
func (m *memory) walkFresh() (*git.Graph, error) {
	request := git.Request{Paths: m.old.Paths}
	for _, id := range m.commits() {
		if _, known := m.old.Place(id); !known {
			request.Tips = append(request.Tips, id)
		}
	}
	if request.Tips == nil {
		return &git.Graph{Size: m.key.Size}, nil
	}
	request.Known.Has = func(id git.Hash) bool { _, known := m.old.Place(id); return known }
	isParent := make([]bool, len(m.old.Commits))
	for i := range m.old.Commits {
		if !isParent[i] {
			request.Known.Tips = append(request.Known.Tips, m.old.Commits[i].ID)
		}
		for _, p := range m.old.Commits[i].Parents {
			isParent[p] = true
		}
	}
	return m.walker.Walk(request)
}

// moved tells whether a plan came, went or lies elsewhere in one of the commits.
func (m *memory) moved(fresh *git.Graph, border []int32) bool {
	for i := range fresh.Commits {
		c := &fresh.Commits[i]
		if len(c.Parents) == 0 {
			continue
		}
		var parent *git.Walked
		if p := c.Parents[0]; p >= 0 {
			parent = &fresh.Commits[p]
		} else {
			parent = &m.old.Commits[border[-1-p]]
		}
		if c.Blind || c.Plan.IsZero() != parent.Plan.IsZero() || c.Path != parent.Path {
			return true
		}
	}
	return false
}

// join makes one graph of the commits that are new and those that are kept and
// that a tip still reaches. Their order is that of a walk of all.
func (m *memory) join(in *fold.Input, fresh *git.Graph, border []int32) {
	live, all := m.live(border)
	n := len(fresh.Commits)
	m.fresh = n
	in.Silent = m.old.Silent
	if n == 0 && all {
		m.grown = true
		in.Graph, in.Notes = &git.Graph{Size: m.key.Size, Commits: m.old.Commits}, m.old.Notes
		return
	}
	places := make([]int32, len(m.old.Commits)) // in the new order
	commits, notes := fresh.Commits, make([]*fold.Note, n, n+len(m.old.Commits))
	for i := range m.old.Commits {
		if live[i] {
			places[i] = int32(len(commits))
			commits, notes = append(commits, m.old.Commits[i]), append(notes, m.old.Notes[i])
		}
	}
	shift(commits[:n], func(p int32) int32 {
		if p < 0 {
			return places[border[-1-p]]
		}
		return p
	})
	shift(commits[n:], func(p int32) int32 { return places[p] })
	m.grown = m.allNewer(fresh)
	if !m.grown && !sorted(commits) || !all && !sorted(commits[n:]) {
		commits, notes = reordered(commits, notes)
		m.grown = false
	}
	in.Graph, in.Notes = &git.Graph{Size: m.key.Size, Commits: commits}, notes
}

// live tells which of the kept commits a tip reaches, and whether all are.
func (m *memory) live(border []int32) (live []bool, all bool) {
	live = make([]bool, len(m.old.Commits))
	for _, at := range border {
		live[at] = true
	}
	for _, id := range m.commits() {
		if at, known := m.old.Place(id); known {
			live[at] = true
		}
	}
	all = true
	for i := range live {
		if !live[i] {
			all = false
			continue
		}
		for _, p := range m.old.Commits[i].Parents {
			live[p] = true
		}
	}
	return live, all
}

// shift gives commits other positions of their parents.
func shift(commits []git.Walked, to func(int32) int32) {
	n := 0
	for i := range commits {
		n += len(commits[i].Parents)
	}
	room := make([]int32, 0, n)
	for i := range commits {
		start := len(room)
		for _, p := range commits[i].Parents {
			room = append(room, to(p))
		}
		commits[i].Parents = room[start:len(room):len(room)]
	}
}

// allNewer tells whether every fresh commit is newer than every kept one: then
// all of them are listed first.
func (m *memory) allNewer(fresh *git.Graph) bool {
	var newest int64
	for i := range m.old.Commits {
		newest = max(newest, m.old.Commits[i].Time)
	}
	return !slices.ContainsFunc(fresh.Commits, func(c git.Walked) bool { return c.Time <= newest })
}

// sorted tells whether the order of commits is that in which they would stand if
// none were an ancestor of another: then it is the order of a walk.
func sorted(commits []git.Walked) bool {
	for i := 1; i < len(commits); i++ {
		if commits[i].Before(&commits[i-1]) {
			return false
		}
	}
	return true
}

func reordered(commits []git.Walked, notes []*fold.Note) ([]git.Walked, []*fold.Note) {
	order := git.Order(commits)
	places := make([]int32, len(commits))
	for to, from := range order {
		places[from] = int32(to)
	}
	c, n := make([]git.Walked, len(order)), make([]*fold.Note, len(order))
	for to, from := range order {
		c[to], n[to] = commits[from], notes[from]
	}
	shift(c, func(p int32) int32 { return places[p] })
	return c, n
}

// keep keeps what this run found, where everything was at hand. That it could not
// be written costs nothing but time.
func (m *memory) keep(in fold.Input, h *fold.History) {
	if m.dir == "" || !h.Whole {
		return
	}
	f := cache.Fresh{
		Paths: m.paths, Commits: in.Graph.Commits, Notes: h.Notes(), Silent: h.Silent(), Readable: in.Plans.Readable, New: m.fresh,
	}
	if m.grown {
		f.Before = m.old
	}
	if f.Before != nil && f.New == 0 {
		return
	}
	if cache.Save(m.dir, m.key, f) == nil {
		cache.KeepIDs(m.dir, m.key, h.Lives) //nolint:errcheck // see above
	}
}
