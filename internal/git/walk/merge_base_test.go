package walk_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// Whatever the history, and however much of it was walked, a merge base is the one that git finds, where there is one
// and no more. Where all was walked it is always found.
func TestMergeBase(t *testing.T) {
	const commits = 40
	for seed := range uint64(8) {
		chance := rand.New(rand.NewPCG(seed, 1))
		r := gittest.NewRepo(t)
		var b strings.Builder
		for i := range commits {
			date := 1700000000 + i
			if seed >= 4 {
				date = 1700000000 + chance.IntN(60) // no order at all
			}
			fmt.Fprintf(&b, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 1\nx\n", i, i+1, date)
			word := "from"
			for range min(i, 1+chance.IntN(2)) {
				fmt.Fprintf(&b, "%s :%d\n", word, 1+i-min(i, 1+chance.IntN(6)))
				word = "merge"
			}
		}
		r.GitIn(b.String(), "fast-import", "--quiet", "--force")
		repo, err := git.Open(t.Context(), r.Dir, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		walker := walk.Open(t.Context(), repo)
		hashes := map[string]git.Hash{}
		for line := range strings.Lines(r.Git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads/b*")) {
			name, id, _ := strings.Cut(strings.TrimSpace(line), " ")
			if hashes[name], err = git.ParseHash(id); err != nil {
				t.Fatal(err)
			}
		}
		single, short := 0, 0
		for range 25 {
			a, b := fmt.Sprintf("b%d", chance.IntN(commits)), fmt.Sprintf("b%d", chance.IntN(commits))
			out, _ := r.TryGit("merge-base", "--all", a, b)
			want := strings.Fields(out)
			for _, maxReached := range []int{3, 12, 2 * commits} {
				tips, left := []git.Hash{hashes[a], hashes[b]}, maxReached
				g, err := walker.Walk(walk.Request{Tips: tips, Known: walk.Known{Has: func(git.Hash) bool { left--; return left < 0 }}})
				if err != nil {
					t.Fatal(err)
				}
				place := func(id git.Hash) int32 {
					return int32(slices.IndexFunc(g.Commits, func(c walk.Commit) bool { return c.ID == id }))
				}
				base, ok := g.MergeBase(place(tips[0]), place(tips[1]))
				switch {
				case ok && (len(want) != 1 || fmt.Sprintf("%x", g.Commits[base].ID[:g.IDSize]) != want[0]), !ok && len(want) == 1 && maxReached > commits:
					t.Errorf("seed %d, %s %s, %d commits: %d %v, want %v", seed, a, b, maxReached, base, ok, want)
				case ok && maxReached > commits:
					single++
				case ok:
					short++
				}
			}
		}
		if single < 5 || short < 5 {
			t.Errorf("seed %d: %d with one merge base, %d of them in a part", seed, single, short)
		}
		walker.Close()
	}
}
