package githook

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// postCommit closes what the new commit's message names, and commits changes that
// were deferred during a merge or the like. A failure is only reported: the commit exists.
func (r run) postCommit(ctx context.Context) error {
	if r.repo.Operations().Unfinished() != "" || r.isCopiedCommit() {
		return nil
	}
	answer := r.closeSetting(true)
	if answer != "off" {
		r.closeWords(true)
	}
	head, err := r.repo.HeadCommit(ctx)
	if err != nil {
		return r.warnUnchecked("nothing was closed", err)
	}
	named := r.closingOf(head.Message)
	if answer == "off" {
		named = closing{}
	}
	if named.empty() && !r.Store.HasDeferred() {
		return nil
	}
	return r.closeInPlan(ctx, named, head, answer == "fold")
}

// isCopiedCommit reports whether the commit is a copy of an earlier one, as after a
// cherry-pick. Its message closes nothing again.
func (r run) isCopiedCommit() bool {
	move := r.repo.LastHeadMove()
	for _, copied := range [...]string{"cherry-pick", "commit (cherry-pick)", "revert", "rebase", "am"} {
		if strings.HasPrefix(move, copied+":") || strings.HasPrefix(move, copied+" (") {
			return true
		}
	}
	return false
}

// closeInPlan closes what is named, in one transaction.
func (r run) closeInPlan(ctx context.Context, named closing, head git.HeadCommit, fold bool) error {
	var rules pipeline.Finishing
	if len(named.tasks) > 0 {
		var err error
		if rules, err = r.Items(ctx); err != nil {
			return r.warnUnchecked("nothing was closed", err)
		}
	}
	var failures []error
	request := store.Request{CommitDeferred: true, Do: func(p *plan.Plan, in store.Inputs) (change plan.Change, err error) {
		change, failures = named.apply(p, in, rules)
		return change, nil
	}}
	amended := strings.HasPrefix(r.repo.LastHeadMove(), "commit (amend)") // it may name what was closed when it was made
	if fold && !(amended && r.repo.CopiesNotes(r.config)) {
		request.AmendCommit = head.ID
	}
	result, err := r.Store.Update(ctx, request)
	if err != nil {
		return r.warnUnchecked("nothing was closed", err)
	}
	for _, f := range failures {
		if !amended && !isDone(f) {
			r.Report("warning", f.Error())
			r.Report("hint", hintFor(f))
		}
	}
	r.reportClosed(result)
	return nil
}

// reportClosed reports what was closed, and what else the plan took over from workplans with it.
func (r run) reportClosed(result store.Result) {
	for _, e := range result.Change.Events {
		verb := string(e.Name)
		if e.Name == plan.EventIssueDone {
			verb = "closed"
		}
		r.Report("note", strings.TrimSpace(fmt.Sprintf("%s %s %s", verb, e.ID, oneLine(e.Title))))
	}
	id := result.Commit[:min(9, len(result.Commit))]
	switch {
	case result.Amended:
		r.Report("note", "the commit is "+id+" now, code and plan together")
	case result.Committed:
		r.Report("note", "the plan was committed as "+id)
	case !result.Change.Empty():
		r.Report("note", "the plan was not committed: "+result.Reason)
	}
}
