package pipeline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/plan"
)

// The moves that are allowed, as the documents list them; every other one is refused.
const allowedMoves = `
Backlog → Research Needed, Ready for Plan, Done, Canceled
Research Needed → Research in Progress, Ready for Plan, Human Needed
Research in Progress → Ready for Plan, Human Needed
Ready for Plan → Plan in Progress, Human Needed
Plan in Progress → Plan in Review, Human Needed
Plan in Review → In Progress, Ready for Plan, Human Needed
In Progress → In Review, Human Needed
In Review → Done, In Progress, Human Needed
Human Needed → Backlog, Research Needed, Ready for Plan, In Progress
Done →
Canceled →
`

func TestEveryMoveIsAllowedOrRefused(t *testing.T) {
	var seen []string
	for line := range strings.SplitSeq(strings.TrimSpace(allowedMoves), "\n") {
		from, list, _ := strings.Cut(line, " →")
		allowed := strings.Split(strings.TrimSpace(list), ", ")
		seen = append(seen, from)
		for _, to := range plan.ItemStates() {
			if got, want := CheckMove(from, to) == nil, slices.Contains(allowed, to); got != want {
				t.Errorf("from %s to %s: allowed %v, want %v", from, to, got, want)
			}
		}
	}
	if slices.Sort(seen); !slices.Equal(seen, slices.Sorted(slices.Values(plan.ItemStates()))) {
		t.Errorf("states %q, want those with moves: %q", plan.ItemStates(), seen)
	}
}

func TestARefusedMoveNamesTheAllowedOnes(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"In Review", "Backlog", `invalid state "Backlog": want Done, In Progress or Human Needed for an item that is "In Review"`},
		{"In Review", "in review", `invalid state "in review": want Done, In Progress or Human Needed for an item that is "In Review"`},
		{"Done", "Backlog", `invalid state "Backlog": an item that is "Done" cannot move`},
		{"Waiting", "Done", `invalid state "Done": an item that is "Waiting" cannot move`},
		{"", "In Review", `invalid state "In Review": want Backlog, Research Needed, Ready for Plan, Done or Canceled for an item without a state`},
	} {
		err := CheckMove(c.from, c.to)
		var refused *MoveError
		if !errors.As(err, &refused) || err.Error() != c.want {
			t.Errorf("from %q to %q: %v, want %s", c.from, c.to, err, c.want)
		}
	}
}

func TestAnItemWithoutAStateMovesAsFromTheBacklog(t *testing.T) {
	if want := append([]string{Backlog}, Moves(Backlog)...); !slices.Equal(Moves(""), want) {
		t.Errorf("moves %q, want %q", Moves(""), want)
	}
}

func TestLockAndFinalStates(t *testing.T) {
	var lock []string
	for _, step := range Steps() {
		lock = append(lock, step.locks()...)
	}
	if want := []string{"Research in Progress", "Plan in Progress", "In Progress"}; !slices.Equal(lock, want) {
		t.Errorf("lock states %q, want %q", lock, want)
	}
	final := slices.DeleteFunc(plan.ItemStates(), func(s string) bool { return !Final(s) })
	if want := []string{"Done", "Canceled"}; !slices.Equal(final, want) {
		t.Errorf("final states %q, want %q", final, want)
	}
}
