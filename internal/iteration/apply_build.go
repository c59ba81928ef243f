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
	task, found := now.Plan.Task(f.ID())
	if !found {
		task, _ = f.State.Plan.Task(f.ID())
	}
	w, err := readWork(f.State.Plan, task, r)
	if err != nil {
		return applied{}, err
	}
	b := w.Build
	did := applied{files: b.Files}
	switch {
	case !found || !task.Pending() || pipeline.IsReported(now.Plan, task): // it changed the plan itself
		return did, f.addIssues(ctx, task, b.Issues)
	case !b.Blocked:
		err = f.applyDone(ctx, task, w)
		did.done = err == nil
		return did, err
	}
	reason := cmp.Or(b.Reason, "the agent gave no reason")
	if err = f.setBlocked(ctx, task.ID(), reason, b.Issues); err == nil {
		did.blocked = reason
	}
	return did, err
}

func (f finishedJob) addIssues(ctx context.Context, task plan.Record, issues []string) error {
	if len(issues) == 0 {
		return nil
	}
	return f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddIssues(issueObjects(task, issues), in.Stamp)
	})
}

// issueObjects makes issues that came up in the work on a task.
func issueObjects(task plan.Record, descriptions []string) []jsonl.Object {
	objects := make([]jsonl.Object, len(descriptions))
	for i, text := range descriptions {
		objects[i] = jsonl.Build(append(task.ItemLink(), jsonl.Member{Name: "desc", Value: jsonl.Quote(text)}))
	}
	return objects
}

// applyDone marks the task done, and commits what the agent left uncommitted together with the plan.
func (f finishedJob) applyDone(ctx context.Context, task plan.Record, w work) error {
	if err := f.checkWork(task, w); err != nil {
		return err
	}
	rules, err := f.itemRules(ctx)
	if err != nil {
		return err
	}
	files, err := f.Changes.AgentFiles(ctx, w.Files)
	if err != nil {
		return err
	}
	message := commitMessage(task.Name(), w.Summary)
	return f.commitRecorded(recordedCommit{task.ID(), message, files, w.report, rules.Gate}, func() error {
		return f.update(ctx, store.Request{
			Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
				change, err := w.finish(p, task.ID(), rules, in)
				if err != nil || len(w.Issues) == 0 {
					return change, err
				}
				added, err := p.AddIssues(issueObjects(task, w.Issues), in.Stamp)
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
