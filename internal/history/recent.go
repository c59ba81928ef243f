package history

import (
	"cmp"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
)

// Who looks at what happened last, after a few commits, need not wait until all of a long history was folded anew. The
// newest part of it is, with what its notes tell of the tasks and issues in question, wherever in the history that is told.
// Where the answer may lie beyond that part, all is read after all.
type recent struct {
	*memory
	visit
	ids    map[string]bool // of tasks, issues and specs in question
	window cache.Window
	before cache.Known  // what was known when the history was read last
	made   []*fold.Note // of the fresh commits
	inHead []bool
}

const (
	firstWindow = 1 << 10 // kept commits that are looked at first
	nearby      = 9       // commits that may be looked at behind the last of the notes
	wider       = 4
)

// recent tells the newest events, nil where it cannot.
func (m *memory) recent(v *visit, newest int) *fold.History {
	if newest == 0 || !m.grown || !m.old.Extends(m.fresh) || m.old.Unread() || !m.allLive(v) {
		return nil
	}
	r := &recent{memory: m, visit: *v, ids: map[string]bool{}}
	r.window = cache.Window{Free: m.fresh, IDs: r.ids}
	r.Silent, r.Part = &fold.Note{}, &fold.Part{Beyond: func(digits string) bool { return m.old.Beyond(r.window.Top, digits) }}
	if !r.take() {
		return nil
	}
	h := r.tell(newest)
	if h == nil || !h.Whole || len(h.Warnings) > 0 || v.plans.gone {
		return nil
	}
	m.saving.Go(func() { r.keep(h) })
	return h
}

// allLive tells whether tips and fresh commits reach all that is kept.
func (m *memory) allLive(v *visit) bool {
	tips := m.commits()
	return !slices.ContainsFunc(v.heads, func(id git.Hash) bool { return !slices.Contains(tips, id) && !slices.Contains(v.found.Missing, id) })
}

// look reads the graph as far as so many of the kept commits, if these are more than before and less work than all.
func (r *recent) look(top int) (ok bool) {
	top = min(top, r.old.Len())
	if top <= r.window.Top || top > max(r.old.Len()/2, firstWindow) {
		return false
	}
	r.window.Top = top
	if r.Graph, ok = r.old.Graph(r.window); !ok {
		return false
	}
	prepend(r.Graph, r.found, r.border)
	r.inHead = r.Graph.Reached(r.place(r.Head))
	return true
}

// place returns where a commit stands in the part that is looked at.
func (r *recent) place(id git.Hash) int32 {
	return int32(slices.IndexFunc(r.Graph.Commits, func(c git.Walked) bool { return c.ID == id }))
}

// take makes the notes of the fresh commits. All that these changed is in question: HEAD knew everything else when the
// history was read last. It is not ok where that does not follow.
func (r *recent) take() bool {
	var kept bool
	r.before, kept = cache.IDs(r.dir, r.key)
	place, found := r.old.Place(r.before.Head)
	deepest := slices.Max(append(r.border, place))
	if !kept || !found || !r.look(max(cmp.Or(r.Window, firstWindow), int(deepest)+nearby)) {
		return false
	}
	before := r.place(r.before.Head)
	if slices.Contains(r.inHead[:r.fresh], false) || r.strangersMoved() {
		return false
	}
	for at, was := range r.Graph.Reached(before) {
		if at >= r.fresh && r.inHead[at] != was {
			return false
		}
	}
	r.Notes = make([]*fold.Note, len(r.Graph.Commits))
	for i := range r.Notes[r.fresh:] {
		r.Notes[r.fresh+i] = r.Silent
	}
	r.made = fold.Take(r.Input)[:r.fresh]
	for _, note := range r.made {
		for id := range note.IDs() {
			r.ids[id] = true
		}
	}
	for _, id := range r.Book.Changed(r.version(before), r.version(r.place(r.Head))) {
		r.ids[id] = true
	}
	return true
}

// strangersMoved tells whether others stand elsewhere among the branches and tags of which HEAD may not know everything.
func (r *recent) strangersMoved() bool {
	isHeads := map[git.Hash]bool{}
	for at := range r.Graph.Commits {
		if r.inHead[at] {
			isHeads[r.Graph.Commits[at].ID] = true
		}
	}
	strangers := func(tips []git.Hash) []git.Hash {
		return slices.DeleteFunc(slices.Clone(tips), func(id git.Hash) bool { return isHeads[id] })
	}
	return !slices.Equal(strangers(r.before.Tips), strangers(known(r.Input).Tips))
}

// version returns the plan of a commit.
func (r *recent) version(at int32) *fold.Version {
	if plan := r.Graph.Commits[at].Plan; !plan.IsZero() {
		return r.plans.Version(plan)
	}
	return nil
}

// tell folds, with the tasks of more and more commits, until there are enough events.
func (r *recent) tell(newest int) *fold.History {
	told := 0
	for _, note := range r.made {
		told += len(note.Told)
	}
	for commits := 2 * max(newest-told, 0); ; commits = wider * max(commits, newest) {
		enough := r.question(commits)
		for !enough && r.look(wider*r.window.Top) {
			enough = r.question(commits)
		}
		all := r.window.Top == r.old.Len()
		if !enough && !all {
			return nil
		}
		r.close()
		if need := int(r.old.Deepest(r.ids)) + nearby; !all && need > r.window.Top && !r.look(wider*need) && !r.look(need) {
			return nil
		}
		if !r.fill() {
			return nil
		}
		h := fold.Of(r.Input)
		if h.Short {
			return nil
		}
		if len(h.Events) >= newest || !enough {
			return h
		}
	}
}

// question puts what the newest kept commits of HEAD's tell of in question, and notes the position of the last of these. It
// tells whether there were enough.
func (r *recent) question(commits int) (enough bool) {
	r.Part.Last = int32(r.fresh) - 1
	r.old.About(func(place int32, ids []string) bool {
		at := place + int32(r.fresh)
		if commits == 0 || int(at) >= len(r.inHead) {
			return false
		}
		if r.inHead[at] {
			commits--
			r.Part.Last = at
			for _, id := range ids {
				r.ids[id] = true
			}
		}
		return true
	})
	return commits == 0
}

// close puts in question what records were called before and after merges gave them another id.
func (r *recent) close() {
	for before := -1; before < len(r.ids); {
		before = len(r.ids)
		r.old.Close(r.ids)
		for _, note := range r.made {
			for _, name := range note.Names {
				if r.ids[name.ID] || r.ids[name.FormerID] {
					r.ids[name.ID] = true
					if name.FormerID != "" {
						r.ids[name.FormerID] = true
					}
				}
			}
		}
	}
}

// fill reads the notes about what is in question.
func (r *recent) fill() (ok bool) {
	if r.Notes, ok = r.old.Notes(r.window, r.Silent); !ok {
		return false
	}
	for at, note := range r.made {
		if note != r.Silent {
			note = note.Only(r.ids)
		}
		r.Notes[at] = note
	}
	return true
}

// keep keeps the fresh commits, and the ids.
func (r *recent) keep(h *fold.History) {
	if r.fresh > 0 {
		draft := cache.Prepare(r.key, cache.Fresh{Paths: r.paths, Graph: r.Graph, New: r.fresh, Before: r.old})
		if draft.Save(r.dir, cache.Taken{Notes: r.made, Silent: r.Silent, Readable: r.plans.Readable}) != nil {
			return
		}
	}
	now := known(r.Input)
	now.IDs = r.before.IDs
	cache.KeepIDs(r.dir, r.key, now, h.Lives) //nolint:errcheck // it costs nothing but time
}
