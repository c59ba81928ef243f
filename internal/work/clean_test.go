package work

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestCleanKeepsRepositories guards: a worktree that contains another repository, ignored or not, is not removed: its commits may be
// nowhere else.
func TestCleanKeepsRepositories(t *testing.T) {
	for _, test := range []struct {
		inside []string // arguments of git that make it
		stays  string
	}{
		{stays: ""},
		{[]string{"init", "-q", "vendor/x"}, "it contains another repository: vendor/x"},
		{[]string{"init", "-q", "--bare", "vendor/x.git"}, "it contains another repository: vendor/x.git"},
		{[]string{"worktree", "add", "-q", "--detach", "vendor/tree"}, "it contains another repository: vendor/tree"},
	} {
		r := gittest.NewRepo(t)
		r.Commit("first", map[string]string{".gitignore": "vendor/\n", store.DefaultPath: `{"t": "task", "id": "t-one", "name": "One", "s": "p"}` + "\n"})
		w := workerOf(t, r, "")
		path := filepath.Join(w.dir.path, "a")
		r.Git("worktree", "add", "-q", "--detach", path)
		tree := r.At(path)
		tree.WriteFile("vendor/file", "ignored\n")
		if len(test.inside) > 0 {
			tree.Git(test.inside...)
		}
		c := Cleaner{Repo: w.Store.Repo(), Claims: w.Claims, Into: w.Into, OpenStore: func(ctx context.Context, dir string) (*store.Store, error) {
			return store.Open(ctx, store.Options{Dir: dir, Environ: r.Env, Now: time.Now, Random: func(int) int { return 7 }})
		}}
		all, err := c.Clean(t.Context())
		if err != nil || len(all) != 1 || all[0].Stays != test.stays || tree.Exists("vendor/file") != (test.stays != "") {
			t.Errorf("%v: %+v, %v", test.inside, all, err)
		}
	}
}
