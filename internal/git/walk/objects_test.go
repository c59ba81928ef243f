package walk_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

func TestWalkBlobs(t *testing.T) {
	r := newHistory(t, 6)
	r.Git("repack", "-adfq", "--depth=50")
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		ids := planIDs(t, w)
		var mu sync.Mutex
		got := make([]string, len(ids))
		err := w.Blobs(ids, 2, func(_, i int, data []byte, err error) error {
			mu.Lock()
			defer mu.Unlock()
			got[i] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if want := r.Git("cat-file", "blob", fmt.Sprintf("%x", id[:20])); strings.TrimSuffix(got[i], "\n") != want {
				t.Errorf("%x: %.50q, want %.50q", id[:20], got[i], want)
			}
		}
		stop := errors.New("enough")
		if err := w.Blobs(ids, 2, func(int, int, []byte, error) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestWalkMessage(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("Subject ü\n\nBody.\n\nRalph-Event: added t-1234", nil)
	id := r.Setenv("GIT_AUTHOR_NAME", "Jörg").Setenv("GIT_AUTHOR_DATE", "1700000000 -0330").Setenv("GIT_COMMITTER_DATE", "1700000001 +0200").
		Git("-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-m", "Grüße", "HEAD^{tree}")
	latin := strings.Replace(r.Git("cat-file", "commit", id), "\n\n", "\nencoding ISO-8859-1\n\n", 1)
	latin = string(bytes.ReplaceAll([]byte(latin), []byte("ü"), []byte{0xfc}))
	latin = strings.ReplaceAll(strings.ReplaceAll(latin, "ß", "\xdf"), "ö", "\xf6")
	old := r.GitIn(latin, "hash-object", "-t", "commit", "-w", "--stdin")
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		m, err := w.Message(hash(r.Git("rev-parse", "HEAD")))
		if err != nil || m.Text != "Subject ü\n\nBody.\n\nRalph-Event: added t-1234\n" || m.Author.Name != "A U Thor" {
			t.Errorf("%+v, %v", m, err)
		}
		for _, id := range []string{id, old} {
			m, err := w.Message(hash(id))
			author := walk.Signature{Name: "Jörg", Address: "author@example.com", Time: 1700000000, Zone: -210}
			if err != nil || strings.TrimSpace(m.Text) != "Grüße" || m.Author != author || m.Committer.Time != 1700000001 || m.Committer.Zone != 120 {
				t.Errorf("%s: %+v, %v", id, m, err)
			}
		}
		if _, err := w.Message(git.Hash{1}); !errors.Is(err, git.ErrMissing) {
			t.Error(err)
		}
	})
}

// Every kind of reference, and what is none.
func TestWalkTips(t *testing.T) {
	r := gittest.NewRepo(t)
	eachWalker(t, r, func(t *testing.T, w walk.Walker) {
		if tips, err := walk.Tips(w); err != nil || len(tips) > 0 {
			t.Errorf("without a commit: %v, %v", tips, err)
		}
		if g, err := w.Walk(walk.Request{Paths: walkPaths}); err != nil || len(g.Commits) > 0 {
			t.Errorf("without a commit: %v, %v", g, err)
		}
	})
	first := r.Commit("first", map[string]string{"a": "1"})
	second := r.Commit("second", map[string]string{"a": "2"})
	r.Git("branch", "old", first)
	r.Git("branch", "feature/deep", first)
	r.Git("tag", "-am", "annotated", "v1", first)
	r.Git("tag", "-am", "of a tag", "v1.1", "v1")
	r.Git("tag", "-am", "of a file", "file", "HEAD:a")
	r.Git("tag", "tree", "HEAD^{tree}")
	r.Git("update-ref", "refs/remotes/origin/main", second)
	r.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	r.Git("update-ref", "refs/notes/commits", first)
	r.Git("update-ref", "refs/stash", first)
	check := func(t *testing.T, w walk.Walker) {
		tips, err := walk.Tips(w)
		if err != nil {
			t.Fatal(err)
		}
		want := []git.Tip{
			{Name: "HEAD", ID: hash(second), Target: "refs/heads/main"},
			{Name: "refs/heads/feature/deep", ID: hash(first), Target: ""},
			{Name: "refs/heads/main", ID: hash(second), Target: ""},
			{Name: "refs/heads/old", ID: hash(first), Target: ""},
			{Name: "refs/remotes/origin/HEAD", ID: hash(second), Target: "refs/remotes/origin/main"},
			{Name: "refs/remotes/origin/main", ID: hash(second), Target: ""},
			{Name: "refs/tags/v1", ID: hash(first), Target: ""},
			{Name: "refs/tags/v1.1", ID: hash(first), Target: ""},
		}
		if diff := cmp.Diff(want, tips); diff != "" {
			t.Error(diff)
		}
	}
	eachWalker(t, r, check)
	r.Git("pack-refs", "--all")
	r.Git("update-ref", "refs/heads/old", second)
	r.Git("update-ref", "refs/heads/old", first)
	r.WriteFile(".git/refs/heads/main.lock", "")
	eachWalker(t, r, check)
}
