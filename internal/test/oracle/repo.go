package oracle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"git-ralph/internal/proc"
)

// commit is one commit, with everything that is known of it.
type commit struct {
	id      string
	parents []*commit // that are at hand
	sides   []*commit // all parents, nil for one that is not
	hidden  bool      // others are not
	time    int64
	author  string
	date    string
	message string
	plan    *plan // nil where there is none
	unknown bool  // the plan is missing or cannot be read
	path    string
	order   int // the higher, the newer
	above   map[*commit]bool
	events  []*recording
}

type repo struct {
	dir     string
	env     []string
	paths   []string
	cut     map[string]bool
	commits map[string]*commit
	ordered []*commit // the oldest first
	head    *commit
	tips    []tip
	main    string // name of the main line
	remotes []string
	tags    []string
	moves   []move
	plans   map[string]*plan
}

type tip struct {
	branch string
	local  bool
	at     *commit
}

func (r *repo) git(args ...string) (string, error) {
	res, err := proc.Run(context.Background(), proc.Cmd{Name: "git", Args: args, Dir: r.dir, Env: r.env})
	return string(res.Stdout), err
}

// open reads the repository of a directory. The plan lies at the first of paths
// that a commit holds.
func open(dir string, env, paths []string) (*repo, error) {
	r := &repo{dir: dir, env: append(slices.Clone(env), "GIT_NO_LAZY_FETCH=1"), paths: paths, cut: map[string]bool{}, commits: map[string]*commit{}, plans: map[string]*plan{}}
	common, err := r.git("rev-parse", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	common = strings.TrimSpace(common)
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	if shallow, err := os.ReadFile(filepath.Join(common, "shallow")); err == nil {
		for _, id := range strings.Fields(string(shallow)) {
			r.cut[id] = true
		}
	}
	if err := r.readTips(); err != nil {
		return nil, err
	}
	r.sort()
	return r, nil
}

// readTips reads HEAD, branches and tags, and all that they reach.
func (r *repo) readTips() error {
	if id, err := r.git("rev-parse", "--verify", "-q", "HEAD^{commit}"); err == nil {
		if r.head, err = r.read(strings.TrimSpace(id)); err != nil {
			return err
		}
	}
	listed, err := r.git("for-each-ref", "--format=%(refname) %(symref)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return err
	}
	type named struct {
		tip
		rank string
	}
	var all []named
	r.main = r.mainBranch()
	remotes, err := r.git("remote")
	if err != nil {
		return err
	}
	r.remotes = strings.Fields(remotes)
	for _, line := range strings.Split(strings.TrimSpace(listed), "\n") {
		name, _, _ := strings.Cut(line, " ")
		id, err := r.git("rev-parse", "--verify", "-q", name+"^{commit}")
		if err != nil || name == "refs/remotes/origin/HEAD" {
			continue
		}
		at, err := r.read(strings.TrimSpace(id))
		if err != nil {
			return err
		}
		if tag, found := strings.CutPrefix(name, "refs/tags/"); found {
			r.tags = append(r.tags, tag)
		}
		branch, rank := rankOf(name, r.main, r.remotes)
		all = append(all, named{tip{branch, strings.HasPrefix(name, "refs/heads/"), at}, rank})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].rank < all[j].rank })
	for _, n := range all {
		r.tips = append(r.tips, n.tip)
	}
	r.readLogs()
	return nil
}

// mainBranch returns the branch of the main line.
func (r *repo) mainBranch() string {
	if target, err := r.git("symbolic-ref", "-q", "refs/remotes/origin/HEAD"); err == nil {
		return strings.TrimPrefix(strings.TrimSpace(target), "refs/remotes/origin/")
	}
	configured, _ := r.git("config", "init.defaultBranch")
	for _, name := range []string{strings.TrimSpace(configured), "main", "master", "trunk"} {
		for _, ref := range []string{"refs/heads/", "refs/remotes/*/"} {
			if out, _ := r.git("for-each-ref", ref+name); name != "" && out != "" {
				return name
			}
		}
	}
	return ""
}

// rankOf returns a reference's branch, and a text that sorts references in the order in which they
// count: the main branch, others by name, local ones before remote ones, tags.
func rankOf(name, first string, remotes []string) (branch, rank string) {
	class := "0"
	if local, ok := strings.CutPrefix(name, "refs/heads/"); ok {
		branch = local
	} else if rest, ok := strings.CutPrefix(name, "refs/remotes/"); ok {
		_, branch, _ = strings.Cut(rest, "/")
		for _, remote := range remotes {
			if strings.HasPrefix(rest, remote+"/") {
				branch = rest[len(remote)+1:]
			}
		}
		class = "1"
	} else {
		return "", "9" + name
	}
	if branch == first {
		return branch, "0" + class
	}
	return branch, "1" + branch + "\x00" + class
}

// read reads a commit and its ancestors, each once.
func (r *repo) read(id string) (*commit, error) {
	if c := r.commits[id]; c != nil {
		return c, nil
	}
	out, err := r.git("log", "--no-walk", "--encoding=UTF-8", "--date=raw", "--format=%P%x00%ct%x00%ae%x00%ad%x00%B", id)
	if err != nil {
		return nil, err
	}
	f := strings.SplitN(out, "\x00", 5)
	c := &commit{id: id, author: f[2], date: rfc3339(f[3]), message: f[4], hidden: r.cut[id], above: map[*commit]bool{}}
	c.time, _ = strconv.ParseInt(f[1], 10, 64)
	r.commits[id] = c
	if !c.hidden {
		for _, p := range strings.Fields(f[0]) {
			if _, err := r.git("cat-file", "-e", p); err != nil {
				c.hidden, c.sides = true, append(c.sides, nil)
				continue
			}
			parent, err := r.read(p)
			if err != nil {
				return nil, err
			}
			c.parents, c.sides = append(c.parents, parent), append(c.sides, parent)
		}
	}
	for _, p := range c.parents {
		c.above[p] = true
		for a := range p.above {
			c.above[a] = true
		}
	}
	return c, r.readPlan(c)
}

// readPlan finds the plan of a commit.
func (r *repo) readPlan(c *commit) error {
	for _, path := range r.paths {
		out, err := r.git("ls-tree", c.id, "--", path)
		if err != nil {
			return err
		}
		fields := strings.Fields(out)
		if len(fields) < 3 || fields[1] != "blob" {
			continue
		}
		c.path = path
		if known := r.plans[fields[2]]; known != nil {
			c.plan, c.unknown = known, known.bad
			return nil
		}
		text, err := r.git("cat-file", "blob", fields[2])
		if err != nil {
			c.unknown = true
			return nil
		}
		c.plan = parsePlan(fields[2], text)
		r.plans[fields[2]] = c.plan
		c.unknown = c.plan.bad
		return nil
	}
	return nil
}

// sort numbers the commits: parents before children, and of those that are ready
// the newest is listed first, seen from the end.
func (r *repo) sort() {
	children := map[*commit]int{}
	for _, c := range r.commits {
		for _, p := range c.parents {
			children[p]++
		}
	}
	var ready []*commit
	for _, c := range r.commits {
		if children[c] == 0 {
			ready = append(ready, c)
		}
	}
	for order := len(r.commits); len(ready) > 0; order-- {
		sort.Slice(ready, func(i, j int) bool {
			if ready[i].time != ready[j].time {
				return ready[i].time > ready[j].time
			}
			return ready[i].id < ready[j].id
		})
		c := ready[0]
		ready = ready[1:]
		c.order = order
		r.ordered = append([]*commit{c}, r.ordered...)
		for _, p := range c.parents {
			if children[p]--; children[p] == 0 {
				ready = append(ready, p)
			}
		}
	}
}

// rfc3339 rewrites git's raw date, "<seconds> <zone>".
func rfc3339(raw string) string {
	seconds, zone, _ := strings.Cut(raw, " ")
	n, _ := strconv.ParseInt(seconds, 10, 64)
	minutes, _ := strconv.Atoi(strings.TrimLeft(zone, "+-"))
	minutes = minutes/100*60 + minutes%100
	if strings.HasPrefix(zone, "-") {
		minutes = -minutes
	}
	return dateIn(n, minutes)
}

// Read reports the history of the repository in a directory, whose plan lies at the
// first of paths that a commit holds.
func Read(dir string, env, paths []string) (Report, error) {
	r, err := open(dir, env, paths)
	if err != nil {
		return Report{}, err
	}
	if len(r.commits) == 0 {
		return Report{}, errors.New("no commit")
	}
	for _, c := range r.ordered {
		c.events = r.recordings(c)
	}
	s := newHistory(r)
	if err := s.check(); err != nil {
		return Report{}, fmt.Errorf("the oracle contradicts itself: %w", err)
	}
	return s.report(), nil
}
