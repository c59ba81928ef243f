package iteration

import (
	"context"
	"fmt"
	"strings"
	"time"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// promptName returns the name of a job's prompt: that of its stage or, in BUILD, of the step that its task does for an item.
func (j Job) promptName() prompt.Name {
	if j.Stage() == schedule.Build {
		if t, found := pipeline.TaskOf(j.State.Plan, *j.State.Next.Item); found && prompt.OfStep(t.Step) != "" {
			return prompt.OfStep(t.Step)
		}
	}
	return prompt.OfStage(j.Stage())
}

// addItems adds to the values of a prompt what the items of tasks are, and what was written for them.
func addItems(v map[string]string, j Job, b pipeline.Brief) {
	if len(b.Items) > 0 {
		text, n := fit(j, b.Items)
		if more := len(b.Items) - n; more > 0 {
			text += fmt.Sprintf("\n%d more: `git ralph item list` has them.\n", more)
		}
		v["items"] = "## What it is for\n\n" + text
	}
	var lines []string
	for _, d := range b.Documents {
		var items []string
		for _, ref := range d.Items {
			items = append(items, ref.String())
		}
		lines = append(lines, fmt.Sprintf("- %s of %s: `%s`", d.Step, strings.Join(items, ", "), strings.Join(strings.Fields(d.Path), " ")))
	}
	if len(lines) > 0 {
		v["documents"] = "## What was written for it\n\n" + strings.Join(lines, "\n") + "\n"
	}
}

// addStep adds to the values of a prompt what the task of an item's step is about.
func (p Workspace) addStep(ctx context.Context, v map[string]string, j Job) error {
	task := *j.State.Next.Item
	b := pipeline.BriefOf(j.State.Plan, task)
	if b.Step == "" {
		return nil
	}
	addItems(v, j, b)
	if b.Step == pipeline.StepReview && b.Plan.ID() != "" {
		v["rejections"] = p.rejections(ctx, j, b.Plan)
	}
	settings, err := p.Store.Repo().Config(ctx)
	if err != nil {
		return err
	}
	setting, _ := settings.Get(pipeline.ThoughtsSetting)
	directory, err := pipeline.DocumentDirectory(setting)
	v["document"] = b.DocumentPath(directory, j.Began.UTC().Truncate(24*time.Hour))
	return err
}

// recordsOf returns the records that a list points to.
func recordsOf(list []*plan.Record) []plan.Record {
	records := make([]plan.Record, len(list))
	for i, r := range list {
		records[i] = *r
	}
	return records
}
