package authority_test

import (
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/test/gittest"
)

// Tokens are kept where only their owner can read them, for the worktree that they were taken in; those of a worktree that is
// gone belong to all.
func TestKeptTokens(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("one", map[string]string{"x": "x"})
	main := claims(t, r)
	if err := main.Keep(t.Context(), authority.Own{"t-1": "token0001"}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "other")
	r.Git("worktree", "add", "-q", dir)
	linked := claims(t, r.At(dir))
	if err := linked.Keep(t.Context(), authority.Own{"t-2": "token0002"}); err != nil {
		t.Fatal(err)
	}
	if own := linked.Kept(); len(own) != 1 || own["t-2"] != "token0002" {
		t.Errorf("in the worktree: %v", own)
	}
	path := filepath.Join(r.Dir, ".git/ralph/claims/own.json")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file of tokens: %v, %v", info.Mode(), err)
	}
	r.Git("worktree", "remove", "--force", dir)
	if own := main.Kept(); len(own) != 2 {
		t.Errorf("after the worktree was removed: %v", own)
	}
	if err := main.Forget(t.Context(), authority.Own{"t-1": "another00", "t-2": "token0002"}); err != nil {
		t.Fatal(err)
	}
	if own := main.Kept(); len(own) != 1 || own["t-1"] != "token0001" {
		t.Errorf("a token was forgotten by its task alone: %v", own)
	}
}
