package work

import (
	"strings"
	"testing"
	"time"

	"git-ralph/internal/loop"
	"git-ralph/internal/test/gittest"
)

// TestAgentsOwnBranchIsRecovered guards: what an agent committed on a branch of its own, or on none, before its worker was killed is on
// the branch of the task afterwards, with what it left uncommitted; commits of others that it only checked out are not.
func TestAgentsOwnBranchIsRecovered(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	for _, c := range []struct {
		name   string
		leave  func(agent *gittest.Repo)
		joined bool
	}{
		{"own branch", func(agent *gittest.Repo) { agent.Git("checkout", "-q", "-b", "own") }, true},
		{"own branch of another", func(agent *gittest.Repo) {
			agent.Git("checkout", "-q", "-b", "own")
			agent.Git("switch", "-q", "-c", "other")
		}, true},
		{"no branch", func(agent *gittest.Repo) { agent.Git("checkout", "-q", "--detach") }, true},
		{"branch of the user", func(agent *gittest.Repo) {
			agent.Git("branch", "-q", "users", agent.Git("commit-tree", "-p", ref, "-m", "secret", ref+"^{tree}"))
			agent.Git("checkout", "-q", "users")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, p := left(t, ref)
			agent := r.At(p.st.Repo().Root())
			was := r.Git("rev-parse", ref)
			c.leave(agent)
			agent.Commit("elsewhere", map[string]string{"elsewhere": "of the agent 4\n"})
			elsewhere := agent.Git("rev-parse", "HEAD")
			agent.WriteFile("last", "of the agent 5\n")
			reported := ""
			err := p.recover(t.Context(), time.Now(), loop.Settings{}, r.Git("rev-parse", "main"), func(text string) { reported += text + "\n" })
			if err != nil {
				t.Fatal(err)
			}
			if !c.joined {
				if got := r.Git("rev-parse", ref); got != was {
					t.Errorf("the branch of the task moved to %s\n%s", got, reported)
				}
				return
			}
			if !strings.Contains(reported, "the commits that the agent made on ") {
				t.Errorf("reported %q", reported)
			}
			for name, want := range map[string]string{"elsewhere": "of the agent 4", "last": "of the agent 5", "staged": "of the agent 2"} {
				if content, err := r.TryGit("show", ref+":"+name); err != nil || strings.TrimSpace(content) != want {
					t.Errorf("%s: %v, %q, want %q", name, err, content, want)
				}
			}
			if out, err := r.TryGit("merge-base", "--is-ancestor", elsewhere, ref); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
