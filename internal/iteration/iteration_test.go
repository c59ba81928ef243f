package iteration

import (
	"context"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/changes"
	"git-ralph/internal/journal"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestInAnotherWorktree guards: an iteration works in any worktree, with the journal of another one, and leaves the
// user's worktree as it was.
func TestInAnotherWorktree(t *testing.T) {
	ctx := context.Background()
	main := gittest.NewRepo(t)
	main.Commit("begin", map[string]string{
		"code": "old\n", "ralph/plan.jsonl": `{"t": "spec", "spec": "s.md"}` + "\n" + `{"t": "task", "id": "t-a", "spec": "s.md", "name": "a", "s": "p"}` + "\n",
	})
	main.Git("worktree", "add", "-q", "../other")
	other := main.At(main.Path("../other"))
	now := func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	st, err := store.Open(ctx, store.Options{Dir: other.Dir, Environ: other.Env, Now: now, Random: func(int) int { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	j := journal.Of(main.Path(".git"))
	run, err := j.Begin("20260101T000000.000-0001", "test", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	before, err := changes.Before(ctx, changes.Worktree{Repo: st.Repo(), Plan: st.PlanPath()}, run.ChangesBefore())
	if err != nil {
		t.Fatal(err)
	}
	state, err := Read(ctx, st)
	if err != nil {
		t.Fatal(err)
	}
	const script = `echo new >code; echo '[RALPH_OUTPUT]{"verdict": "done", "summary": "made new"}[/RALPH_OUTPUT]'`
	place := Workspace{Store: st, Journal: j, Run: run, Changes: before, Masker: mask.NewFull()}
	o, err := place.Do(ctx, Job{
		N: 1, State: state, Began: now(), Environ: other.Env, Watch: func(agent.Progress) {},
		Agent: agent.Profile{Name: "test", Command: []string{"sh", "-c", script}, Format: agent.Plain},
	})
	if err != nil || o.Result != Progress || o.Commits != 1 || count(o.Steps, plan.EventDone) != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	if files := other.Git("show", "--format=", "--name-only", "HEAD"); !strings.Contains(files, "code\n") || !strings.Contains(files, "plan.jsonl") {
		t.Errorf("the commit holds %q", files)
	}
	if status := main.Git("status", "--porcelain"); status != "" || main.ReadFile("code") != "old\n" {
		t.Errorf("the main worktree is changed: %q", status)
	}
}
