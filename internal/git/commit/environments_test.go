package commit_test

import (
	"slices"
	"testing"

	"git-ralph/internal/test/gittest"
)

// dirty leaves one of everything that a user may have lying about.
func dirty(r *gittest.Repo) {
	r.WriteFile("modified", "changed\n")
	r.WriteFile("staged", "changed\n")
	r.Git("add", "staged")
	r.WriteFile("partly", "changed\n2\n3\n4\n5\n6\n7\n8\n9\n")
	r.Git("add", "partly")
	r.WriteFile("partly", "changed\n2\n3\n4\n5\n6\n7\n8\nchanged too\n")
	r.WriteFile("untracked", "new\n")
	r.WriteFile("intended", "new\n")
	r.Git("add", "-N", "intended")
	r.Remove("deleted")
	r.Git("rm", "-q", "--cached", "unstaged")
}

// eachEnvironment runs a check in every environment. What our goroutines do differs by where objects and index are read
// from, so that a short run, under the race detector, is content with a few.
func eachEnvironment(t *testing.T, planThere bool, check func(t *testing.T, r *gittest.Repo)) {
	concurrent := []string{"plain", "packed", "split index", "linked worktree", "filter"}
	for _, env := range gittest.Environments() {
		if testing.Short() && !slices.Contains(concurrent, env.Name) {
			continue
		}
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t, env.Args...)
			files := gittest.UserFiles()
			if planThere {
				files[plan] = "old\n"
			}
			r.Commit("first", files)
			if env.Make != nil {
				r = env.Make(r)
			}
			check(t, r)
		})
	}
}
