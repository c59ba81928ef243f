package history

import (
	"cmp"
	"errors"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/cache"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/record"
)

// A newestPart is the newest part of a long history, with all events of the tasks and issues in question, however old: after a
// few new commits the newest events follow from that, without a fold of everything. Where they do not, everything is read.
type newestPart struct {
	*cachedHistory
	newCommits
	ids    map[string]bool // of tasks, issues and specs in question
	window cache.Window
	before cache.Known     // what was known when the history was read last
	made   []*record.Entry // of the fresh commits
	inHead []bool
}

const (
	firstWindow = 1 << 10 // kept commits that are read first
	wider       = 4
)

// newestPart returns the newest events, nil where they do not follow from a part of the history.
func (m *cachedHistory) newestPart(v *newCommits, newest int) (*fold.History, error) {
	if newest == 0 || !m.extended || !m.contents.Extends(m.fresh) || m.contents.HasInvalidPlan() || !m.allLive(v) {
		return nil, nil
	}
	r := &newestPart{cachedHistory: m, newCommits: *v, ids: map[string]bool{}}
	r.window = cache.Window{Free: m.fresh, IDs: r.ids}
	r.Part = &fold.Part{Beyond: func(digits string) bool { return m.contents.HasOlderCommit(r.window.Top, digits) }}
	if ok, err := r.take(); errors.Is(err, git.ErrMissing) {
		return nil, nil
	} else if !ok {
		return nil, err
	}
	h, err := r.fold(newest)
	switch {
	case errors.Is(err, fold.ErrPart):
		return nil, nil
	case err != nil || !h.Complete || len(h.Warnings) > 0:
		return nil, err
	}
	m.saving.Go(func() { r.keep(h) })
	return h, nil
}

// allLive reports whether tips and fresh commits reach all that is kept.
func (m *cachedHistory) allLive(v *newCommits) bool {
	tips := m.commits()
	return !slices.ContainsFunc(v.heads, func(id git.Hash) bool { return !slices.Contains(tips, id) && !slices.Contains(v.found.Missing, id) })
}

// widen reads the graph as far as so many of the kept commits, if these are more than before and less work than all.
func (r *newestPart) widen(top int) (ok bool) {
	top = min(top, r.contents.Len())
	if top <= r.window.Top || top > max(r.contents.Len()/2, firstWindow) {
		return false
	}
	r.window.Top = top
	if r.Graph, ok = r.contents.Graph(r.window); !ok {
		return false
	}
	prepend(r.Graph, r.found, r.boundary)
	r.inHead = r.Graph.Reached(r.place(r.Head))
	return true
}

// place returns where a commit stands in the part.
func (r *newestPart) place(id git.Hash) int32 {
	return int32(slices.IndexFunc(r.Graph.Commits, func(c walk.Commit) bool { return c.ID == id }))
}

// take finds what the fresh commits record. All that these changed is in question: HEAD had everything else when the history
// was read last. It is not ok where that does not follow.
func (r *newestPart) take() (ok bool, err error) {
	var kept bool
	r.before, kept = cache.IDs(r.dir, r.key)
	place, found := r.contents.Place(r.before.Head)
	deepest := slices.Max(append(r.boundary, place))
	if !kept || !found || !r.widen(max(cmp.Or(r.Window, firstWindow), int(deepest)+1+fold.Nearby)) {
		return false, nil
	}
	before := r.place(r.before.Head)
	if slices.Contains(r.inHead[:r.fresh], false) || r.otherTipsMoved() {
		return false, nil
	}
	for at, was := range r.Graph.Reached(before) {
		if at >= r.fresh && r.inHead[at] != was {
			return false, nil
		}
	}
	if r.made, err = r.Source.Entries(r.fresh); err != nil {
		return false, err
	}
	for _, e := range r.made {
		for id := range e.IDs() {
			r.ids[id] = true
		}
	}
	was, err := r.Plan(before)
	if err != nil {
		return false, err
	}
	is, err := r.Plan(r.place(r.Head))
	if err != nil {
		return false, err
	}
	for _, id := range r.Lines.Changed(was, is) {
		r.ids[id] = true
	}
	return true, nil
}

// otherTipsMoved reports whether branches or tags moved that may not be part of HEAD's history.
func (r *newestPart) otherTipsMoved() bool {
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

// fold folds the part, with the tasks of more and more commits, until there are enough events. The errors are those of
// fold.Build.
func (r *newestPart) fold(newest int) (*fold.History, error) {
	made := 0
	for _, e := range r.made {
		if e != nil {
			made += len(e.Events)
		}
	}
	for commits := 2 * max(newest-made, 0); ; commits = wider * max(commits, newest) {
		enough := r.selectRecords(commits)
		for !enough && r.widen(wider*r.window.Top) {
			enough = r.selectRecords(commits)
		}
		all := r.window.Top == r.contents.Len()
		if !enough && !all {
			return nil, fold.ErrPart
		}
		r.addRenamed()
		if need := int(r.contents.Oldest(r.ids)) + 1 + fold.Nearby; !all && need > r.window.Top && !r.widen(wider*need) && !r.widen(need) {
			return nil, fold.ErrPart
		}
		if !r.fill() {
			return nil, errStale
		}
		h, err := fold.Build(r.Input)
		if err != nil || len(h.Events) >= newest || !enough {
			return h, err
		}
	}
}

// selectRecords puts what the newest kept commits of HEAD's record in question, and sets the position of the last of these. It
// reports whether there were enough.
func (r *newestPart) selectRecords(commits int) (enough bool) {
	r.Part.Last = int32(r.fresh) - 1
	r.contents.VisitRecordIDs(func(place int32, ids []string) bool {
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

// addRenamed puts in question what records were called before and after merges gave them another id.
func (r *newestPart) addRenamed() {
	for before := -1; before < len(r.ids); {
		before = len(r.ids)
		r.contents.AddRenamed(r.ids)
		for _, e := range r.made {
			for id, former := range e.Renamed() {
				if r.ids[id] || r.ids[former] {
					r.ids[id], r.ids[former] = true, true
				}
			}
		}
	}
}

// fill reads what commits record of what is in question.
func (r *newestPart) fill() (ok bool) {
	if r.Entries, ok = r.contents.Entries(r.window); !ok {
		return false
	}
	for at, e := range r.made {
		if e != nil {
			e = e.Only(r.ids)
		}
		r.Entries[at] = e
	}
	return true
}

// keep keeps the fresh commits, and the ids.
func (r *newestPart) keep(h *fold.History) {
	if r.fresh > 0 {
		f := cache.Fresh{Paths: r.paths, Graph: r.Graph, New: r.fresh, Before: r.contents}
		if cache.Save(r.dir, r.key, f, cache.Recorded{Entries: r.made, Valid: r.plans.isValid}) != nil {
			return
		}
	}
	now := known(r.Input)
	now.IDs = r.before.IDs
	cache.KeepIDs(r.dir, r.key, now, h.Lives) //nolint:errcheck // it costs nothing but time
}
