package loop

import (
	"context"
	"errors"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// applyReport checks what the agent reported by a block, and applies it as one transaction. What cannot be used is told
// to the next agent; an error is one that is not the agent's.
func (it *iteration) applyReport(ctx context.Context, now state) error {
	r, err := it.reported()
	if errors.Is(err, errExample) && gotOn(stepsBetween(it.before.plan, now.plan)) {
		err = nil // it printed its prompt, and told the plan itself what it did
	}
	if err == nil && !r.empty() {
		err = it.apply(ctx, now, r)
	}
	if err == nil || !isAgents(err) {
		return err
	}
	it.feedback = feedback{it.stage(), it.feedbackID(), it.masker.Text(err.Error())}
	return nil
}

// reported returns what the agent reported. Its strings were escaped until now, so they are masked once more.
func (it *iteration) reported() (report, error) {
	r, err := findReport(it.outcome.Words, it.prompt)
	if err == nil && !r.empty() {
		r.object = it.masker.Object(r.object)
	}
	return r, err
}

func (it *iteration) feedbackID() string { return idOf(it.before.next) }

// isAgents reports whether an error came of what the agent reported, so that another answer would mend it.
func isAgents(err error) bool {
	if errors.Is(err, errReport) || errors.Is(err, git.ErrCommitRefused) || errors.Is(err, git.ErrBadPath) ||
		errors.Is(err, plan.ErrNoSubtasks) || errors.Is(err, plan.ErrNoSpec) {
		return true
	}
	_, field := errors.AsType[*plan.FieldError](err)
	_, cycle := errors.AsType[*plan.CycleError](err)
	_, unknown := errors.AsType[*plan.UnknownIDError](err)
	_, ambiguous := errors.AsType[*plan.AmbiguousIDError](err)
	_, state := errors.AsType[*plan.StateError](err)
	_, blocked := errors.AsType[*plan.BlockedError](err)
	_, needed := errors.AsType[*plan.DependantsError](err)
	return field || cycle || unknown || ambiguous || state || blocked || needed
}

func (it *iteration) apply(ctx context.Context, now state, r report) error {
	switch it.stage() {
	case schedule.Build:
		return it.applyBuild(ctx, now, r)
	case schedule.Verify:
		return it.applyVerify(ctx, r)
	case schedule.Investigate:
		return it.applyInvestigate(ctx, r)
	case schedule.Decompose:
		return it.applyDecompose(ctx, now, r)
	case schedule.Plan:
		return it.applyPlan(ctx, r)
	}
	return nil
}

// commitEdits returns the state after an iteration. What the agent did to tasks by editing the file is committed first: nothing
// may come after it that would, and what is called done and pushed must be in git.
func (it *iteration) commitEdits(ctx context.Context) (state, error) {
	after, err := it.look(ctx)
	if err != nil || it.outcome.End == agent.Interrupted || !gotOn(stepsBetween(it.before.plan, after.plan)) {
		return after, err
	}
	if open, err := it.Store.Uncommitted(ctx); err != nil || open == nil {
		return after, nil //nolint:nilerr // a plan that cannot be committed now is with the next change
	}
	err = it.update(ctx, store.Request{
		OwnEdits: true, Keep: store.KeepRemovals, Do: func(*plan.Plan, store.Inputs) (plan.Change, error) { return plan.Change{}, nil },
	})
	if err != nil {
		it.warn(it.n, "the plan is edited and not committed: %v", err)
	}
	return it.look(ctx)
}

// update runs one transaction. Nothing to do is no error. New tasks that nobody could check are refused where the run is
// strict, and listed elsewhere.
func (it *iteration) update(ctx context.Context, r store.Request) error {
	r.Clean = it.masker.Object
	var vague []string
	do := r.Do
	r.Do = func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		change, err := do(p, in)
		if vague = change.VagueTasks(); err == nil && it.Goals.Strict && len(vague) > 0 {
			err = unusable("these tasks cannot be checked by anybody, so nothing was changed:\n%s", strings.Join(vague, "\n"))
		}
		return change, err
	}
	_, err := it.Store.Update(ctx, r)
	if errors.Is(err, plan.ErrNothing) {
		return nil
	}
	if err == nil {
		for _, line := range vague {
			it.warn(it.n, "%s", line)
		}
	}
	return err
}

// applyBuild takes {"verdict": "done" | "blocked", "summary", "reason", "issues", "files"}.
func (it *iteration) applyBuild(ctx context.Context, now state, r report) error {
	task, found := now.plan.Task(it.id())
	pending := found && task.Pending()
	issues, err := r.texts("issues")
	if err != nil {
		return err
	}
	switch verdict := r.text("verdict"); {
	case verdict == "done" && pending:
		return it.applyDone(ctx, task, r, issues)
	case verdict == "blocked" && pending:
		reason := orUnsaid(r.text("reason"))
		err = it.setBlocked(ctx, task.ID(), reason, issues)
		if err == nil {
			it.blocked = reason
		}
		return err
	case verdict == "done" || verdict == "blocked": // it told the plan itself
		it.named, err = r.texts("files")
		return errors.Join(err, it.addIssues(ctx, issues))
	default:
		return unusable("\"verdict\" is %q, expected \"done\" or \"blocked\"", verdict)
	}
}

func orUnsaid(reason string) string {
	if reason == "" {
		return "the agent did not say why"
	}
	return reason
}

func (it *iteration) addIssues(ctx context.Context, issues []string) error {
	if len(issues) == 0 {
		return nil
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.AddIssues(issueObjects(issues), in.Stamp)
	}})
}

func issueObjects(descriptions []string) []jsonl.Object {
	objects := make([]jsonl.Object, len(descriptions))
	for i, text := range descriptions {
		objects[i] = jsonl.Build([]jsonl.Member{{Name: "desc", Value: jsonl.Quote(text)}})
	}
	return objects
}

// applyDone makes the task done, and commits what the agent left uncommitted together with the plan.
func (it *iteration) applyDone(ctx context.Context, task plan.Record, r report, issues []string) error {
	named, err := r.texts("files")
	if err != nil {
		return err
	}
	files, err := it.work(ctx, named)
	if err != nil {
		return err
	}
	message := commitMessage(task.Name(), r.text("summary"))
	if len(files) > 0 {
		it.Config.Run.Intend(intend(it.Store.Repo().Root(), task.ID(), message, files))
	}
	err = it.update(ctx, store.Request{
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			change, err := p.Done([]string{task.ID()}, plan.DoneOptions{Head: in.Head}, in.Stamp)
			if err != nil || len(issues) == 0 {
				return change, err
			}
			added, err := p.AddIssues(issueObjects(issues), in.Stamp)
			return joined(change, added), err
		},
		Files: files, Message: message,
	})
	if len(files) > 0 {
		it.committed(err)
	}
	it.applied = err == nil
	return err
}

// subjectWidth is how long a commit's subject is at most, in characters.
const subjectWidth = 72

// commitMessage makes a message of a task's name and what the agent says of its work. It cannot forge a trailer: what it
// says is indented where it looks like one.
func commitMessage(name, summary string) string {
	subject := strings.Join(strings.Fields(name), " ")
	if runes := []rune(subject); len(runes) > subjectWidth {
		subject = string(runes[:subjectWidth-1]) + "…"
	}
	if summary == "" {
		return subject
	}
	return subject + "\n\n" + strings.ReplaceAll(strings.Join(strings.Fields(summary), " "), "Ralph-", "ralph-")
}

func joined(changes ...plan.Change) plan.Change {
	var all plan.Change
	for _, c := range changes {
		all.Events = append(all.Events, c.Events...)
		all.Records = append(all.Records, c.Records...)
		all.Removed = append(all.Removed, c.Removed...)
	}
	return all
}
