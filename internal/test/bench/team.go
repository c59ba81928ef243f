package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A teamTask is a task as both formats, ours and the rival's, can say it.
type teamTask struct {
	id, name, notes, priority, state string
	created, changed                 string // times
	deps                             []string
}

// A teamPlan is tasks in the order of their ids.
type teamPlan []teamTask

// newTeamPlan is what a team starts from.
func newTeamPlan(chance *rand.Rand, tasks int) teamPlan {
	p := make(teamPlan, 0, tasks)
	for range tasks {
		p = append(p, p.draw(chance))
	}
	p.sort()
	for i := 1; i < len(p); i++ {
		if p[i].id == p[i-1].id {
			return newTeamPlan(chance, tasks) // an id twice
		}
	}
	return p
}

func (p teamPlan) sort() {
	slices.SortFunc(p, func(a, b teamTask) int { return cmp.Compare(a.id, b.id) })
}

// draw is a new pending task with a random id.
func (p teamPlan) draw(chance *rand.Rand) teamTask {
	n := chance.IntN(1 << 30)
	t := teamTask{
		id: fmt.Sprintf("t-%08x", n), name: "Do the work number " + fmt.Sprint(n), notes: "Read the module, change what is concerned, keep its callers",
		priority: []string{"high", "medium", "low"}[chance.IntN(3)], state: "p", created: moment(n), changed: moment(n),
	}
	if len(p) > 0 && chance.IntN(3) == 0 {
		t.deps = []string{p[chance.IntN(len(p))].id}
	}
	return t
}

// add adds a task.
func (p teamPlan) add(chance *rand.Rand) teamPlan {
	t := p.draw(chance)
	if slices.ContainsFunc(p, func(o teamTask) bool { return o.id == t.id }) {
		return p.add(chance)
	}
	p = append(slices.Clone(p), t)
	p.sort()
	return p
}

func moment(n int) string {
	return fmt.Sprintf("2026-01-%02dT%02d:%02d:%02d.000Z", n%28+1, n/28%24, n/7%60, n/11%60)
}

// worked is the plan after somebody's work of some steps.
func (p teamPlan) worked(chance *rand.Rand, steps int) teamPlan {
	p = slices.Clone(p)
	for range steps {
		p = p.step(chance)
	}
	return p
}

// step is one edit. Half of the edits meet the tasks that are next, since everybody works on those.
func (p teamPlan) step(chance *rand.Rand) teamPlan {
	what := chance.IntN(10)
	if len(p) == 0 || what < 2 {
		return p.add(chance)
	}
	i := chance.IntN(len(p))
	if chance.IntN(2) == 0 {
		i = chance.IntN(min(len(p), 8))
	}
	if what == 2 {
		return p.without(i)
	}
	t := &p[i]
	t.changed = moment(chance.IntN(1 << 30))
	switch what {
	case 3, 4, 5:
		t.state = "d"
	case 6:
		t.priority = []string{"high", "medium", "low"}[chance.IntN(3)]
	case 7:
		t.notes = strings.Replace(t.notes, "change", fmt.Sprintf("change%d", chance.IntN(100)), 1)
	case 8:
		t.notes += fmt.Sprintf(", ask %d", chance.IntN(100))
	default:
		t.name = strings.Replace(t.name, "the work", fmt.Sprintf("work%d", chance.IntN(100)), 1)
	}
	return p
}

// without accepts a finished task, or cancels one; nothing waits for it then.
func (p teamPlan) without(i int) teamPlan {
	id := p[i].id
	p = slices.Delete(slices.Clone(p), i, i+1)
	for j := range p {
		if slices.Contains(p[j].deps, id) {
			p[j].deps = slices.DeleteFunc(slices.Clone(p[j].deps), func(d string) bool { return d == id })
		}
	}
	return p
}

// records writes the plan as we do.
func (p teamPlan) records() string {
	var b strings.Builder
	for _, t := range p {
		deps, done := "", ""
		if len(t.deps) > 0 {
			deps = `"deps": ["` + strings.Join(t.deps, `", "`) + `"], `
		}
		if t.state == "d" {
			done = `, "done_at": "0123456789ab"`
		}
		fmt.Fprintf(&b, `{"t": "task", "id": %q, "spec": "bench.md", "name": %q, "notes": %q, %s"s": %q%s, "priority": %q, "created_at": %q}`+"\n",
			t.id, t.name, t.notes, deps, t.state, done, t.priority, t.created)
	}
	return b.String()
}
