package git_test

import (
	"os"
	"testing"

	"git-ralph/internal/test/gittest"
)

// TestIDAt guards: what a reference stands for is the same whether it is a file, packed, symbolic, or there at all.
func TestIDAt(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.NewRepo(t, "--object-format="+format)
		first := r.Commit("first", nil)
		r.Git("branch", "packed")
		r.Git("pack-refs", "--all")
		second := r.Commit("second", nil)
		r.Git("symbolic-ref", "refs/heads/link", "refs/heads/main")
		r.Git("symbolic-ref", "refs/heads/links", "refs/heads/link")
		r.Git("symbolic-ref", "refs/heads/nowhere", "refs/heads/none")
		repo := opened(t, r)
		for name, want := range map[string]struct {
			id    string
			loose bool
		}{
			"HEAD": {second, true}, "refs/heads/main": {second, true}, "refs/heads/links": {second, true},
			"refs/heads/packed": {first, false}, "refs/heads/nowhere": {"", false}, "refs/heads/none": {"", false},
		} {
			if id, err := repo.IDAt(t.Context(), name); id != want.id || err != nil {
				t.Errorf("%s: %s: %q, %v; want %q", format, name, id, err, want.id)
			}
			if _, ok := repo.LooseReference(name); ok != want.loose {
				t.Errorf("%s: %s: loose %t", format, name, ok)
			}
		}
	}
}

// TestHeadRef guards: HEAD on a branch, detached, and as a link, which git wrote once.
func TestHeadRef(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", nil)
	for _, c := range []struct {
		prepare func()
		want    string
	}{
		{func() {}, "refs/heads/main"},
		{func() { r.Git("checkout", "-q", "--detach") }, ""},
		{func() {
			if os.Remove(r.Path(".git/HEAD")) != nil || os.Symlink("refs/heads/main", r.Path(".git/HEAD")) != nil {
				t.Skip("no symbolic links here")
			}
		}, "refs/heads/main"},
	} {
		c.prepare()
		if ref, err := opened(t, r).HeadRef(t.Context()); ref != c.want || err != nil {
			t.Errorf("got %q, %v; want %q", ref, err, c.want)
		}
	}
}
