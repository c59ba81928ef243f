package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// The states of an item: plan.ItemStates, which are valid in a plan.
const (
	Backlog            = plan.StateBacklog
	ResearchNeeded     = "Research Needed"
	ResearchInProgress = "Research in Progress"
	ReadyForPlan       = "Ready for Plan"
	PlanInProgress     = "Plan in Progress"
	PlanInReview       = "Plan in Review"
	InProgress         = "In Progress"
	InReview           = "In Review"
	Done               = "Done"
	Canceled           = "Canceled"
	HumanNeeded        = plan.StateHumanNeeded
)

// Moves returns the states that an item may move to from a state. There are none from a final state, nor from one that is
// unknown. An item without a state is put in the backlog, or moves as if it were there.
func Moves(from string) []string {
	switch from {
	case "":
		return append([]string{Backlog}, Moves(Backlog)...)
	case Backlog:
		return []string{ResearchNeeded, ReadyForPlan, Done, Canceled}
	case ResearchNeeded:
		return []string{ResearchInProgress, ReadyForPlan, HumanNeeded}
	case ResearchInProgress:
		return []string{ReadyForPlan, HumanNeeded}
	case ReadyForPlan:
		return []string{PlanInProgress, HumanNeeded}
	case PlanInProgress:
		return []string{PlanInReview, HumanNeeded}
	case PlanInReview:
		return []string{InProgress, ReadyForPlan, HumanNeeded}
	case InProgress:
		return []string{InReview, HumanNeeded}
	case InReview:
		return []string{Done, InProgress, HumanNeeded}
	case HumanNeeded:
		return []string{Backlog, ResearchNeeded, ReadyForPlan, InProgress}
	}
	return nil
}

// CheckMove returns a *MoveError where an item may not move from one state to another.
func CheckMove(from, to string) error {
	if slices.Contains(Moves(from), to) {
		return nil
	}
	return &MoveError{from, to}
}

// A MoveError says that an item may not move from one state to another.
type MoveError struct{ From, To string }

func (e *MoveError) Error() string {
	moves := Moves(e.From)
	if len(moves) == 0 {
		return fmt.Sprintf("invalid state %q: an item that is %q cannot move", e.To, e.From)
	}
	if e.From == "" {
		return fmt.Sprintf("invalid state %q: want %s for an item without a state", e.To, OneOf(moves))
	}
	return fmt.Sprintf("invalid state %q: want %s for an item that is %q", e.To, OneOf(moves), e.From)
}

// OneOf lists values to choose from: a, b or c.
func OneOf(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return values[0]
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// Final reports whether items stay in a state forever.
func Final(state string) bool { return state == Done || state == Canceled }

// needsResearch reports whether the research of an item is still to be finished.
func needsResearch(state string) bool { return state == ResearchNeeded || state == ResearchInProgress }
