package merge_test

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// A meeting is one record of which both sides made something.
type meeting struct {
	base, x, y, got         plan.Record
	inBase, inX, inY, inGot bool
	tombs                   []plan.Record
	conflicts               []merge.Conflict
	losers                  []merge.DiscardedValue
}

func (m meeting) changed(field string) bool {
	b, _ := m.base.Get(field)
	x, _ := m.x.Get(field)
	y, _ := m.y.Get(field)
	return m.inX && m.inY && !same(b, x) && !same(b, y) && !same(x, y)
}

func (m meeting) conflict(field string) bool {
	return slices.ContainsFunc(m.conflicts, func(c merge.Conflict) bool { return c.Field == field && (c.ID == m.base.ID() || c.ID == m.x.ID()) })
}

func (m meeting) lost(field string) bool {
	return slices.ContainsFunc(m.losers, func(l merge.DiscardedValue) bool { return l.ID == m.base.ID() && l.Field == field })
}

// removed reports whether one side removed what the other one changed, and what
// the other one has.
func (m meeting) removed(kind plan.Kind) (other plan.Record, ok bool) {
	if !m.inBase || m.inX == m.inY || m.base.Kind() != kind {
		return plan.Record{}, false
	}
	other = m.x
	if m.inY {
		other = m.y
	}
	return other, other.JSON() != m.base.JSON()
}

// rows are what docs/merge.md lays down, as meetings that show it.
var rows = map[string]func(m meeting) bool{
	"same change": func(m meeting) bool { return m.inBase && m.x.JSON() == m.y.JSON() && m.x.JSON() != m.base.JSON() },
	"deps":        func(m meeting) bool { return m.changed("deps") },
	"deps, cycle": func(m meeting) bool { return m.conflict("deps") && m.inGot },
	"deps, heirs": func(m meeting) bool { return m.inGot && m.inherits() },
	"done × pending": func(m meeting) bool {
		return m.inBase && m.x.Done() != m.y.Done() && (m.changed("kill") || m.changed("reject")) || m.lost("kill")
	},
	"done and rejected × pending": func(m meeting) bool {
		return m.inX && m.inY && m.inGot && m.x.Done() != m.y.Done() && m.got.Pending() && m.base.Pending()
	},
	"two done_at": func(m meeting) bool { return m.x.Done() && m.y.Done() && m.changed("done_at") },
	"two kills": func(m meeting) bool {
		return m.x.Pending() && m.y.Pending() && (m.changed("kill") || m.changed("kill_log"))
	},
	"two rejections": func(m meeting) bool { return m.x.Pending() && m.y.Pending() && m.changed("reject") },
	"priority":       func(m meeting) bool { return m.lost("priority") },
	"created_at":     func(m meeting) bool { return m.lost("created_at") },
	"created_at lacks": func(m meeting) bool {
		return !m.inBase && m.inX && m.inY && (m.x.CreatedAt() == "") != (m.y.CreatedAt() == "") && m.got.CreatedAt() != ""
	},
	"prose, both": func(m meeting) bool {
		return m.inGot && (m.changed("notes") && !m.conflict("notes") || m.changed("name") && !m.conflict("name"))
	},
	"prose, conflict": func(m meeting) bool { return m.conflict("notes") || m.conflict("name") },
	"other, object":   func(m meeting) bool { return m.changed("meta") && !m.conflict("meta") },
	"other, conflict": func(m meeting) bool { return m.conflict("meta") || m.conflict("x") },
	"other, role":     func(m meeting) bool { return m.conflict("role") },
	"removed when done, rejected": func(m meeting) bool {
		_, ok := m.removed(plan.KindTask)
		return ok && m.base.Done() && m.inGot && m.got.Text("conflict") == "" && !m.conflict("removed") && len(m.tombs) > 0
	},
	"removed when done, pending elsewhere": func(m meeting) bool {
		other, ok := m.removed(plan.KindTask)
		return ok && m.base.Done() && other.Pending() && m.conflict("removed")
	},
	"removed when done, edit falls away": func(m meeting) bool {
		other, ok := m.removed(plan.KindTask)
		return ok && m.base.Done() && other.Done() && !m.inGot && len(m.losers) > 0
	},
	"removed when pending": func(m meeting) bool {
		_, ok := m.removed(plan.KindTask)
		return ok && m.base.Pending() && m.conflict("removed")
	},
	"issue removed": func(m meeting) bool {
		_, ok := m.removed(plan.KindIssue)
		return ok && m.conflict("removed")
	},
	"item removed": func(m meeting) bool {
		_, ok := m.removed(plan.KindItem)
		return ok && m.conflict("removed")
	},
	"item, state":      func(m meeting) bool { return m.lost("state") && m.changed("state") },
	"item, blocked_by": func(m meeting) bool { return m.changed("blocked_by") },
	"item, cycle":      func(m meeting) bool { return m.conflict("blocked_by") && m.inGot },
	"item, files":      func(m meeting) bool { return m.changed("files") && m.inGot },
	"item, number":     func(m meeting) bool { return m.conflict("number") },
	"same new id, two items": func(m meeting) bool {
		return !m.inBase && m.inX && m.inY && m.x.Name() != m.y.Name() && m.x.Kind() == plan.KindItem
	},
	"conflict, both": func(m meeting) bool { return m.changed("conflict") },
	"conflict, settled": func(m meeting) bool {
		return m.inX && m.inY && m.base.Has("conflict") && m.x.Has("conflict") != m.y.Has("conflict") && m.x.JSON() != m.base.JSON() && m.y.JSON() != m.base.JSON()
	},
	"desc × name": func(m meeting) bool {
		return m.inX && m.inY && m.x.Has("name") != m.y.Has("name") && m.got.Has("name") && m.base.Kind() == plan.KindTask
	},
	"spelling": func(m meeting) bool {
		return m.inX && m.inY && m.inBase && respelled(m.base, m.x) && m.y.JSON() != m.base.JSON()
	},
	"same new id, same task": func(m meeting) bool {
		return !m.inBase && m.inX && m.inY && m.x.Name() == m.y.Name() && m.x.JSON() != m.y.JSON() && m.x.Kind() == plan.KindTask
	},
	"same new id, two tasks": func(m meeting) bool {
		return !m.inBase && m.inX && m.inY && m.x.Name() != m.y.Name() && m.x.Kind() == plan.KindTask
	},
	"old id, new task": func(m meeting) bool {
		return m.inBase && m.inX && m.inY && m.base.CreatedAt() != "" && m.x.CreatedAt() != "" && m.x.CreatedAt() != m.base.CreatedAt() && m.x.Name() != m.base.Name()
	},
}

func respelled(a, b plan.Record) bool {
	return a.JSON() != b.JSON() && canon(value(a)) == canon(value(b))
}

// inherits reports whether a task waits for one that neither side made it wait
// for.
func (m meeting) inherits() bool {
	return slices.ContainsFunc(m.got.Deps(), func(dep string) bool {
		return !slices.Contains(m.x.Deps(), dep) && !slices.Contains(m.y.Deps(), dep) && !slices.Contains(m.base.Deps(), dep) &&
			!strings.HasPrefix(dep, "t-r")
	})
}

// rowsOf adds to seen which rows a merge shows.
func rowsOf(seen map[string]int, base, x, y []byte, got merge.Result) {
	b, px, py, after := decode(base), decode(x), decode(y), decode(got.Data)
	names := map[[2]string]bool{}
	for _, p := range []*plan.Plan{b, px, py} {
		for _, r := range p.Records() {
			if named(r) {
				names[[2]string{string(r.Kind()), r.ID()}] = true
			}
		}
	}
	for n := range names {
		find := func(p *plan.Plan) (plan.Record, bool) {
			switch n[0] {
			case "task":
				return p.Task(n[1])
			case "item":
				return p.Item(n[1])
			}
			return p.Issue(n[1])
		}
		m := meeting{conflicts: got.Conflicts, losers: got.Discarded}
		m.base, m.inBase = find(b)
		m.x, m.inX = find(px)
		m.y, m.inY = find(py)
		m.got, m.inGot = find(after)
		for _, r := range after.Of(plan.KindReject) {
			if r.ID() == n[1] {
				m.tombs = append(m.tombs, r)
			}
		}
		for name, shows := range rows {
			if shows(m) {
				seen[name]++
			}
		}
	}
	linesOf(seen, b, px, py, after, got)
}

// linesOf adds which rows of whole lines a merge shows.
func linesOf(seen map[string]int, b, x, y, after *plan.Plan, got merge.Result) {
	note := func(name string, shows bool) {
		if shows {
			seen[name]++
		} else {
			seen[name] += 0
		}
	}
	note("spec, conflict", slices.Contains(got.Conflicts, merge.Conflict{Field: "spec"}))
	news := func(kind plan.Kind, p *plan.Plan) bool { return len(p.Of(kind)) > len(b.Of(kind)) }
	note("tombstones of both", news(plan.KindReject, x) && news(plan.KindReject, y))
	note("unknown of both", news("accept", x) && news("accept", y))
	note("unknown removed", len(x.Of("accept")) < len(b.Of("accept")))
	note("canonical", after.IsCanonical() && x.IsCanonical() != y.IsCanonical())
	note("skeleton", !after.IsCanonical() && !x.IsCanonical() && !y.IsCanonical())
}

// checkRows fails for each row that no merge has shown.
func checkRows(t *testing.T, seen map[string]int) {
	for name := range rows {
		seen[name] += 0
	}
	for name, n := range seen {
		if n == 0 && !testing.Short() {
			t.Errorf("no merge showed the row %q", name)
		}
		t.Logf("%7d %s", n, name)
	}
}
