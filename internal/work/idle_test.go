package work

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/land"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// idleRounds returns how many rounds TestIdleWorkerMissesNothing has: few, or what GIT_RALPH_IDLE_ROUNDS says.
func idleRounds(t *testing.T) int {
	n := 20
	if text := os.Getenv("GIT_RALPH_IDLE_ROUNDS"); text != "" {
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// idlePlan has items before their research, with its last tasks, one that is to be split, and one without tasks.
const idlePlan = `{"t": "item", "id": "w-a", "name": "a", "state": "Research Needed", "created_at": "2026-01-01T00:00:00.001Z"}
{"t": "item", "id": "w-b", "name": "b", "state": "Ready for Plan", "files": ["b"], "created_at": "2026-01-01T00:00:00.002Z"}
{"t": "item", "id": "w-c", "name": "c", "state": "Ready for Plan", "files": ["c"], "created_at": "2026-01-01T00:00:00.003Z"}
{"t": "item", "id": "w-l", "name": "l", "state": "Backlog", "estimate": "L", "created_at": "2026-01-01T00:00:00.004Z"}
{"t": "item", "id": "w-n", "name": "n", "state": "Research Needed", "created_at": "2026-01-01T00:00:00.005Z"}
`

// A graphChange makes tasks ready for a role.
type graphChange struct {
	name, role string
	change     func(f *idleField) error
}

func graphChanges() []graphChange {
	extend := func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return pipeline.Extend(p, []string{"w-n"}, nil)
	}
	finish := func(id string, r pipeline.Result) func(f *idleField) error {
		return func(f *idleField) error {
			err := update(f.there, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
				return pipeline.Finish(p, []string{id}, pipeline.Finishing{Result: r, DoneOptions: plan.DoneOptions{Head: in.Head}}, in.Stamp)
			})
			if err != nil {
				return err
			}
			return f.land()
		}
	}
	return []graphChange{
		{"pipeline plan where the target is checked out", "analyst", func(f *idleField) error { return update(f.here, extend) }},
		{"research that makes streams lands", Builder, finish("t-w-a-research", pipeline.Result{Files: []string{"a"}})},
		{"a split lands", "analyst", finish("t-w-l-split", pipeline.Result{SubItems: []jsonl.Object{
			jsonl.Build([]jsonl.Member{{Name: "name", Value: `"part"`}, {Name: "estimate", Value: `"S"`}}),
		}})},
	}
}

// An idleField is a repository with two worktrees, and a worker that is idle in one of them.
type idleField struct {
	t            *testing.T
	repo, linked *gittest.Repo
	here, there  *store.Store // where main is checked out, and where it is not
	claims       *authority.Claims
	head         string
}

func newIdleField(t *testing.T) *idleField {
	t.Helper()
	f := &idleField{t: t, repo: gittest.NewRepo(t)}
	f.repo.Commit("items", map[string]string{store.DefaultPath: idlePlan})
	tree := filepath.Join(filepath.Dir(f.repo.Dir), "tree")
	f.repo.Git("worktree", "add", "-q", "-b", "other", tree)
	f.linked = f.repo.At(tree)
	f.here, f.there = f.open(f.repo.Dir), f.open(tree)
	err := update(f.here, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		return p.Together(func() (plan.Change, error) {
			all, err := pipeline.Extend(p, []string{"w-a", "w-b", "w-c"}, nil)
			if err != nil {
				return all, err
			}
			more, err := pipeline.Extend(p, []string{"w-l", "w-l"}, nil)
			all.Join(more)
			return all, err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	f.head = f.repo.Git("rev-parse", "main")
	f.linked.Git("reset", "-q", "--hard", f.head)
	if f.claims, err = authority.OpenAt(t.Context(), f.here.Repo(), ""); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *idleField) open(dir string) *store.Store {
	f.t.Helper()
	st, err := store.Open(f.t.Context(), store.Options{Dir: dir, Environ: f.repo.Env, Now: time.Now, Random: rand.IntN})
	if err != nil {
		f.t.Fatal(err)
	}
	return st
}

func update(st *store.Store, do func(*plan.Plan, store.Inputs) (plan.Change, error)) error {
	_, err := st.Update(context.Background(), store.Request{Do: do})
	return err
}

// land lands what was done in the worktree where main is not checked out.
func (f *idleField) land() error {
	o := land.Options{Into: "refs/heads/main", Branches: []string{"other"}, Holder: authority.Holder{Worker: "lander", Into: "refs/heads/main"}}
	if err := o.Configure(context.Background(), f.there); err != nil {
		return err
	}
	result, err := land.Run(context.Background(), f.there, f.claims, o)
	if err == nil && result.Landed() != 1 {
		err = fmt.Errorf("nothing landed: %+v", result)
	}
	return err
}

// readyIDs returns the tasks that the worker could take.
func (w *Worker) readyIDs(s survey) (ids []string) {
	for _, task := range s.ready {
		ids = append(ids, task.ID())
	}
	return ids
}

// TestIdleWorkerMissesNothing guards: a worker that waits for work finds what becomes ready for its role, at whatever moment between its looks that
// is, in which worktree, and by which change of the graph. GIT_RALPH_IDLE_ROUNDS says how many rounds there are.
func TestIdleWorkerMissesNothing(t *testing.T) {
	t.Parallel()
	changes := graphChanges()
	fields := 4
	for i := range fields {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			f := newIdleField(t)
			for n := i; n < idleRounds(t); n += fields {
				f.round(changes[(n/fields+i)%len(changes)])
			}
		})
	}
}

// round lets a worker go idle, changes the graph at a random moment, and waits until the worker has found what is ready now.
func (f *idleField) round(c graphChange) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	w := &Worker{
		Store: []*store.Store{f.here, f.there}[rand.IntN(2)], Claims: f.claims, Role: c.role, Into: "refs/heads/main", Wait: true, NoLand: true,
		own: map[string]owned{}, passed: map[string]string{}, reviewed: map[schedule.Stage]string{}, Loop: loop.Config{Now: time.Now},
	}
	before, err := w.look(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	known := w.readyIDs(before)
	changed := make(chan error, 1)
	wait := time.Duration(rand.Int64N(int64(pollTime) * 3 / 2))
	go func() {
		time.Sleep(wait)
		changed <- c.change(f)
	}()
	found := func(s survey) bool {
		return slices.ContainsFunc(w.readyIDs(s), func(id string) bool { return !slices.Contains(known, id) })
	}
	for s := before; !found(s); {
		if err := w.sleep(ctx, s); err != nil {
			select {
			case failed := <-changed:
				f.t.Fatalf("%s: the change: %v", c.name, failed)
			default:
				f.t.Fatalf("%s after %v: %v", c.name, wait, err)
			}
		}
		if s, err = w.look(ctx); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := <-changed; err != nil {
		f.t.Fatalf("%s: %v", c.name, err)
	}
	f.repo.Git("reset", "-q", "--hard", f.head)
	f.linked.Git("reset", "-q", "--hard", f.head)
}
