package historytest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A drawing is a repository that is being drawn.
type drawing struct {
	*rand.PCG
	commits  []*commit
	branches map[string]*commit
	seen     map[string]bool
	serial   int
	clock    int64
	dated    bool // by a program that writes times of creation and attempts
	reported int  // of ten commits, how many have trailers
	everyday bool // nobody does odd things with the plan, and no id is given twice
	returns  bool // what is gone comes back at times: tasks, tombstones, whole plans
}

// A Drawn is a repository for git fast-import.
type Drawn struct {
	Stream string            // makes all commits, under refs/ralph-test
	Refs   map[string]string // references to make, and what they are to name
	Head   string            // the branch that HEAD is to name, or a commit
	IDs    []string          // of all commits, the oldest first

	Made map[string]Made   // by commit, of what DrawByHand draws
	Logs map[string]string // what the logs of local branches are to hold, likewise

	// Ends are the ways in which a task may have ended for HEAD, by id, of what DrawEndings draws: several where people did
	// so on several branches, or "any" where nobody meant it to end.
	Ends map[string][]string
}

// Draw draws a repository of so many commits, the same for the same seed.
func Draw(seed uint64, size int) Drawn {
	d := &drawing{PCG: rand.NewPCG(seed, 1), branches: map[string]*commit{}, seen: map[string]bool{}, clock: 1_700_000_000}
	d.dated, d.reported = d.chance(2), d.IntN(11)
	d.branches["main"] = d.make(nil, &sheet{}, "ralph/plan.jsonl", nil)
	for len(d.commits) < size {
		d.act()
	}
	return d.finish()
}

func (d *drawing) IntN(n int) int              { return rand.New(d.PCG).IntN(n) }
func (d *drawing) chance(n int) bool           { return d.IntN(n) == 0 }
func (d *drawing) pick(words ...string) string { return words[d.IntN(len(words))] }

// doneAt names a commit, as "done_at" does: mostly the parent.
func (d *drawing) doneAt(head string) string {
	switch d.IntN(6) {
	case 0:
		return d.commits[d.IntN(len(d.commits))].id[:12]
	case 1:
		return fmt.Sprintf("%012x", d.Uint64()>>16)
	case 2:
		return head[:7]
	}
	return head[:12]
}

// tick moves the clock, which goes wrong at times.
func (d *drawing) tick() int64 {
	switch d.IntN(12) {
	case 0:
		return d.clock - int64(d.IntN(5000))
	case 1, 2:
		return d.clock
	case 3:
		if d.chance(4) {
			return d.clock + 4_000_000_000
		}
	}
	d.clock += int64(d.IntN(600))
	return d.clock
}

// make makes a commit.
func (d *drawing) make(parents []*commit, plan *sheet, path string, message []string) *commit {
	now := d.tick()
	c := &commit{
		parents: parents, plan: plan, path: path, other: fmt.Sprint(len(d.commits)), message: strings.Join(message, "\n") + "\n",
		author: d.pick("ada", "bob", "eve"), written: now - int64(d.IntN(100)), applied: now, zone: d.pick("+0000", "+0200", "-0730"),
		mark: len(d.commits) + 1,
	}
	return d.keep(c)
}

func (d *drawing) keep(c *commit) *commit {
	c.computeID()
	c.mark = len(d.commits) + 1
	d.commits = append(d.commits, c)
	return c
}

// names are the branches there are, in order, so that chance picks the same.
func (d *drawing) names() []string { return slices.Sorted(maps.Keys(d.branches)) }

func (d *drawing) branch() string { return d.pick(d.names()...) }

// act does one thing that people do with a repository.
func (d *drawing) act() {
	acts := []func(){
		d.work, d.work, d.work, d.work, d.work, d.work, d.fork, d.fork, d.merge, d.merge, d.merge, d.octopus, d.squash, d.squash,
		d.cherryPick, d.rebase, d.amend, d.revert, d.delete, d.move, d.orphan, d.breakIt, d.drop,
	}
	acts[d.IntN(len(acts))]()
}

// work commits some changes of the plan on a branch.
func (d *drawing) work() {
	name := d.branch()
	head := d.branches[name]
	s := &step{d: d, sheet: head.plan.clone(), head: head.id, seconds: d.clock % 3600}
	path := head.path
	if s.sheet == nil {
		if d.chance(2) {
			d.branches[name] = d.make([]*commit{head}, nil, path, []string{"other work"})
			return
		}
		s.sheet = &sheet{}
	}
	s.sheet.broken = ""
	for range 1 + d.IntN(3) {
		s.mutate()
	}
	d.branches[name] = d.make([]*commit{head}, s.sheet, path, d.message(s.trailers, name))
}

// message returns the lines of a message: with the trailers, without them, or with wrong ones.
func (d *drawing) message(trailers []string, branch string) []string {
	if d.IntN(10) >= d.reported {
		trailers = nil
	}
	lines := []string{"ralph: change", ""}
	lines = append(lines, trailers...)
	if d.chance(20) {
		lines = append(lines, "Ralph-Event: "+d.pick("accepted t-0001 {}", "done t-0002 {\"attempt\": \"zzzz\"}", "cancelled t-0003 x", "nonsense t-0001 {}", "added"))
	}
	if len(trailers) > 0 && !d.chance(6) {
		lines = append(lines, "Ralph-Branch: "+strings.TrimPrefix(branch, "origin:"))
	}
	return lines
}

func (d *drawing) fork() {
	from := d.branches[d.branch()]
	if d.chance(4) {
		from = d.commits[d.IntN(len(d.commits))]
	}
	d.branches[d.pick("feature/x", "feature/y", "fix", "topic", "dev")] = from
}

// blend merges plans as a merge driver might, or somebody who does it badly by hand: record by record
// from one side or the other.
func (d *drawing) blend(a, b *sheet) *sheet {
	switch {
	case a == nil || b == nil || d.chance(6): // `-s ours`
		return a.clone()
	case d.chance(6):
		return b.clone()
	}
	out := &sheet{}
	for _, r := range a.records {
		id := r.text("id")
		if i := b.find(r.text("t"), id); id != "" && i >= 0 && d.chance(2) {
			r = b.records[i]
		} else if i < 0 && d.chance(5) {
			continue
		}
		out.records = append(out.records, maps.Clone(r))
	}
	for _, r := range b.records {
		if a.find(r.text("t"), r.text("id")) < 0 && !d.chance(5) && r["t"] != "spec" {
			out.records = append(out.records, maps.Clone(r))
		}
	}
	return out.short()
}

func (d *drawing) merge() {
	name, other := d.branch(), d.branch()
	a, b := d.branches[name], d.branches[other]
	if a == b {
		return
	}
	if d.chance(5) { // fast-forward, or a branch that is thrown away
		d.branches[name] = b
		return
	}
	subject := d.subject(strings.TrimPrefix(other, "origin:"), name)
	m := d.make([]*commit{a, b}, d.blend(a.plan, b.plan), a.path, []string{subject})
	if d.chance(6) && m.plan != nil { // evil
		s := &step{d: d, sheet: m.plan, head: a.id}
		s.mutate()
		m.computeID()
	}
	d.branches[name] = m
	if d.chance(3) && other != "main" {
		delete(d.branches, other)
	}
	if d.chance(3) { // criss-cross
		d.branches[other] = d.make([]*commit{b, a}, d.blend(b.plan, a.plan), b.path, []string{"Merge branch '" + name + "' into " + other})
	}
}

// subject is the message of a merge, as git and forges write it.
func (d *drawing) subject(from, into string) string {
	return d.pick(
		"Merge branch '"+from+"'", "Merge branch '"+from+"' into "+into, "Merge branch '"+from+"' of example.org:x/y",
		"Merge remote-tracking branch 'origin/"+from+"'", "Merge pull request #3 from someone/"+from,
		"Merge branch '"+from+"' into '"+into+"'", "Merge pull request 'Do it' (#4) from "+from+" into "+into,
		"Merge pull request 'from a into b' (#4) from someone:"+from+" into "+into,
		"Merged in "+from+" (pull request #5)", "Merge pull request #6 in P/repo from "+from+" to "+into,
		"Pull request #7: Do it\n\nMerge in P/repo from "+from+" to "+into, "Merge commit 'abc'", "Bring it in",
	)
}

func (d *drawing) octopus() {
	names := d.names()
	if len(names) < 3 {
		return
	}
	a, b, c := d.branches[names[0]], d.branches[names[1]], d.branches[names[2]]
	if a == b || b == c || a == c {
		return
	}
	plan := d.blend(d.blend(a.plan, b.plan), c.plan)
	subject := strings.ReplaceAll(fmt.Sprintf("Merge branches '%s' and '%s'", names[1], names[2]), "origin:", "")
	d.branches[names[0]] = d.make([]*commit{a, b, c}, plan, a.path, []string{subject})
}
