package prompt

import (
	"maps"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/schedule"
)

// Placeholders lists the names that may be between {{ and }} in a prompt, with what replaces each.
func Placeholders(name Name) map[string]string {
	all := map[string]string{feedback: "what was wrong with the former answer; may be empty"}
	maps.Copy(all, ofStep(name))
	if len(all) == 1 {
		maps.Copy(all, map[string]string{"stage": "the stage", "spec": "the spec, as the plan names it", "spec_path": "where the spec's file is"})
		maps.Copy(all, ofStage(name))
	}
	return all
}

// ofStage lists the placeholders of a stage's prompt.
func ofStage(name Name) map[string]string {
	switch name {
	case OfStage(schedule.Plan):
		return map[string]string{"spec_text": "the spec's text", "tasks": "the tasks that there are, a line of JSON each"}
	case OfStage(schedule.Build):
		return map[string]string{"rules": rules, "id": "the task's id", "task": "the task as JSON", "rejections": rejections}
	case OfStage(schedule.Decompose):
		return map[string]string{
			"id": "the task's id", "task": "the task as JSON", "kill": "why work on it was stopped", "log": "the end of what the stopped agent printed",
		}
	case OfStage(schedule.Verify):
		return map[string]string{
			"spec_text": "the spec's text", "tasks": "the done tasks, a line of JSON each", "documents": documents,
			"items": "the items that these tasks are for; may be empty", checks: "what their checks showed; may be empty",
		}
	case OfStage(schedule.Investigate):
		return map[string]string{"issues": "the open issues, a line of JSON each", "tasks": "the tasks that there are, a line of JSON each"}
	}
	return nil
}

// What some placeholders stand for.
const (
	rules      = "which files hold the repository's own rules; may be empty"
	rejections = "why it was rejected before, a line each; may be empty"
	documents  = "what was written for the items before, a line each; may be empty"
)

// ofStep lists the placeholders of the prompt of an item's step, none for any other.
func ofStep(name Name) map[string]string {
	all := map[string]string{"id": "the task's id", "items": "the items, a line of JSON each", "documents": documents}
	switch name {
	case OfStep(pipeline.StepTriage), OfStep(pipeline.StepSplit):
		return all
	case OfStep(pipeline.StepImplement):
		all["task"] = "the task as JSON"
	case OfStep(pipeline.StepResearch), OfStep(pipeline.StepPlan), OfStep(pipeline.StepReview):
		all["document"] = "the path of the document to write"
	default:
		return nil
	}
	all["rules"], all["rejections"] = rules, rejections
	return all
}
