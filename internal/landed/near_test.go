package landed

import (
	"slices"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/landings"
)

// Verdicts that are found without git are those that git's commands give.
func TestVerdictsWithoutGit(t *testing.T) {
	r := gittest.NewRepo(t)
	tasks := landings.Draw(r, 60, 7)
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		j := Open(t.Context(), repo, landings.PlanPath, task.Target)
		judged := Task{ID: task.ID, Attempt: plan.Attempt{ID: task.Attempt}, Commits: append([]string{task.Done}, task.Copies...)}
		got, err := j.searchNear(judged)
		if must := []landings.Kind{landings.Merged, landings.Squashed, landings.Rebased, landings.MergedEdited}; err != nil && slices.Contains(must, task.Kind) {
			t.Errorf("%s of %s, %s: %v", task.ID, task.Target, task.Kind, err)
		}
		j.closeNear()
		j.trailers = nil
		if want := j.Of(judged); err == nil && got != want {
			t.Errorf("%s of %s, %s: %s, with git %s", task.ID, task.Target, task.Kind, got, want)
		}
		j.Close()
	}
}
