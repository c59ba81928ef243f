package pipeline

import (
	"strings"
)

// A title is how the names of tasks of a step begin. The first one of a step is written; the others are read too.
type title struct {
	step Step
	text string
}

// titles returns the beginnings of names.
func titles() []title {
	return []title{
		{StepTriage, "Triage "},
		{StepSplit, "Split "},
		{StepResearch, "Research "},
		{StepPlan, "Plan "},
		{StepPlan, "Plan group "},
		{StepReview, "Review plan "},
		{StepReview, "Review plan for "},
		{StepImplement, "Implement "},
		{StepPR, "Create PR for "},
		{StepPR, "Create PR "},
		{StepMerge, "Merge PR for "},
		{StepMerge, "Merge PR "},
	}
}

// Name returns the name of a task: what it does, and the item, or the first one of a group, that it does it for.
func (s Step) Name(ref Ref, group bool) string {
	if s == StepPlan && group {
		return "Plan group " + ref.String()
	}
	for _, t := range titles() {
		if t.step == s {
			return t.text + ref.String()
		}
	}
	return ""
}

// ParseName returns the step and the item that a task's name says, also in the shorter forms that others write, such as "Create PR GH-42".
func ParseName(name string) (step Step, ref string, found bool) {
	for _, t := range titles() {
		if ref, found := strings.CutPrefix(name, t.text); found && ref != "" && !strings.Contains(ref, " ") {
			return t.step, ref, true
		}
	}
	return "", "", false
}
