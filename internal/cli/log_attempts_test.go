package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// An attempt that one branch accepted and another one rejected is one attempt, with both endings (docs/history.md, "Status").
func TestOneAttemptThatTwoBranchesJudged(t *testing.T) {
	hands(t, func(t *testing.T, byHand bool) {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow, pendingRow)
		if byHand {
			setPlan(r, specRow, attemptOne)
		} else {
			must(t, r, []string{"task", "done", "t-1"})
		}
		for branch, judge := range map[string]func(){
			"b1": func() {
				if byHand {
					setPlan(r, specRow)
				} else {
					must(t, r, []string{"task", "accept", "t-1"})
				}
			},
			"b2": func() {
				if byHand {
					setPlan(r, specRow, redo, stoneOne)
				} else {
					must(t, r, []string{"task", "reject", "t-1", "wrong"})
				}
			},
		} {
			r.Git("checkout", "-q", "-b", branch, "main")
			judge()
		}
		for _, head := range []string{"main", "b1", "b2"} {
			r.Git("checkout", "-q", head)
			out, messages, _ := logIn(t, r, "show", "t-1", "--json")
			var task struct{ Attempts []map[string]any }
			if err := json.Unmarshal([]byte(out), &task); err != nil {
				t.Fatal(err, messages)
			}
			if len(task.Attempts) != 1 || task.Attempts[0]["done"] == nil || task.Attempts[0]["accepted"] == nil || task.Attempts[0]["rejected"] == nil {
				t.Errorf("on %s: %v", head, task.Attempts)
			}
			out, _, _ = logIn(t, r, "show", "t-1", "--text")
			if attempts := slices.Collect(strings.Lines(out)); !slices.ContainsFunc(attempts, func(l string) bool { return strings.Join(strings.Fields(l), " ") == "attempts 1" }) {
				t.Errorf("on %s:\n%s", head, out)
			}
		}
	})
}
