package merge_test

import (
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A limit says why a place may end differently on clones that merged in
// different orders (docs/merge.md, "What no merge can promise").
type limit string

const (
	undone  limit = "a value taken back here and set there"
	twice   limit = "a value set twice, and changed since"
	gaveWay limit = "a state that gave way, and changed since"
	removed limit = "a record removed and changed"
	heirs   limit = "a dependency on what was removed"
	meshed  limit = "a text or an object changed by three"
	ordered limit = "a list put in order here and changed there"
	reused  limit = "an id given twice, and one of the records removed"
)

// limit returns the limit that a place is under, or "".
func (h *history) limit(writes map[place][]write, p place) limit {
	own := writes[p]
	life := slices.Concat(writes[place{p.record, state}], writes[place{p.record, "there"}])
	switch {
	case meets(own, func(v, w write) bool { return shares(v.gone, w.stated) }):
		return undone
	case len(own) > 2 && meets(own, func(v, w write) bool { return shares(values(v.news), values(w.news)) }):
		return twice
	case (isProse(p.field) || holdObjects(own)) && apart(own):
		return meshed
	case p.field == "priority" && apart(own), slices.Contains([]string{state, "there", "removed"}, p.field) && apart(life):
		return gaveWay
	}
	if p.field == "order" {
		for q, all := range writes {
			if q.record == p.record && meets(all, func(v, w write) bool { return shares(v.news, w.news) }) {
				return twice
			}
		}
	}
	if h.removedBeside(writes, p.record) {
		return removed
	}
	if slices.Contains([]string{"deps", "there", "removed"}, p.field) && h.followed(writes, writes[place{p.record, "deps"}]) {
		return heirs
	}
	if h.reused(p) {
		return reused
	}
	return ""
}

// removedBeside reports whether a record was removed beside a change of it, and
// there is a third change that one of them did not see.
func (h *history) removedBeside(writes map[place][]write, record string) bool {
	var all []write
	for p, some := range writes {
		if p.record == record {
			all = append(all, some...)
		}
	}
	removes := func(v write) bool {
		return slices.ContainsFunc(writes[place{record, "there"}], func(w write) bool { return w.by == v.by && len(w.gone) > 0 })
	}
	return slices.ContainsFunc(all, removes) && apart(all)
}

// followed reports whether a task was made to wait for another one beside the
// removal of that.
func (h *history) followed(writes map[place][]write, deps []write) bool {
	for p, all := range writes {
		for _, r := range all {
			if p.field != "there" || len(r.gone) == 0 {
				continue
			}
			for _, task := range decode(r.by.parents[0].data).Of(plan.KindTask) {
				waits := func(w write) bool { return w.beside(r) && slices.Contains(w.stated, task.ID()) }
				if placeOf(task, "").record == p.record && slices.ContainsFunc(deps, waits) {
					return true
				}
			}
		}
	}
	return false
}

// meets reports whether two writes of which neither saw the other are so.
func meets(all []write, so func(v, w write) bool) bool {
	return slices.ContainsFunc(all, func(v write) bool {
		return slices.ContainsFunc(all, func(w write) bool { return v.beside(w) && so(v, w) })
	})
}

// apart reports whether of three writes one saw neither of the others, or one of
// them at most.
func apart(all []write) bool {
	return meets(all, func(v, w write) bool {
		return slices.ContainsFunc(all, func(u write) bool {
			return u.by != v.by && u.by != w.by && (u.beside(v) || u.beside(w))
		})
	})
}

func holdObjects(all []write) bool {
	return slices.ContainsFunc(all, func(w write) bool { return slices.Contains(w.stated, "{}") })
}

// values drops what only says that there is an object.
func values(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(v string) bool { return v == "{}" })
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

// reused reports whether a record, or one that it points at, had an id that
// another one had as well, and one of the two was removed.
func (h *history) reused(p place) bool {
	born := map[string]map[string]bool{} // records, by id
	gone := map[string]bool{}
	mentions := map[string]bool{}
	for _, c := range h.commits {
		now := decode(c.data)
		for _, r := range now.Records() {
			if born[r.ID()] == nil {
				born[r.ID()] = map[string]bool{}
			}
			born[r.ID()][placeOf(r, "").record] = true
			if placeOf(r, "").record == p.record {
				for _, id := range append(r.WaitsFor(), r.ID(), r.Text("parent"), r.Text("supersedes")) {
					mentions[id] = true
				}
				for _, id := range r.Texts("renamed_from") {
					mentions[id] = true
				}
			}
		}
		for _, parent := range c.parents {
			for _, r := range decode(parent.data).Records() {
				if _, found := now.Task(r.ID()); !found && r.Kind() == plan.KindTask {
					gone[r.ID()] = true
				}
				if _, found := now.Item(r.ID()); !found && r.Kind() == plan.KindItem {
					gone[r.ID()] = true
				}
				if _, found := now.Issue(r.ID()); !found && r.Kind() == plan.KindIssue {
					gone[r.ID()] = true
				}
			}
		}
	}
	for id := range mentions {
		if len(born[id]) > 1 && gone[id] {
			return true
		}
	}
	return false
}

// judge returns the limits that plans differ under, and the places for which
// there is none.
func (h *history) judge(plans []*commit) (under map[limit]bool, wrong []place) {
	under = map[limit]bool{}
	writes := h.writes()
	var following []place // what else differs decides about them
	for p := range diverging(plans) {
		switch l := h.limit(writes, p); {
		case l != "":
			under[l] = true
		case isDeps(p.field) && sameUnion(plans, p) && meets(writes[p], func(_, _ write) bool { return true }):
			under[ordered] = true
		case isDeps(p.field) && sameUnion(plans, p):
			following = append(following, p) // which dependency closes a cycle
		case p.record == "", strings.HasPrefix(p.record, "{"):
			following = append(following, p) // a tombstone, and its task's id
		default:
			wrong = append(wrong, p)
		}
	}
	if len(under) == 0 {
		wrong = append(wrong, following...)
	}
	return under, wrong
}

// sameUnion reports whether plans differ only in which dependencies of a task a
// cycle had them drop.
func sameUnion(plans []*commit, p place) bool {
	for _, c := range plans[1:] {
		if len(p.missing(says(c.data)[p], says(plans[0].data)[p])) > 0 || len(p.missing(says(plans[0].data)[p], says(c.data)[p])) > 0 {
			return false
		}
	}
	return true
}
