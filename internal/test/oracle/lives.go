package oracle

import (
	"slices"
	"sort"
)

// identities are all identities in plans and messages, and which of them are one.
type identities struct {
	set     map[identity]int // the life of each, as a number
	renamed map[identity]bool
	joins   [][2]identity
}

func (x *identities) enter(i identity) {
	if _, known := x.set[i]; !known {
		x.set[i] = len(x.set)
	}
}

// findLives finds which identities are one life, by joining again and again
// until nothing changes.
func (s *history) findLives() {
	x := &identities{set: map[identity]int{}, renamed: map[identity]bool{}}
	for _, c := range s.ordered {
		if c.plan != nil {
			for _, r := range c.plan.records {
				x.record(r)
			}
		}
	}
	x.edits(s.ordered)
	x.onlyDates()
	x.looseOnes(s.ordered)
	x.settle()
	byNumber := map[int]*life{}
	for i, n := range x.set {
		if byNumber[n] == nil {
			byNumber[n] = &life{kind: i.kind}
			s.lives = append(s.lives, byNumber[n])
		}
		byNumber[n].names = append(byNumber[n].names, i)
		s.of[i.key()] = byNumber[n]
	}
	for _, l := range s.lives {
		x.name(l)
	}
	sort.Slice(s.lives, func(a, b int) bool {
		return s.lives[a].id+"\x00"+s.lives[a].born < s.lives[b].id+"\x00"+s.lives[b].born
	})
}

// record enters a record of a plan, and what it was before a merge renamed it.
func (x *identities) record(r record) {
	if k := r.text("t"); (k != "task" && k != "issue") || r.text("id") == "" {
		return
	}
	i := identity{r.text("t"), r.text("id"), r.text("created_at")}
	x.enter(i)
	from, ok := r["renamed_from"].([]any)
	if !ok || len(from) != 2 || from[0] == "" || from[1] == "" || from[0] == i.id {
		return
	}
	old := identity{i.kind, from[0].(string), from[1].(string)}
	x.enter(old)
	x.renamed[old] = true
	x.joins = append(x.joins, [2]identity{i, old})
}

// edits joins what a record was before and after an edit.
func (x *identities) edits(commits []*commit) {
	for _, c := range commits {
		for _, t := range c.events {
			if t.event == "edited" && t.before != nil && t.after != nil {
				x.joins = append(x.joins, [2]identity{{t.kind, t.id, t.before.text("created_at")}, {t.kind, t.id, t.after.text("created_at")}})
			}
		}
	}
}

// onlyDates joins the identities of an id of which one alone has a date.
func (x *identities) onlyDates() {
	dated := map[string]int{}
	for i := range x.set {
		if i.born != "" {
			dated[i.kind+i.id]++
		}
	}
	for i := range x.set {
		for j := range x.set {
			if i.kind == j.kind && i.id == j.id && dated[i.kind+i.id] == 1 {
				x.joins = append(x.joins, [2]identity{i, j})
			}
		}
	}
}

// looseOnes enters what only messages have.
func (x *identities) looseOnes(commits []*commit) {
	for _, c := range commits {
		for _, t := range c.events {
			if t.kind == "spec" || !t.loose {
				continue
			}
			found := false
			for i := range x.set {
				found = found || i.kind == t.kind && i.id == t.id
			}
			if !found {
				x.enter(identity{t.kind, t.id, ""})
			}
		}
	}
}

func (x *identities) settle() {
	for changed := true; changed; {
		changed = false
		for _, p := range x.joins {
			x.enter(p[0])
			x.enter(p[1])
			if low := min(x.set[p[0]], x.set[p[1]]); x.set[p[0]] != low || x.set[p[1]] != low {
				x.set[p[0]], x.set[p[1]], changed = low, low, true
			}
		}
	}
}

// name sets the id of a life to the one that it did not lose.
func (x *identities) name(l *life) {
	sort.Slice(l.names, func(a, b int) bool {
		p, q := l.names[a], l.names[b]
		if x.renamed[p] != x.renamed[q] {
			return x.renamed[q]
		}
		if p.id != q.id {
			return p.id < q.id
		}
		return p.born > q.born
	})
	l.id, l.born = l.names[0].id, l.names[0].born
	for _, n := range l.names {
		if n.id != l.id && !slices.Contains(l.former, n.id) {
			l.former = append(l.former, n.id)
		}
	}
}
