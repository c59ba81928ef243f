package web

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/view"
	"git-ralph/internal/watch"
	"git-ralph/internal/worktree"
)

// places are the worktrees of the repository.
type places struct {
	ctx    context.Context // ends with the server
	env    *term.Env
	own    *viewio.Worktree // that the server was started in
	common string           // git's directory, which all worktrees share
	large  sync.Mutex       // held by whoever takes much memory for a while

	mu  sync.Mutex
	all map[string]*place // that the page has named, by root
}

// A place is a worktree, and what was last read of it.
type place struct {
	ctx   context.Context // ends with the server
	env   *term.Env
	tree  *viewio.Worktree
	large *sync.Mutex // of all places

	alone   sync.Mutex // held by whoever reads all while nobody follows
	reading sync.Mutex // of plan, claims and runs, one at a time

	versions
	plan     *view.Data // the plan and the claims alone, as they were last read; nil where they cannot be
	finished bool       // all else was read since
	data     *view.Data // what is known; nil before it was read, and where it cannot be
	err      error
	at       *view.Data // an older plan that was read last
	shown    *view.Data // whose board it is
	board    *view.Board

	users int // requests that are answered now, by places.mu
}

// boardOf returns the board of data, which is filtered many times.
func (p *place) boardOf(d *view.Data) *view.Board {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown != d {
		b := d.Board()
		p.shown, p.board = d, &b
	}
	return p.board
}

// listedPlace is the JSON of a worktree.
type listedPlace struct {
	Root   string `json:"root"`
	Name   string `json:"name"`
	Branch string `json:"branch,omitempty"`
	Own    bool   `json:"own,omitempty"` // the server was started in it
}

func newPlaces(ctx context.Context, env *term.Env, common string) *places {
	return &places{ctx: ctx, env: env, own: viewio.In(env, ""), common: common, all: map[string]*place{}}
}

// reader returns what reads of all worktrees alike: from git's directory where the worktree is gone that the server was started in.
func (p *places) reader() *viewio.Worktree {
	_, gone := os.Stat(p.env.Dir)
	if _, err := os.Stat(p.common); gone == nil || err != nil {
		return p.own
	}
	return viewio.In(p.in(p.common), "")
}

// in returns the environment of another worktree.
func (p *places) in(dir string) *term.Env {
	env := *p.env
	env.Dir, env.Environ = dir, worktree.Environ(env.Environ)
	return &env
}

// list lists the worktrees.
func (p *places) list(ctx context.Context) ([]listedPlace, error) {
	trees, err := p.reader().List(ctx)
	if err != nil {
		return nil, err
	}
	var all []listedPlace
	for _, t := range trees {
		all = append(all, listedPlace{Root: t.Dir, Name: filepath.Base(t.Dir), Branch: strings.TrimPrefix(t.Branch, "refs/heads/")})
	}
	at := -1
	for i := range all { // a worktree may be inside of another one
		if isIn(all[i].Root, p.env.Dir) && (at < 0 || len(all[i].Root) > len(all[at].Root)) {
			at = i
		}
	}
	if at >= 0 {
		all[at].Own = true
	}
	return all, nil
}

func isIn(root, dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rest, err := filepath.Rel(root, dir)
	return err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}

// notFound is the error for what the repository does not have.
type notFound struct{ text string }

func (e *notFound) Error() string { return e.text }

// get returns a worktree until it is released; "" is that which the server was started in. One that is removed while the page is open is no
// worktree of the repository any more, whatever is at its place then. What was read of those that nobody uses is given up.
func (p *places) get(ctx context.Context, root string) (one *place, release func(), err error) {
	if root != "" && !worktree.IsAt(root, p.common) { // git need not be run for most
		if err := p.check(ctx, root); err != nil {
			return nil, nil, err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.all)
	maps.DeleteFunc(p.all, func(other string, it *place) bool {
		unused := other != root && it.users == 0
		if unused {
			it.endUnfollowed() // who watches it has what was read
		}
		return unused
	})
	if len(p.all) < before {
		runtime.GC() // before as much is read again
	}
	if one = p.all[root]; one == nil {
		env := p.env
		if root != "" {
			env = p.in(root)
		}
		one = &place{ctx: p.ctx, env: env, tree: viewio.In(env, ""), large: &p.large, versions: newVersions()}
		p.all[root] = one
	}
	one.users++
	return one, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		one.users--
	}, nil
}

// check asks git for a worktree; what is at its place must not be another repository.
func (p *places) check(ctx context.Context, root string) error {
	trees, err := p.list(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(trees, func(t listedPlace) bool { return t.Root == root }) {
		st, err := planio.Open(ctx, p.in(root))
		if err != nil {
			return err
		}
		ours, err := os.Stat(p.common)
		if err != nil {
			return err
		}
		if its, err := os.Stat(st.Repo().CommonDir()); err == nil && os.SameFile(its, ours) {
			return nil
		}
	}
	return &notFound{fmt.Sprintf("there is no worktree %q of this repository", root)}
}

// current returns what is known now: where a stream follows the worktree, what was last read. With the history, it waits until that was read.
func (p *place) current(ctx context.Context, history bool) (*view.Data, string, error) {
	p.mu.Lock()
	version, watched := p.version, p.unwatch != nil
	p.mu.Unlock()
	if !watched {
		p.readAll(version)
	}
	for asked := false; ; asked = true {
		p.mu.Lock()
		d, name, err, changed := p.data, p.name(), p.err, p.changed
		p.mu.Unlock()
		if err != nil || d != nil && (d.History != nil || !history) {
			return d, name, err
		}
		if !asked && history {
			go p.readRest() // now, though there are changes
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, "", context.Cause(ctx)
		case <-p.ctx.Done():
			return nil, "", context.Cause(p.ctx)
		}
	}
}

// readAll reads the plan and all else, unless somebody else has done that since a version was current.
func (p *place) readAll(since int) {
	p.alone.Lock()
	defer p.alone.Unlock()
	p.read(since)
	p.readRest()
}

// always is no version.
const always = -1

// read reads the plan and the claims. Until all else was read, which takes longer, what was known of it before is shown, without the history. Nothing
// is done where somebody else has read since a version was current; of none (always), it is read in any case.
func (p *place) read(since int) {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.mu.Lock()
	before, version := p.data, p.version
	p.mu.Unlock()
	if version != since && since != always {
		return
	}
	d, err := p.tree.Read(p.ctx)
	p.mu.Lock()
	p.plan, p.finished = d, false
	p.mu.Unlock()
	if d != nil && before != nil {
		d = d.After(before)
	}
	p.set(d, err)
}

// readRest reads what read leaves, until that was done of the newest plan. Meanwhile changes are read and shown.
func (p *place) readRest() {
	for p.readRestOnce() {
	}
}

// readRestOnce reads what read leaves, where that is to be done, and reports whether it was. In between others can take much memory, also while there
// are changes all the time.
func (p *place) readRestOnce() bool {
	p.large.Lock()
	defer p.large.Unlock()
	d := p.unfinished()
	if d == nil {
		return false
	}
	rest, err := p.tree.WithHistory(p.ctx, d)
	if err == nil {
		rest, err = p.tree.WithLanded(p.ctx, rest)
	}
	p.addRest(d, rest, err)
	debug.FreeOSMemory() // what it took is garbage, and there may be no more to do for hours
	return true
}

// unfinished returns the newest plan where all else is still to be read; else nil. An older history is given up then.
func (p *place) unfinished() *view.Data {
	p.reading.Lock() // what readRuns is about to set has that history
	defer p.reading.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plan == nil || p.finished {
		return nil
	}
	if p.data != nil && p.data.History != nil {
		p.keep(p.data.After(p.data), nil)
	}
	return p.plan
}

// addRest shows what was read of a plan, with a newer plan where there is one, so that it is seen also while there are changes all the time.
func (p *place) addRest(of, rest *view.Data, err error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.mu.Lock()
	newest := p.plan
	p.finished = newest == of
	p.mu.Unlock()
	if newest != of {
		if newest == nil || err != nil {
			return
		}
		rest = newest.With(rest)
	}
	if err == nil {
		rest, err = p.tree.WithRuns(p.ctx, rest)
	}
	p.set(rest, err)
}

// readRuns reads the runs alone.
func (p *place) readRuns() {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.mu.Lock()
	d := p.data
	p.mu.Unlock()
	if d != nil {
		p.set(p.tree.WithRuns(p.ctx, d))
	}
}

// Times of watch.
const (
	calm    = 200 * time.Millisecond // without a change, after which all else is read: it would slow down what shows the next one
	longest = time.Second            // until then
)

// follow reads what changes until the returned function is called. Several streams may follow a worktree.
func (p *place) follow() (leave func()) { return p.versions.follow(p.ctx, p.watch) }

// watch reads whatever changes while somebody follows. Where only runs change, as they do all the time while agents work, only these are read.
func (p *place) watch(ctx context.Context) {
	var changes <-chan watch.Change
	if st, err := planio.Open(ctx, p.env); err == nil {
		changes = watch.Plan(ctx, st)
	}
	due := time.Now() // when all else is read at the latest
	var rest <-chan time.Time
	for change := (watch.Change{Plan: true}); ; {
		p.mu.Lock()
		version, d := p.version, p.data
		p.mu.Unlock()
		switch {
		case change == (watch.Change{}):
			go p.readRest()
			rest = nil
		case d == nil || change.Plan || change.References:
			p.read(version)
			rest = time.After(min(calm, time.Until(due)))
		default:
			p.readRuns()
		}
		select {
		case change = <-changes:
			if rest == nil {
				due = time.Now().Add(longest)
			}
			p.endUnfollowed()
		case <-rest:
			change = watch.Change{}
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// set sets what is known, and says so to streams.
func (p *place) set(d *view.Data, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(d, err)
	p.next()
}

// keep is set without a new version. The lock is held.
func (p *place) keep(d *view.Data, err error) {
	p.data, p.err = d, err
	p.shown, p.board = nil, nil // all that was made of what was known before goes with it
	if p.at != nil && (d == nil || p.at.History != d.History) {
		p.at = nil
	}
}
