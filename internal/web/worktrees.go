package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
	"git-ralph/internal/watch"
)

// Limits of the view of all worktrees.
const (
	maxTrees       = 12                    // whose plans are read
	maxDifferences = 200                   // rows
	together       = 20 * time.Millisecond // changes that are one: a commit is reported for each worktree
)

// An overview is all worktrees together: what is kept of each is what a comparison needs.
type overview struct {
	versions
	places *places

	reading sync.Mutex
	trees   map[string]*tree // by root, of those that are watched
	base    []view.Standing  // of the first one: what others have in common with it is in memory once

	writes map[string]int // by root, how often something was written; with the lock of versions
}

// A tree is what was last read of a worktree.
type tree struct {
	writes      int // that there were before it was read
	standings   []view.Standing
	counts      map[view.Status]int
	uncommitted bool
	failure     string // why its plan cannot be read
}

// worktrees is the JSON of all worktrees together.
type worktrees struct {
	Worktrees []comparedTree `json:"worktrees"`
	Hidden    int            `json:"hidden,omitempty"` // further worktrees
	Rows      []difference   `json:"rows"`
	More      int            `json:"more,omitempty"` // further rows
}

type comparedTree struct {
	listedPlace
	Counts      map[view.Status]int `json:"counts"`
	Uncommitted bool                `json:"uncommitted,omitempty"` // changes of its plan
	Failure     string              `json:"failure,omitempty"`
	Runs        int                 `json:"runs,omitempty"` // under way
	Workers     []worker            `json:"workers,omitempty"`
}

type difference struct {
	Kind  plan.Kind `json:"kind"`
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Cells []cell    `json:"cells"`
}

// A cell is how a record stands in a worktree: where it is absent, all is empty, and where the plan cannot be read, the status is unknown.
type cell struct {
	Status view.Status `json:"status,omitempty"`
	Text   int         `json:"text,omitempty"` // cells of one row with one number have the same text
}

// worktrees answers with all worktrees together.
func (s *server) worktrees(w http.ResponseWriter, r *http.Request) {
	s.busy.Store(true)
	version, _ := s.overview.state() // what changes while it is read is another one
	shown, err := s.overview.read(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, object{{"version", version}, {"moment", timeText(s.env.Now())}, {"complete", true}, {"view", shown}})
}

// read reads what has changed, and compares.
func (o *overview) read(ctx context.Context) (worktrees, error) {
	o.reading.Lock()
	defer o.reading.Unlock()
	listed, err := o.places.list(ctx)
	if err != nil {
		return worktrees{}, err
	}
	found := max(len(listed)-maxTrees, 0)
	listed = listed[:len(listed)-found]
	all, err := o.places.reader().WithRuns(ctx, &view.Data{})
	if err != nil {
		return worktrees{}, err
	}
	trees := o.readTrees(ctx, listed)
	shown := worktrees{Hidden: found, Rows: []difference{}}
	var plans [][]view.Standing
	var columns []int // of the plans that can be read
	for i, l := range listed {
		t := trees[l.Root]
		if t.failure == "" {
			plans, columns = append(plans, t.standings), append(columns, i)
		}
		shown.Worktrees = append(shown.Worktrees, newComparedTree(l, t, all))
	}
	c := view.Compare(plans, maxDifferences)
	shown.More = c.More
	for _, r := range c.Rows {
		row := difference{Kind: r.Kind, ID: r.ID, Name: view.Called(r.Name), Cells: slices.Repeat([]cell{{Status: view.Unknown}}, len(listed))}
		for i, one := range r.Cells {
			row.Cells[columns[i]] = cell(one)
		}
		shown.Rows = append(shown.Rows, row)
	}
	return shown, nil
}

func newComparedTree(l listedPlace, t *tree, d *view.Data) comparedTree {
	one := comparedTree{listedPlace: l, Counts: t.counts, Uncommitted: t.uncommitted, Failure: t.failure}
	for _, r := range d.Runs {
		if r.PID != 0 && r.Worktree == l.Root {
			one.Runs++
		}
	}
	for _, w := range d.Workers {
		if w.Worktree == l.Root {
			one.Workers = append(one.Workers, newWorker(w))
		}
	}
	return one
}

// readTrees reads the plans of worktrees to which something was written, one after the other.
func (o *overview) readTrees(ctx context.Context, listed []listedPlace) map[string]*tree {
	all := map[string]*tree{}
	for i, l := range listed {
		o.mu.Lock()
		writes := o.writes[l.Root]
		o.mu.Unlock()
		t := o.trees[l.Root]
		if t == nil || t.writes != writes {
			t = o.readTree(ctx, l.Root)
			t.writes = writes
		}
		if all[l.Root] = t; i == 0 {
			o.base = t.standings
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.trees = all; o.unwatch == nil { // nobody says what changes
		o.trees, o.base = nil, nil
	}
	return all
}

// readTree reads the plan of a worktree, without its history.
func (o *overview) readTree(ctx context.Context, root string) *tree {
	o.places.large.Lock()
	defer o.places.large.Unlock()
	in := viewio.In(o.places.in(root), "")
	d, err := in.Read(ctx)
	t := &tree{counts: map[view.Status]int{}}
	if err == nil {
		t.uncommitted, err = in.HasUncommitted(ctx)
	}
	if err != nil {
		t.failure = strings.Join(messagesOf(err)["error"], "\n")
		return t
	}
	t.standings = view.Share(d.Standings(), o.base)
	for _, s := range t.standings {
		t.counts[s.Status]++
	}
	return t
}

// watch says when something of a worktree has changed, until nobody looks any more.
func (o *overview) watch(ctx context.Context) {
	changes := make(chan string)
	watched := map[string]context.CancelFunc{}
	for {
		for _, root := range o.watchAll(ctx, watched, changes) {
			o.wrote(root) // it may have been read before it was watched
		}
		o.mu.Lock()
		o.next()
		o.mu.Unlock()
		select {
		case <-ctx.Done():
			o.reading.Lock()
			defer o.reading.Unlock()
			o.trees, o.base = nil, nil
			return
		case root := <-changes:
			o.wrote(root)
		}
		for end := time.After(together); end != nil; {
			select {
			case root := <-changes:
				o.wrote(root)
			case <-end:
				end = nil
			}
		}
	}
}

func (o *overview) wrote(root string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.writes[root]++
}

// watchAll has changes of the worktrees that there are now reported, each by its root. It returns those that were not watched before.
func (o *overview) watchAll(ctx context.Context, watched map[string]context.CancelFunc, changes chan<- string) (added []string) {
	listed, err := o.places.list(ctx)
	if err != nil {
		return nil
	}
	listed = listed[:min(len(listed), maxTrees)]
	for root, end := range watched {
		if !slices.ContainsFunc(listed, func(l listedPlace) bool { return l.Root == root }) {
			end()
			delete(watched, root)
		}
	}
	for _, l := range listed {
		if watched[l.Root] != nil {
			continue
		}
		st, err := planio.Open(ctx, o.places.in(l.Root))
		if err != nil {
			continue
		}
		within, end := context.WithCancel(ctx)
		watched[l.Root] = end
		go report(within, watch.Plan(within, st), l.Root, changes)
		added = append(added, l.Root)
	}
	return added
}

// report sends the root of a worktree with each of its changes.
func report(ctx context.Context, from <-chan watch.Change, root string, to chan<- string) {
	for range from {
		select {
		case to <- root:
		case <-ctx.Done():
		}
	}
}
