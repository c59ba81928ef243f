package endtoend

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	rounds = flag.Int("rounds", 6, "in how many rounds each clone of a team does something")
	seed   = flag.Uint64("seed", 1, "what the team's work is drawn from")
)

// clones is a team: clones of one repository, that work and merge in any order.
type clones struct {
	t      *testing.T
	chance *rand.Rand
	all    []*repo
	origin string
	added  int
	born   map[string]bool // names of tasks that somebody added
	gone   map[string]bool // names of tasks that somebody took away
}

// A planned record is what a test needs to know of one.
type planned struct{ T, ID, Name, S string }

func newClones(t *testing.T, n int) *clones {
	t.Helper()
	c := &clones{t: t, chance: rand.New(rand.NewPCG(*seed, 1)), born: map[string]bool{}, gone: map[string]bool{}}
	t.Logf("%d rounds, seed %d", *rounds, *seed)
	first := newPlan(t)
	first.Commit("attributes", map[string]string{".gitattributes": planFile + " merge=ralph\n"})
	c.origin = filepath.Join(t.TempDir(), "origin.git")
	first.Git("clone", "-q", "--bare", ".", c.origin)
	for i := range n {
		dir := filepath.Join(t.TempDir(), fmt.Sprint("clone", i))
		first.Git("clone", "-q", c.origin, dir)
		clone := &repo{Repo: first.At(dir), t: t}
		register(t, clone)
		clone.Git("config", "core.fsync", "none")
		c.all = append(c.all, clone)
	}
	return c
}

// records reads the plan of a clone.
func (c *clones) records(r *repo) []planned {
	c.t.Helper()
	var all []planned
	for line := range strings.Lines(r.ReadFile(planFile)) {
		var p planned
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			c.t.Fatalf("%s: %v in %s", r.Dir, err, line)
		}
		all = append(all, p)
	}
	return all
}

// one draws a record of a kind and, for tasks, a state; ok is false where there is none.
func (c *clones) one(r *repo, kind, state string) (p planned, ok bool) {
	fitting := slices.DeleteFunc(c.records(r), func(p planned) bool { return p.T != kind || state != "" && p.S != state })
	if len(fitting) == 0 {
		return planned{}, false
	}
	return fitting[c.chance.IntN(len(fitting))], true
}

// act lets one clone do one thing.
func (c *clones) act(r *repo) {
	c.t.Helper()
	other := c.all[c.chance.IntN(len(c.all))]
	switch c.chance.IntN(16) {
	case 0, 1:
		c.git(r, "pull", "-q", "--no-rebase", "--no-edit", other.Dir, "main")
	case 2:
		c.git(r, "pull", "-q", "--no-rebase", "--no-edit", c.origin, "main")
		_, _ = r.TryGit("push", "-q", c.origin, "HEAD:main") // somebody else may have been faster
	case 3:
		c.git(r, "pull", "-q", "--rebase", c.origin, "main")
	case 4:
		c.git(r, "fetch", "-q", other.Dir, "main")
		if pick := c.commit(r, "FETCH_HEAD"); pick != "" {
			c.git(r, "cherry-pick", "--allow-empty", "--keep-redundant-commits", pick)
		}
	case 5:
		c.revert(r)
	default:
		c.mutate(r)
	}
	r.must("check")
}

// git runs git, which a plan may never stop.
func (c *clones) git(r *repo, args ...string) {
	c.t.Helper()
	out, err := r.TryGit(args...)
	if err == nil {
		return
	}
	if unmerged := r.Git("ls-files", "--unmerged"); unmerged != "" {
		c.t.Fatalf("git %v in %s: the plan stopped it: %v\n%s\n%s", args, r.Dir, err, out, r.ReadFile(planFile))
	}
	if args[0] == "revert" && r.Git("status", "--porcelain") == "" {
		_, _ = r.TryGit("revert", "--quit") // what it would take back is not there any more
		return
	}
	c.t.Fatalf("git %v in %s: %v\n%s", args, r.Dir, err, out)
}

// commit draws one of the latest commits that changed the plan and are no merges.
func (c *clones) commit(r *repo, tip string) string {
	c.t.Helper()
	all := strings.Fields(r.Git("rev-list", "--no-merges", "-12", tip, "--", planFile))
	fresh := slices.DeleteFunc(all, func(id string) bool { return r.Git("rev-list", "--parents", "-1", id) == id })
	if len(fresh) < 2 {
		return ""
	}
	return fresh[c.chance.IntN(len(fresh)-1)]
}

// revert takes a commit back. What leaves the plan by it is gone.
func (c *clones) revert(r *repo) {
	before := c.records(r)
	if pick := c.commit(r, "HEAD"); pick != "" {
		c.git(r, "revert", "--no-edit", pick)
	}
	after := c.records(r)
	for _, p := range before {
		if !slices.ContainsFunc(after, func(q planned) bool { return q.Name == p.Name }) {
			c.gone[p.Name] = true
		}
	}
}

// mutate changes the plan by one of our commands.
func (c *clones) mutate(r *repo) {
	pending, isPending := c.one(r, "task", "p")
	done, isDone := c.one(r, "task", "d")
	switch what := c.chance.IntN(9); {
	case what == 0 && isDone:
		r.must("task", "accept", done.ID)
		c.gone[done.Name] = true
	case what == 1 && isDone:
		r.must("task", "reject", done.ID, fmt.Sprint("reason ", c.chance.IntN(3)))
	case what == 2 && isPending:
		r.must("task", "cancel", "--detach", pending.ID)
		c.gone[pending.Name] = true
	case what <= 4 && isPending:
		r.must("task", "done", "--force", pending.ID)
	case what == 5 && isPending:
		r.must("task", "edit", pending.ID, "--notes", fmt.Sprint("note ", c.chance.IntN(100)), "--priority", []string{"high", "medium", "low"}[c.chance.IntN(3)])
	case what == 6 && isPending:
		c.add(r, "--dep", pending.ID)
	default:
		c.add(r)
	}
}

func (c *clones) add(r *repo, args ...string) {
	c.added++
	name := fmt.Sprint("task number ", c.added)
	r.must(append([]string{"task", "add", name}, args...)...)
	c.born[name] = true
}

// gather lets every clone pull from and push to one place, once.
func (c *clones) gather() {
	c.t.Helper()
	for _, r := range c.all {
		c.git(r, "pull", "-q", "--no-rebase", "--no-edit", c.origin, "main")
		r.Git("push", "-q", c.origin, "HEAD:main")
		r.must("check")
	}
}

// settled reports whether all clones have one tip, and fails where two of one tip
// have different plans.
func (c *clones) settled() bool {
	c.t.Helper()
	plans := map[string]string{}
	for _, r := range c.all {
		tip, text := r.Git("rev-parse", "HEAD"), r.ReadFile(planFile)
		if other, known := plans[tip]; known && other != text {
			c.t.Fatalf("two plans at %s:\n%s\n%s", tip, other, text)
		}
		plans[tip] = text
	}
	return len(plans) == 1
}

// docs/merge.md, "Laws" 3, 4 and 6, with real git: whatever eight clones do, no
// plan ever stops git or is invalid; then they come to one plan, and a task
// that nobody took away is in it.
func TestTeamOfClones(t *testing.T) {
	c := newClones(t, 8)
	for range *rounds {
		for _, r := range c.all {
			c.act(r)
		}
	}
	const most = 8
	for n := 1; ; n++ {
		c.gather()
		if c.settled() {
			break
		}
		if n == most {
			t.Fatalf("not settled after %d rounds", n)
		}
	}
	for _, p := range c.records(c.all[0]) {
		delete(c.born, p.Name)
	}
	for name := range c.born {
		if !c.gone[name] {
			t.Errorf("%s is lost", name)
		}
	}
}
