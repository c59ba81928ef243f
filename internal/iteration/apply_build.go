package iteration

import (
	"cmp"
	"context"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/store"
)

func (f finishedJob) applyBuild(ctx context.Context, now State, r report.Report) (applied, error) {
	b, err := r.Build()
	if err != nil {
		return applied{}, err
	}
	did := applied{files: b.Files}
	task, found := now.Plan.Task(f.ID())
	switch {
	case !found || !task.Pending(): // it changed the plan itself
		return did, f.addIssues(ctx, b.Issues)
	case !b.Blocked:
		err = f.applyDone(ctx, task, b)
		did.done = err == nil
		return did, err
	}
	reason := cmp.Or(b.Reason, "the agent gave no reason")
	if err = f.setBlocked(ctx, task.ID(), reason, b.Issues); err == nil {
		did.blocked = reason
	}
	return did, err
}

func (f finishedJob) addIssues(ctx context.Context, issues []string) error {
	if len(issues) == 0 {
		return nil
	}
	return f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddIssues(issueObjects(issues), in.Stamp)
	})
}

func issueObjects(descriptions []string) []jsonl.Object {
	objects := make([]jsonl.Object, len(descriptions))
	for i, text := range descriptions {
		objects[i] = jsonl.Build([]jsonl.Member{{Name: "desc", Value: jsonl.Quote(text)}})
	}
	return objects
}

// applyDone marks the task done, and commits what the agent left uncommitted together with the plan.
func (f finishedJob) applyDone(ctx context.Context, task plan.Record, b report.Build) error {
	files, err := f.Changes.AgentFiles(ctx, b.Files)
	if err != nil {
		return err
	}
	message := commitMessage(task.Name(), b.Summary)
	return f.commitRecorded(task.ID(), message, files, func() error {
		return f.update(ctx, store.Request{
			Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
				change, err := pipeline.Finish(p, []string{task.ID()}, pipeline.Finishing{DoneOptions: plan.DoneOptions{Head: in.Head}}, in.Stamp)
				if err != nil || len(b.Issues) == 0 {
					return change, err
				}
				added, err := p.AddIssues(issueObjects(b.Issues), in.Stamp)
				change.Join(added)
				return change, err
			},
			Files: files, Message: message,
		})
	})
}

// commitMessage makes a message of a task's name and the agent's summary. The summary cannot forge a trailer: it becomes one
// line, and what looks like one of our trailers is changed.
func commitMessage(name, summary string) string {
	subject := store.Subject(strings.Join(strings.Fields(name), " "))
	if summary == "" {
		return subject
	}
	return subject + "\n\n" + strings.ReplaceAll(strings.Join(strings.Fields(summary), " "), "Ralph-", "ralph-")
}

func shortened(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}
