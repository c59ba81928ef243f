package landed

import (
	"os"
	"strconv"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/landings"
)

// maxUnknown is how many of a hundred verdicts may be that nothing is known.
const maxUnknown = 12

// No task is said to have landed that has not, and none not to have that has; where that cannot be found out, the verdict is
// unknown. LANDED_HISTORIES=1000 draws more histories.
func TestHistories(t *testing.T) {
	histories := 200
	if n, err := strconv.Atoi(os.Getenv("LANDED_HISTORIES")); err == nil {
		histories = n
	}
	seed := uint64(histories)
	if n, err := strconv.Atoi(os.Getenv("LANDED_SEED")); err == nil {
		seed = uint64(n)
	}
	r := gittest.NewRepo(t)
	tasks := landings.Draw(r, histories, seed)
	truths := landings.Read(r, tasks)
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[landings.Kind]map[Verdict]int{}
	unknown := 0
	var j *Judge
	for i, task := range tasks {
		if i == 0 || tasks[i-1].Target != task.Target {
			if j != nil {
				j.Close()
			}
			j = Open(t.Context(), repo, landings.PlanPath, task.Target)
		}
		got := j.Of(Task{ID: task.ID, Attempt: plan.Attempt{ID: task.Attempt}, Commits: append([]string{task.Done}, task.Copies...)})
		if got == Yes && truths[i] == landings.None || got == No && truths[i] != landings.None {
			t.Errorf("%s of %s, %s: %s, and the target has %s of it", task.ID, task.Target, task.Kind, got, truths[i])
		}
		if got == Unknown {
			unknown++
		}
		if counts[task.Kind] == nil {
			counts[task.Kind] = map[Verdict]int{}
		}
		counts[task.Kind][got]++
	}
	j.Close()
	for kind, n := range counts {
		t.Logf("%s: %d yes, %d no, %d unknown", kind, n[Yes], n[No], n[Unknown])
	}
	if t.Logf("%d of %d unknown", unknown, len(tasks)); unknown*100 > len(tasks)*maxUnknown {
		t.Errorf("%d of %d are unknown", unknown, len(tasks))
	}
}
