package git_test

import (
	"slices"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// A remote's name may have slashes. Of a branch it is cut off as a whole, and nothing more.
func TestCutRemote(t *testing.T) {
	r := gittest.NewRepo(t)
	for _, name := range []string{"up", "origin", "team.a/one"} {
		r.Git("remote", "add", name, "https://example.org/r.git")
	}
	r.Git("config", "remote.up/stream.url", "https://example.org/r.git") // beside "up", as older git let it be
	r.Git("config", "remote.pushDefault", "origin")                      // no remote
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	remotes := repo.Remotes(t.Context())
	if want := []string{"team.a/one", "up/stream", "origin", "up"}; !slices.Equal(remotes, want) {
		t.Fatalf("remotes: %q", remotes)
	}
	for name, want := range map[string]struct {
		branch string
		known  bool
	}{
		"up/stream/feature/x": {"feature/x", true},
		"up/stream/x":         {"x", true},
		"up/streams/x":        {"streams/x", true},
		"up/x":                {"x", true},
		"team.a/one/x":        {"x", true},
		"origin/x/y":          {"x/y", true},
		"gone/feature/x":      {"feature/x", false},
		"team.a/two":          {"two", false},
		"x":                   {"", false},
	} {
		if branch, known := git.CutRemote(name, remotes); branch != want.branch || known != want.known {
			t.Errorf("%s: %q, %v", name, branch, known)
		}
	}
}
