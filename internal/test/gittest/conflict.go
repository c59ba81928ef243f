package gittest

import "testing"

// Conflict returns a repository in the middle of a merge in which both sides changed the file at path, and the commits.
func Conflict(t testing.TB, path string, args ...string) (r *Repo, base, ours, theirs string) {
	t.Helper()
	r = NewRepo(t, args...)
	base = r.Commit("base", map[string]string{path: "base\n", "other": "1\n"})
	r.Git("checkout", "-q", "-b", "topic")
	theirs = r.Commit("theirs", map[string]string{path: "theirs\n"})
	r.Git("checkout", "-q", "main")
	ours = r.Commit("ours", map[string]string{path: "ours\n"})
	r.TryGit("merge", "topic")
	return r, base, ours, theirs
}
