package githook

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// committed closes what the new commit's message names, and commits what a
// merge or the like put off. What fails is told: the commit stands.
func (r run) committed(ctx context.Context) error {
	if r.repo.Unfinished() != "" || r.isCopy() {
		return nil
	}
	answer := r.closeSetting(true)
	if answer != "off" {
		r.closeWords(true)
	}
	head, err := r.repo.HeadCommit(ctx)
	if err != nil {
		return r.unsure("nothing was closed", err)
	}
	named := r.closingOf(head.Message)
	if answer == "off" {
		named = closing{}
	}
	if named.empty() && !r.Store.HasPutOff() {
		return nil
	}
	return r.close(ctx, named, head, answer == "fold")
}

// isCopy tells whether the commit is one that was made before: its message
// closes nothing again.
func (r run) isCopy() bool {
	move := r.repo.LastMove()
	for _, copied := range [...]string{"cherry-pick", "commit (cherry-pick)", "revert", "rebase", "am"} {
		if strings.HasPrefix(move, copied+":") || strings.HasPrefix(move, copied+" (") {
			return true
		}
	}
	return false
}

// close runs the transaction.
func (r run) close(ctx context.Context, named closing, head git.HeadCommit, fold bool) error {
	var failures []error
	request := store.Request{PutOff: true, Do: func(p *plan.Plan, in store.Inputs) (change plan.Change, err error) {
		change, failures = named.apply(p, in)
		return change, nil
	}}
	amended := strings.HasPrefix(r.repo.LastMove(), "commit (amend)") // it may name what was closed when it was made
	if fold && !(amended && r.repo.CopiesNotes(r.config)) {
		request.Into = head.ID
	}
	result, err := r.Store.Update(ctx, request)
	if err != nil {
		return r.unsure("nothing was closed", err)
	}
	for _, f := range failures {
		if !amended && !isDone(f) {
			r.Tell("warning", f.Error())
			r.Tell("hint", hintFor(f))
		}
	}
	r.told(result)
	return nil
}

// told says what was done.
func (r run) told(result store.Result) {
	for _, e := range result.Change.Events {
		verb := "done"
		if e.Name == plan.EventIssueDone {
			verb = "closed"
		}
		r.Tell("note", strings.TrimSpace(fmt.Sprintf("%s %s %s", verb, e.ID, oneLine(e.Title))))
	}
	id := result.Commit[:min(9, len(result.Commit))]
	switch {
	case result.Folded:
		r.Tell("note", "the commit is "+id+" now, code and plan together")
	case result.Committed:
		r.Tell("note", "the plan was committed as "+id)
	case !result.Change.Empty():
		r.Tell("note", "the plan was not committed: "+result.Reason)
	}
}
