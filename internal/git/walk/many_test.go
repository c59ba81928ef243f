package walk_test

import (
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// Of many commits, which are shared out among several goroutines, both engines report the same.
func TestWalkManyCommits(t *testing.T) {
	const commits = 2500
	var b strings.Builder
	for i := range commits {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 0\n", 1700000000+i/3)
		plan := fmt.Sprint(i / 10 * 10)
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\nM 100644 inline other\ndata 5\n%05d\n", walkPaths[0], len(plan), plan, i)
	}
	r := gittest.NewRepo(t)
	r.GitIn(b.String()+"done\n", "fast-import", "--quiet", "--done", "--date-format=raw")
	var first *walk.Graph
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		if first != nil {
			sameGraph(t, w, first)
			return
		}
		var err error
		if first, err = w.Walk(walk.Request{Tips: allTips(t, w), Paths: walkPaths}); err != nil {
			t.Fatal(err)
		}
		plans := map[git.Hash]bool{}
		for _, c := range first.Commits {
			plans[c.Plan] = true
		}
		if len(first.Commits) != commits || len(plans) != commits/10 {
			t.Errorf("%d commits with %d plans", len(first.Commits), len(plans))
		}
	})
}
