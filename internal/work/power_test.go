package work

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestKeptWorkSurvivesPowerCut guards: wherever the power goes while a worker commits what an agent left, a branch that moved has
// all of it, the commits of the agent too; and what was reported as kept is there.
func TestKeptWorkSurvivesPowerCut(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	r, d, p := left(t, ref)
	reported := ""
	if err := p.leave(context.Background(), func(text string) { reported += text }); err != nil || reported == "" {
		t.Fatalf("%v, reported %q", err, reported)
	}
	kept := r.Git("rev-parse", ref)
	d.Reached("reported", git.StepFlushed)
	for _, m := range d.Moments {
		d.PowerCuts(m, func(how string) {
			tip, _ := r.TryGit("rev-parse", "--verify", "--quiet", ref)
			if m.Step == "reported" && tip != kept {
				t.Errorf("after the report, %s: the branch is at %q, want %s", how, tip, kept)
			}
			if tip != kept {
				return
			}
			if out, err := r.TryGit("log", "--format=", "-p", ref, "^main"); err != nil || strings.Count(out, "+of the agent") != 3 {
				t.Errorf("after %q, %s: %v\n%s", m.Step, how, err, out)
			}
		})
	}
}

// left makes a worktree in which an agent has left work: committed, staged, and neither.
func left(t *testing.T, ref string) (*gittest.Repo, *gittest.Disk, *place) {
	t.Helper()
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{store.DefaultPath: `{"t": "task", "id": "t-one", "name": "One", "s": "p"}` + "\n"})
	tree := filepath.Join(filepath.Dir(r.Dir), "tree")
	r.Git("worktree", "add", "-q", "--detach", tree)
	agent := r.At(tree)
	agent.Git("checkout", "-q", "-b", strings.TrimPrefix(ref, "refs/heads/"))
	d := gittest.NewDisk(r)
	agent.Commit("own", map[string]string{"committed": "of the agent 1\n"})
	agent.WriteFile("staged", "of the agent 2\n")
	agent.Git("add", "staged")
	agent.WriteFile("new", "of the agent 3\n")
	st, err := store.Open(t.Context(), store.Options{
		Dir: tree, Environ: r.Env, Now: time.Now, Random: func(int) int { return 7 },
		Git: git.Options{Step: func(step string) { d.Reached(step, git.StepFlushed) }},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, d, &place{name: "a", st: st}
}
