package land_test

import (
	"testing"

	"git-ralph/internal/land"
)

// TestRemovedCommits guards: a branch that no claim names does not bring back what was removed from the target. What was not removed
// from it, but rewritten, or merged and taken back, keeps no branch from landing.
func TestRemovedCommits(t *testing.T) {
	for name, test := range map[string]struct {
		make func(s *site)
		want land.Outcome
	}{
		"begun there": {func(s *site) {
			s.onTarget("secret", "more")
			s.Git("checkout", "-q", "-b", "one", "main~1")
			s.Commit("one", map[string]string{"1": "1\n"})
			s.Git("branch", "-f", "main", s.base)
		}, land.Rewritten},
		"merged there": {func(s *site) {
			s.Git("checkout", "-q", "-b", "one")
			s.Commit("one", map[string]string{"1": "1\n"})
			s.onTarget("secret")
			s.Git("merge", "-q", "--no-edit", "main")
			s.Git("update-ref", "refs/heads/main", s.base)
		}, land.Rewritten},
		"the branch of it": {func(s *site) {
			s.onTarget("secret")
			s.Git("checkout", "-q", "-B", "one", "main")
			s.Git("branch", "-f", "main", s.base)
		}, land.Rewritten},
		"amended": {func(s *site) {
			s.onTarget("secret")
			s.Git("checkout", "-q", "-b", "one", "main")
			s.Commit("one", map[string]string{"1": "1\n"})
			s.Git("checkout", "-q", "main")
			s.Git("commit", "-q", "--amend", "-m", "other words")
			s.Git("checkout", "-q", "--detach")
		}, land.Landed},
		"its own merge taken back": {func(s *site) {
			s.make(work{name: "one", files: map[string]string{"1": "1\n"}})
			s.Git("checkout", "-q", "main")
			s.Git("merge", "-q", "one")
			s.Git("reset", "-q", "--hard", s.base)
			s.Git("merge", "-q", "--no-ff", "--no-edit", "one")
			s.Git("reset", "-q", "--hard", s.base)
			s.Git("checkout", "-q", "--detach")
		}, land.Landed},
		"brought back": {func(s *site) {
			s.onTarget("secret")
			s.Git("checkout", "-q", "-b", "one", "main")
			s.Commit("one", map[string]string{"1": "1\n"})
			s.Git("branch", "-f", "main", s.base)
			s.Git("branch", "-f", "main", "one~1")
		}, land.Landed},
		"left out": {func(s *site) {
			s.onTarget("secret")
			s.Git("checkout", "-q", "-b", "one", "main")
			s.Commit("one", map[string]string{"1": "1\n"})
			s.Git("branch", "-f", "main", s.base)
			s.Git("rebase", "-q", "--onto", "main", "one~1", "one")
		}, land.Landed},
		"pruned": {func(s *site) {
			s.onTarget("secret")
			s.Git("branch", "-f", "main", s.base)
			s.Git("prune", "--expire=now")
			s.Git("checkout", "-q", "-b", "one", "main")
			s.Commit("one", map[string]string{"1": "1\n"})
		}, land.Landed},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, 1, nil)
			test.make(s)
			_, got := s.land(land.Options{Branches: []string{"one"}})
			s.outcomes(got, map[string]land.Outcome{"one": test.want})
			if test.want == land.Rewritten && (got["one"].Removed == "" || s.Git("log", "--format=%s", "main", "--", "secret") != "") {
				t.Errorf("the target has the secret again: %+v", got["one"])
			}
			s.Fsck()
		})
	}
}

// onTarget makes commits of files on the target, as others do.
func (s *site) onTarget(files ...string) {
	s.Git("worktree", "add", "-q", "../there", "main")
	there := s.At("../there")
	for _, file := range files {
		there.Commit(file, map[string]string{file: "x\n"})
	}
	s.Git("worktree", "remove", "../there")
}

// TestRemovedFromRemote guards: so it is where the remote's target was rewritten, by what this clone has seen of it, however often it
// was fetched since.
func TestRemovedFromRemote(t *testing.T) {
	for name, see := range map[string]func(c *site){
		"cloned":  func(*site) {},
		"fetched": func(c *site) { c.Git("fetch", "-q") },
		"landed": func(c *site) {
			c.Git("update-ref", "-d", "refs/remotes/origin/main")
			c.make(work{name: "two", files: map[string]string{"2": "2\n"}})
			_, got := c.land(land.Options{Branches: []string{"two"}})
			c.outcomes(got, map[string]land.Outcome{"two": land.Landed})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, 1, nil)
			s.onTarget("secret")
			c := s.clones(1)[0]
			c.Git("checkout", "-q", "-b", "one", "--no-track", "origin/main")
			c.Commit("one", map[string]string{"1": "1\n"})
			see(c)
			s.At("../hub").Git("update-ref", "refs/heads/main", s.base)
			see(c)
			_, got := c.land(land.Options{Branches: []string{"one"}})
			s.outcomes(got, map[string]land.Outcome{"one": land.Rewritten})
			c.Git("checkout", "-q", "-B", "main", "--no-track", s.base)
			c.Commit("never pushed", map[string]string{"3": "3\n"})
			c.Git("checkout", "-q", "-b", "three")
			c.Git("branch", "-f", "main", s.base)
			_, got = c.land(land.Options{Branches: []string{"three"}})
			s.outcomes(got, map[string]land.Outcome{"three": land.Landed})
		})
	}
}
