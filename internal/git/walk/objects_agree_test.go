package walk_test

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/git/walk"
)

// What is read in this process is what git's commands answer, with a commit-graph and without one.
func TestObjectsAgreeWithGit(t *testing.T) {
	for seed := range uint64(4) {
		r, chance := newHistory(t, seed), rand.New(rand.NewPCG(seed, 2))
		if seed%2 == 1 {
			r.Git("commit-graph", "write", "--reachable")
		}
		o, ok := walk.OpenObjects(t.Context(), mustOpen(t, r))
		if !ok {
			t.Fatal("is not read")
		}
		all := strings.Fields(r.Git("rev-list", "--all"))
		for range 12 {
			a, b := all[chance.IntN(len(all))], all[chance.IntN(len(all))]
			bases, _ := r.TryGit("merge-base", "--all", a, b)
			between, ok, err := o.Between(hash(a), hash(b))
			if base := hex.EncodeToString(between.Base[:len(a)/2]); err != nil || ok && base != strings.TrimSpace(bases) {
				t.Errorf("%s and %s: %s, %v: want %s", a, b, base, err, bases)
			}
			for _, id := range strings.Fields(r.Git("rev-list", "^"+a, b)) {
				if ok && !slices.Contains(between.Other, hash(id)) {
					t.Errorf("%s is not in %s..%s", id, a, b)
				}
			}
			reach, err := o.Reach(hash(b))
			if err != nil {
				t.Fatal(err)
			}
			if has, err := reach.Has(hash(a)); err != nil || has && strings.TrimSpace(bases) != a {
				t.Errorf("%s reaches %s: %v, %v", b, a, has, err)
			}
			changed, err := o.Changed(hash(r.Git("rev-parse", a+"^{tree}")), hash(r.Git("rev-parse", b+"^{tree}")))
			slices.Sort(changed)
			want := strings.Split(r.Git("-c", "core.quotePath=false", "diff-tree", "-r", "--no-renames", "--name-only", a, b), "\n")
			slices.Sort(want)
			if got, want := strings.Join(changed, "\n"), strings.Join(want, "\n"); err != nil || got != want {
				t.Errorf("%s and %s differ in %q, %v: want %q", a, b, got, err, want)
			}
		}
		o.Close()
	}
}
