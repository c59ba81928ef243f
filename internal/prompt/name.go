package prompt

import (
	"strings"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/schedule"
)

// A Name is what a prompt is called: the stage that it is for, or the step that tasks of items do in BUILD.
type Name string

// itemPlan is the name for pipeline.StepPlan: that of the stage PLAN is "plan".
const itemPlan Name = "item_plan"

// Stages lists the stages that have a prompt, in the order in which a plan commonly passes through them.
func Stages() []schedule.Stage {
	return []schedule.Stage{schedule.Plan, schedule.Build, schedule.Decompose, schedule.Verify, schedule.Investigate}
}

// Names lists all prompts: those of the stages, then those of the steps of items that agents do.
func Names() []Name {
	var names []Name
	for _, stage := range Stages() {
		names = append(names, OfStage(stage))
	}
	for _, step := range pipeline.Steps() {
		if name := OfStep(step); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// OfStage returns the name of a stage's prompt.
func OfStage(stage schedule.Stage) Name { return Name(strings.ToLower(string(stage))) }

// OfStep returns the name of a step's prompt, "" where no agent does the step.
func OfStep(step pipeline.Step) Name {
	switch step {
	case pipeline.StepPR, pipeline.StepMerge:
		return ""
	case pipeline.StepPlan:
		return itemPlan
	}
	return Name(step)
}
