package historytest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A line is a line of work: a branch, whatever its names were.
type line struct{ names []string }

// A byHand is a repository of people who edit the plan by hand, on branches that they merge in every way there is. Which
// branch a commit was made on is known.
type byHand struct {
	*drawing
	lines map[string]*line // of branches
	made  map[*commit]*line
	said  map[*commit]bool // the message names the branch
	logs  map[string]*strings.Builder
	clone bool // nobody has the logs

	ended map[*commit]map[string]string // how it ended with tasks there, "" where they came back
	from  map[*commit]*commit           // what a squash was made of
}

// Made is how a commit came to be.
type Made struct {
	Branches []string // names of the branch that its work was done on
	Said     bool     // its message names the branch
}

// DrawByHand draws a repository of so many commits whose plan was edited by hand, the same for the same seed. In one of four
// some messages have trailers; another one of four is a clone, without the logs of branches.
func DrawByHand(seed uint64, size int) Drawn {
	d := &drawing{PCG: rand.NewPCG(seed, 2), branches: map[string]*commit{}, seen: map[string]bool{}, clock: 1_700_000_000, everyday: true}
	d.dated = d.chance(2)
	if seed%4 == 0 {
		d.reported = 5
	}
	return d.byHand(seed, size)
}

// byHand draws what people do who edit the plan by hand.
func (d *drawing) byHand(seed uint64, size int) Drawn {
	h := &byHand{
		drawing: d, ended: map[*commit]map[string]string{}, from: map[*commit]*commit{}, lines: map[string]*line{"main": {[]string{"main"}}}, made: map[*commit]*line{}, said: map[*commit]bool{},
		logs: map[string]*strings.Builder{}, clone: seed%4 == 3,
	}
	h.put("main", d.make(nil, &sheet{}, "ralph/plan.jsonl", []string{"begin"}), "commit (initial): begin", h.lines["main"])
	for len(d.commits) < size {
		h.act()
	}
	return h.finish()
}

func (h *byHand) act() {
	acts := []func(){
		h.work, h.work, h.work, h.work, h.work, h.work, h.work, h.work, h.begin, h.begin, h.begin, h.stack,
		h.merge, h.merge, h.merge, h.update, h.forward, h.squash, h.rename, h.backup, h.rebase,
	}
	if h.returns {
		acts = append(acts, h.deleteAndRestore, h.revert)
	}
	acts[h.IntN(len(acts))]()
}

// put moves a branch to a commit, which was made on a line of work where that is given.
func (h *byHand) put(name string, c *commit, reason string, of *line) {
	before := strings.Repeat("0", len(c.id))
	if at := h.branches[name]; at != nil {
		before = at.id
	}
	h.branches[name] = c
	if h.logs[name] == nil {
		h.logs[name] = &strings.Builder{}
	}
	fmt.Fprintf(h.logs[name], "%s %s C <c@example.org> %d +0000\t%s\n", before, c.id, h.clock, reason)
	if of != nil {
		h.made[c] = of
	}
}

func (h *byHand) drop(name string) {
	delete(h.branches, name)
	delete(h.lines, name)
	delete(h.logs, name)
}

// topic picks a branch beside the main line; "" where there is none.
func (h *byHand) topic() string {
	names := slices.DeleteFunc(h.names(), func(n string) bool { return n == "main" || h.lines[n] == nil })
	if len(names) == 0 {
		return ""
	}
	return h.pick(names...)
}

// newName makes up a name that no branch had.
func (h *byHand) newName() string {
	h.serial++
	return fmt.Sprintf("%s%d", h.pick("feature/x", "fix-", "ada/topic.", "it's", "v1.", "team/a/b"), h.serial)
}

func (h *byHand) start(from string) {
	name := h.newName()
	h.lines[name] = &line{[]string{name}}
	h.put(name, h.branches[from], "branch: Created from "+from, nil)
	h.workOn(name)
}

func (h *byHand) begin() { h.start("main") }

// stack begins a branch at another one that is not merged.
func (h *byHand) stack() {
	if from := h.topic(); from != "" {
		h.start(from)
	}
}

func (h *byHand) work() {
	name := h.topic()
	if name == "" || h.chance(5) {
		name = "main"
	}
	h.workOn(name)
}

func (h *byHand) workOn(name string) {
	head := h.branches[name]
	s := &step{d: h.drawing, sheet: head.plan.clone(), head: head.id, seconds: h.clock % 3600}
	for range 1 + h.IntN(2) {
		s.mutate()
	}
	if s.sheet.text() == head.plan.text() {
		s.add()
	}
	lines := []string{"Work"}
	said := h.IntN(10) < h.reported
	if said {
		lines = append(append(lines, ""), s.trailers...)
		lines = append(lines, "Ralph-Branch: "+name)
	}
	c := h.make([]*commit{head}, s.sheet, head.path, lines)
	h.said[c] = said && len(s.trailers) > 0
	h.ended[c] = s.ended
	h.put(name, c, "commit: Work", h.lines[name])
}

// missing returns the commits that one branch has and another lacks, the oldest first; nil lacks all.
func missing(a, b *commit) (list []*commit) {
	has := map[*commit]bool{}
	var mark func(*commit)
	mark = func(c *commit) {
		if !has[c] {
			has[c] = true
			for _, p := range c.parents {
				mark(p)
			}
		}
	}
	if a != nil {
		mark(a)
	}
	var visit func(*commit)
	visit = func(c *commit) {
		if has[c] {
			return
		}
		has[c] = true
		for _, p := range c.parents {
			visit(p)
		}
		list = append(list, c)
	}
	visit(b)
	return list
}

// merged is a plan with what a branch did to it.
func merged(a, b *commit) *sheet {
	plan := a.plan.clone()
	for _, c := range missing(a, b) {
		if len(c.parents) == 1 {
			plan = carry(plan, c)
		}
	}
	return plan
}

// mergeInto merges a branch into another one.
func (h *byHand) mergeInto(into, from, subject string) {
	a, b := h.branches[into], h.branches[from]
	if len(missing(a, b)) == 0 || len(missing(b, a)) == 0 && h.chance(2) {
		return
	}
	c := h.make([]*commit{a, b}, merged(a, b), a.path, []string{subject})
	h.put(into, c, h.pick("merge "+from+": Merge made by the 'ort' strategy.", "pull: Fast-forward"), h.lines[into])
}

// merge merges a branch where it belongs, under one of the subjects that people and forges write, and often deletes it.
func (h *byHand) merge() {
	from, into := h.topic(), "main"
	if from == "" {
		return
	}
	if other := h.topic(); h.chance(5) && other != from {
		into = other
	}
	subject := h.subject(from, into)
	if strings.Contains(subject, "' of ") || h.chance(4) {
		subject = h.pick("Merge branch 'refs/heads/"+from+"' into "+into, "Merge branch 'heads/"+from+"'", "Merged PR 12: Do it",
			"Bring it in", "Merge pull request 12 from "+from+" into "+into)
	}
	h.mergeInto(into, from, subject)
	h.sometimesDrop(from)
}

func (h *byHand) sometimesDrop(name string) {
	if h.chance(2) {
		h.drop(name)
	}
}

// update brings the main line into a branch.
func (h *byHand) update() {
	if into := h.topic(); into != "" {
		h.mergeInto(into, "main", h.pick("Merge branch 'main' into "+into, "Merge branch 'main' into "+into, "Merge remote-tracking branch 'origin/main' into "+into, "Sync"))
	}
}

// forward moves the main line to a branch that has all of it.
func (h *byHand) forward() {
	from := h.topic()
	if from == "" {
		return
	}
	if len(missing(h.branches[from], h.branches["main"])) > 0 {
		h.rebaseOnto(from)
	}
	h.put("main", h.branches[from], "merge "+from+": Fast-forward", nil)
	h.sometimesDrop(from)
}

// squash commits on the main line what a branch did.
func (h *byHand) squash() {
	from := h.topic()
	if from == "" {
		return
	}
	a, b := h.branches["main"], h.branches[from]
	plan := merged(a, b)
	if plan.text() == a.plan.text() {
		return
	}
	c := h.make([]*commit{a}, plan, a.path, []string{h.pick("Do it (#3)", "Squashed")})
	h.from[c] = b
	h.put("main", c, "commit: Do it", h.lines["main"])
	h.sometimesDrop(from)
}

func (h *byHand) rename() {
	from := h.topic()
	if from == "" {
		return
	}
	to := h.newName()
	l := h.lines[from]
	l.names = append(l.names, to)
	at, log := h.branches[from], h.logs[from]
	h.drop(from)
	h.branches[to], h.lines[to], h.logs[to] = at, l, log
	h.put(to, at, "Branch: renamed refs/heads/"+from+" to refs/heads/"+to, nil)
}

// backup keeps a copy of a branch, on which nothing is done.
func (h *byHand) backup() {
	if from := h.topic(); from != "" {
		h.put(h.pick("backup", "a-copy"), h.branches[from], "branch: Created from "+from, nil)
	}
}

func (h *byHand) rebase() {
	if name := h.topic(); name != "" {
		h.rebaseOnto(name)
	}
}

// rebaseOnto moves what a branch did onto the main line.
func (h *byHand) rebaseOnto(name string) {
	onto := h.branches["main"]
	at := onto
	for _, c := range missing(onto, h.branches[name]) {
		if len(c.parents) == 1 {
			copied := h.copy(c, at)
			h.made[copied], h.said[copied], h.ended[copied] = h.made[c], h.said[c], h.ended[c]
			at = copied
		}
	}
	h.put(name, at, "rebase (finish): refs/heads/"+name+" onto "+onto.id, nil)
}

func (h *byHand) finish() Drawn {
	out := Drawn{Refs: map[string]string{}, Head: "main", Made: map[string]Made{}, Logs: map[string]string{}, Ends: h.ends()}
	var b strings.Builder
	for _, c := range h.commits {
		c.stream(&b)
		out.IDs = append(out.IDs, c.id)
		if l := h.made[c]; l != nil {
			out.Made[c.id] = Made{l.names, h.said[c]}
		}
	}
	b.WriteString("done\n")
	out.Stream = b.String()
	for _, name := range h.names() {
		if !h.clone {
			out.Refs["refs/heads/"+name] = h.branches[name].id
			out.Logs[name] = h.logs[name].String()
			continue
		}
		out.Refs["refs/remotes/origin/"+name] = h.branches[name].id
	}
	if h.clone {
		out.Refs["refs/heads/main"] = h.branches["main"].id
	}
	return out
}
