package pipeline

import (
	"slices"

	"git-ralph/internal/plan"
)

// A Step is what one task of the pipeline does for an item, or for the items that have one plan.
type Step string

// The steps, in their order.
const (
	StepTriage    Step = "triage"
	StepSplit     Step = "split"
	StepResearch  Step = "research"
	StepPlan      Step = "plan"
	StepReview    Step = "review"
	StepImplement Step = "implement"
	StepPR        Step = "pr"
	StepMerge     Step = "merge"
)

// Steps returns all steps in their order.
func Steps() []Step {
	return []Step{StepTriage, StepSplit, StepResearch, StepPlan, StepReview, StepImplement, StepPR, StepMerge}
}

// chainSteps are the steps that items with one plan take together, in their order.
func chainSteps() []Step { return Steps()[3:] }

// ofOneItem reports whether the step is done for each item by itself.
func (s Step) ofOneItem() bool { return s == StepTriage || s == StepSplit || s == StepResearch }

// IsCode reports whether the step is about code, and not about documents and decisions.
func (s Step) IsCode() bool { return s == StepImplement || s == StepPR || s == StepMerge }

// place returns where a step is in the order of steps, -1 for none.
func (s Step) place() int { return slices.Index(Steps(), s) }

// Role returns the role of the workers that do a step.
func (s Step) Role() string {
	switch s {
	case StepTriage, StepSplit, StepResearch:
		return "analyst"
	case StepReview:
		return "validator"
	case StepPR, StepMerge:
		return "integrator"
	}
	return "builder"
}

// Lock returns the state that readers show of an item while a task of the step is claimed, "" where they show the item's own.
func (s Step) Lock() string {
	switch s {
	case StepResearch:
		return ResearchInProgress
	case StepPlan:
		return PlanInProgress
	case StepImplement:
		return InProgress
	}
	return ""
}

// begins returns the states that an item has while a step is the next one for it.
func (s Step) begins() []string {
	switch s {
	case StepTriage:
		return []string{"", Backlog}
	case StepSplit:
		return []string{"", Backlog, ResearchNeeded, ResearchInProgress, ReadyForPlan}
	case StepResearch:
		return []string{ResearchNeeded, ResearchInProgress}
	case StepPlan:
		return []string{ReadyForPlan, PlanInProgress}
	case StepReview:
		return []string{PlanInReview}
	case StepImplement, StepPR:
		return []string{InProgress}
	case StepMerge:
		return []string{InReview, InProgress} // what is merged is done, also where a merge of plans left the state behind
	}
	return nil
}

// takesOn reports whether finishing a step takes an item out of a state. Triage and splits decide by more than that.
func (s Step) takesOn(state string) bool {
	return s != StepTriage && s != StepSplit && s.ends() != state && slices.Contains(s.begins(), state)
}

// ends returns the state that finishing a step gives to an item: the one that it keeps where the step decides nothing about it.
// Triage and reviews have a verdict instead.
func (s Step) ends() string {
	switch s {
	case StepSplit:
		return Backlog
	case StepResearch:
		return ReadyForPlan
	case StepPlan:
		return PlanInReview
	case StepReview, StepImplement:
		return InProgress
	case StepPR:
		return InReview
	case StepMerge:
		return Done
	}
	return ""
}

// firstStep returns the next step for an item, "" where nothing is left to do, or where it is not known. While a person is needed, it is
// the step of the state before. An item that is too large is split, unless it came back from a
// later step, where it was large already.
func (s *Items) firstStep(it *Item) Step {
	state := it.State
	if state == HumanNeeded {
		if state = it.Escalated; state == "" {
			return ""
		}
	}
	isBack := it.planned || it.Round > 1 && !slices.Contains(StepTriage.begins(), state)
	if it.large() && !isBack && !s.Epic(it.ID) && slices.Contains(StepSplit.begins(), state) {
		return StepSplit
	}
	for _, step := range Steps() {
		if step != StepSplit && slices.Contains(step.begins(), state) {
			return step
		}
	}
	return ""
}

// isLaterStep reports whether from is a later step than to, or none is left: an item that moves so goes back.
func isLaterStep(from, to Step, fromState string) bool {
	if from == "" {
		return plan.ItemStateRank(fromState) > 0 && to != ""
	}
	return to != "" && from.place() > to.place()
}
