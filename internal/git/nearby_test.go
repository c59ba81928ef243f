package git_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/git/gittest"
)

// Whatever the history, an ancestor is the one that git finds, where there is one and no more; files are as git shows
// them. Where dates follow the commits it is always found.
func TestNearby(t *testing.T) {
	const commits, path = 40, "sub/plan"
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
			if chance.IntN(2) == 0 {
				fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%d\n", path, len(fmt.Sprint(i)), i)
			}
		}
		r.GitIn(b.String(), "fast-import", "--quiet", "--force")
		if seed%2 == 0 {
			r.Git("repack", "-q", "-a", "-d")
		}
		repo, err := git.Open(t.Context(), r.Dir, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		near := repo.Nearby(t.Context(), path)
		hash := func(rev string) git.Hash {
			id, err := git.ParseHash(r.Git("rev-parse", rev))
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		single := 0
		for range 25 {
			a, b := fmt.Sprintf("b%d", chance.IntN(commits)), fmt.Sprintf("b%d", chance.IntN(commits))
			out, _ := r.TryGit("merge-base", "--all", a, b)
			want := strings.Fields(out)
			got, ok := near.Ancestor(hash(a), hash(b))
			if ok && (len(want) != 1 || got != hash(want[0])) || !ok && len(want) == 1 && seed < 4 {
				t.Errorf("seed %d, %s %s: %x %v, want %v", seed, a, b, got, ok, want)
			}
			if ok {
				single++
			}
			text, err := r.TryGit("show", a+":"+path)
			data, ok := near.File(hash(a))
			if !ok || string(data) != text || (err == nil) != (data != nil) {
				t.Errorf("seed %d, %s: %q %v, want %q", seed, a, data, ok, text)
			}
		}
		if single < 5 {
			t.Errorf("seed %d: %d with one ancestor", seed, single)
		}
		near.Close()
	}
}

// HEAD is followed to its branch; a history that git hides a part of is left to git.
func TestNearbyRefs(t *testing.T) {
	r := gittest.NewRepo(t)
	first := r.Commit("first", map[string]string{"a": "1"})
	second := r.Commit("second", map[string]string{"a": "2"})
	r.Git("update-ref", "ORIG_HEAD", first)
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	near := repo.Nearby(t.Context(), "a")
	defer near.Close()
	for name, want := range map[string]string{"HEAD": second, "ORIG_HEAD": first, "NO_HEAD": ""} {
		got, ok := near.Ref(name)
		if ok != (want != "") || ok && fmt.Sprintf("%x", got[:20]) != want {
			t.Errorf("%s: %x %v, want %s", name, got, ok, want)
		}
	}
	head, _ := near.Ref("HEAD")
	if parents, ok := near.Parents(head); !ok || len(parents) != 1 || fmt.Sprintf("%x", parents[0][:20]) != first {
		t.Errorf("parents %x %v", parents, ok)
	}
	r.Git("replace", first, second)
	if repo.Nearby(t.Context(), "a") != nil {
		t.Error("replaced, and read")
	}
}
