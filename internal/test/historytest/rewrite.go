package historytest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// squash puts what a branch did into one commit on another, with the messages of
// its commits in one of the ways that git and forges put them together.
func (d *drawing) squash() {
	name, other := d.branch(), d.branch()
	a, b := d.branches[name], d.branches[other]
	if a == b || b.plan == nil {
		return
	}
	var messages []string
	for c := b; c != nil && c != a && len(messages) < 5; {
		messages = append(messages, c.message)
		if len(c.parents) == 0 {
			break
		}
		c = c.parents[0]
	}
	if d.chance(2) {
		slices.Reverse(messages)
	}
	lines := []string{"Squashed " + other, ""}
	before := d.pick("", "    ", "> ", "* ", "  * ")
	if d.chance(4) {
		messages = nil
	}
	for _, m := range messages {
		for line := range strings.Lines(m) {
			lines = append(lines, before+strings.TrimSuffix(line, "\n"))
		}
	}
	plan := b.plan.clone()
	if d.chance(3) {
		plan = d.blend(a.plan, b.plan)
	}
	d.branches[name] = d.make([]*commit{a}, plan, b.path, lines)
}

// carry applies to a plan what a commit did to its parent's.
func carry(plan *sheet, c *commit) *sheet {
	out := plan.clone()
	if out == nil || c.plan == nil {
		return out
	}
	before := &sheet{}
	if len(c.parents) > 0 && c.parents[0].plan != nil {
		before = c.parents[0].plan
	}
	for _, r := range before.records {
		if c.plan.find(r.text("t"), r.text("id")) < 0 {
			out.remove(r.text("t"), r.text("id"))
		}
	}
	for _, r := range c.plan.records {
		was := before.find(r.text("t"), r.text("id"))
		if was >= 0 && maps.EqualFunc(before.records[was], r, same) {
			continue
		}
		if i := out.find(r.text("t"), r.text("id")); i >= 0 {
			out.records[i] = maps.Clone(r)
		} else {
			out.records = append(out.records, maps.Clone(r))
		}
	}
	return out.short()
}

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// copy makes the same commit on another one.
func (d *drawing) copy(c, onto *commit) *commit {
	return d.keep(&commit{
		parents: []*commit{onto}, plan: carry(onto.plan, c), path: onto.path, other: fmt.Sprint(len(d.commits)), message: c.message,
		author: c.author, written: c.written, applied: d.tick(), zone: c.zone,
	})
}

func (d *drawing) cherryPick() {
	name := d.branch()
	d.branches[name] = d.copy(d.commits[d.IntN(len(d.commits))], d.branches[name])
}

// rebase copies the last commits of a branch onto another, with the old ones
// kept at times by the remote's branch.
func (d *drawing) rebase() {
	name, onto := d.branch(), d.branches[d.branch()]
	var picked []*commit
	for c := d.branches[name]; len(picked) < 3 && len(c.parents) == 1; c = c.parents[0] {
		picked = append(picked, c)
	}
	if d.chance(2) {
		d.branches["origin:"+strings.TrimPrefix(name, "origin:")] = d.branches[name]
	}
	for _, c := range slices.Backward(picked) {
		onto = d.copy(c, onto)
	}
	d.branches[name] = onto
}

func (d *drawing) amend() {
	name := d.branch()
	if c := d.branches[name]; len(c.parents) == 1 {
		d.branches[name] = d.copy(c, c.parents[0])
	}
}

// revert undoes a commit.
func (d *drawing) revert() {
	name := d.branch()
	c := d.branches[name]
	if len(c.parents) != 1 || c.plan == nil || c.parents[0].plan == nil {
		return
	}
	undone := &commit{plan: c.parents[0].plan, parents: []*commit{c}}
	d.branches[name] = d.make([]*commit{c}, carry(c.plan, undone), c.path, []string{"Revert \"x\"", "", "This reverts commit " + c.id + "."})
}

// delete takes the plan's file away.
func (d *drawing) delete() {
	name := d.branch()
	if c := d.branches[name]; c.plan != nil && d.chance(2) {
		d.branches[name] = d.make([]*commit{c}, nil, c.path, []string{"no plan"})
	}
}

// move puts the plan elsewhere, at times with another content.
func (d *drawing) move() {
	name := d.branch()
	c := d.branches[name]
	if c.plan == nil || !d.chance(3) {
		return
	}
	path := "ralph/plan.jsonl"
	if c.path == path {
		path = "plans/work.jsonl"
	}
	plan := c.plan.clone()
	if d.chance(3) && len(plan.records) > 2 {
		plan.records = plan.records[len(plan.records)/2:]
	}
	d.branches[name] = d.make([]*commit{c}, plan, path, []string{"move the plan"})
}

// orphan begins a history of its own.
func (d *drawing) orphan() {
	if d.chance(3) {
		c := d.commits[d.IntN(len(d.commits))]
		d.branches[d.pick("gh-pages", "other")] = d.make(nil, c.plan.clone(), "ralph/plan.jsonl", []string{"begin again"})
	}
}

// breakIt commits a plan with a conflict in it.
func (d *drawing) breakIt() {
	name := d.branch()
	if c := d.branches[name]; c.plan != nil && d.chance(3) {
		plan := c.plan.clone()
		if len(plan.records) > 0 {
			plan.records = plan.records[1:]
		}
		plan.broken = "<<<<<<< HEAD"
		d.branches[name] = d.make([]*commit{c}, plan, c.path, []string{"oops"})
	}
}

func (d *drawing) drop() {
	if name := d.branch(); len(d.branches) > 2 && name != "main" {
		delete(d.branches, name)
	}
}

// finish names what is left of the branches.
func (d *drawing) finish() Drawn {
	var b strings.Builder
	out := Drawn{Refs: map[string]string{}}
	for _, c := range d.commits {
		c.stream(&b)
		out.IDs = append(out.IDs, c.id)
	}
	b.WriteString("done\n")
	out.Stream = b.String()
	for _, name := range d.names() {
		c := d.branches[name]
		if remote, found := strings.CutPrefix(name, "origin:"); found {
			out.Refs["refs/remotes/origin/"+remote] = c.id
			continue
		}
		out.Refs["refs/heads/"+name] = c.id
		if d.chance(4) {
			out.Refs["refs/remotes/origin/"+name] = c.id
		}
	}
	out.Refs["refs/tags/v1"] = d.commits[d.IntN(len(d.commits))].id
	out.Head = d.pick("main", "main", "feature/x", d.commits[d.IntN(len(d.commits))].id)
	return out
}
