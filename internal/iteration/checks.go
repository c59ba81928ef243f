package iteration

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/evidence"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// runChecks runs the checks of the tasks that VERIFY is given, on HEAD's commit, as far as a person allowed them.
func (p Workspace) runChecks(ctx context.Context, j Job) ([]evidence.Result, error) {
	if p.Checks == nil || j.Stage() != schedule.Verify {
		return nil, nil
	}
	_, n := tasksToVerify(j)
	checks := evidence.ChecksOf(j.State.Next.Items[:n])
	if len(checks) == 0 {
		return nil, nil
	}
	at, err := p.Checks.Commit(ctx, j.State.Head)
	if err != nil {
		return nil, err
	}
	runner := *p.Checks
	runner.Masker = p.Masker
	runner.Began = func(c evidence.Check) { j.Watch(agent.Progress{Tool: "check: " + c.Line}) }
	return runner.Run(ctx, at, checks)
}

// checkFailed reports whether a check was run and did not pass.
func checkFailed(results []evidence.Result) bool {
	return slices.ContainsFunc(results, evidence.Result.Bad)
}

// rejectFailed rejects the tasks of which a check failed, with the end of its output as the reason.
func (f finishedJob) rejectFailed(ctx context.Context) error {
	return f.change(ctx, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var all plan.Change
		for _, r := range f.checked {
			task, found := p.Task(r.Task)
			if !r.Bad() || !found || !task.Done() {
				continue
			}
			one, err := p.Reject(r.Task, r.Reason())
			if err != nil {
				return plan.Change{}, err
			}
			all.Join(one)
		}
		return all, nil
	})
}

// logChecks writes what failed checks printed to the iteration's log: no agent has one then.
func (p Workspace) logChecks(j Job) error {
	log, err := p.Run.OpenLog(j.N)
	if err != nil {
		return err
	}
	for _, r := range j.checked {
		if r.Bad() {
			for line := range strings.Lines(r.Summary() + "\n" + r.Output) {
				log.Write([]byte(strings.TrimSuffix(line, "\n"))) //nolint:errcheck // Close reports it
			}
		}
	}
	return log.Close()
}

// checksForAgent returns the paragraph of the prompt on the checks that were run, "" where no task has one.
func checksForAgent(results []evidence.Result) string {
	if len(results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("## What their checks showed\n\nThese commands (`check`) were run on HEAD's commit, in a worktree with nothing else in it. " +
		"What passed need not be run again.\n\n")
	for _, r := range results {
		fmt.Fprintf(&b, "- %s: %s\n", r.Task, r.Summary())
	}
	return b.String()
}

// accepts reports whether a task may be accepted that an agent found good: where the user accepts only what is verified, a check
// that was not run keeps it.
func (f finishedJob) accepts(task plan.Record) bool {
	if f.Checks == nil || !f.Checks.VerifiedOnly || len(task.Checks()) == 0 || evidence.Proved(task, f.checked) {
		return true
	}
	for _, r := range f.checked {
		if r.Task == task.ID() && r.State != evidence.Passed {
			f.warn("%s stays done: %s (%s = verified)", r.Task, r.Summary(), evidence.AcceptKey)
		}
	}
	return false
}

// receipts returns those of the tasks that VERIFY was given.
func (f finishedJob) receipts(ctx context.Context) (receipts []evidence.Receipt) {
	if len(f.checked) == 0 {
		return nil
	}
	by := f.Checks.By(ctx)
	for _, task := range f.State.Next.Items {
		receipts = append(receipts, evidence.Receipts(*task, f.checked, by)...)
	}
	return receipts
}
