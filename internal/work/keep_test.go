package work

import "testing"

// TestKilledBetweenCommitAndReset guards: a worker that was killed when what is uncommitted was on the branch, and not in the index yet,
// leaves a worktree that the next one makes clean. Else files of that branch get in the way of every later one.
func TestKilledBetweenCommitAndReset(t *testing.T) {
	const ref = branchPrefix + "t-one.abcd"
	r, _, p := left(t, ref)
	agent := r.At(p.st.Repo().Root())
	agent.Git("add", ".")
	agent.Git("commit", "-qm", "all")
	agent.Git("read-tree", "HEAD~1")
	kept := r.Git("rev-parse", ref)
	if err := p.leave(t.Context(), func(text string) { t.Error(text) }); err != nil {
		t.Fatal(err)
	}
	if got := agent.Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
	if got := r.Git("rev-parse", ref); got != kept {
		t.Errorf("the branch moved from %s to %s", kept, got)
	}
}
