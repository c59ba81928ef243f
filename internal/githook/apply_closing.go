package githook

import (
	"cmp"
	"errors"
	"strings"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// apply closes as many tasks and issues of a plan as possible, tasks of items by rules, and returns an error for each of the others. A task may
// depend on others that are closed with it.
func (c closing) apply(p *plan.Plan, in store.Inputs, rules pipeline.Finishing) (all plan.Change, failures []error) {
	rules.DoneOptions = plan.DoneOptions{Head: in.Head}
	for _, id := range c.issues {
		change, err := closeIssue(p, id)
		if err != nil {
			failures = append(failures, err)
		}
		all.Join(change)
	}
	waiting := c.tasks
	for progress := true; progress && len(waiting) > 0; {
		var blocked []string
		for _, id := range waiting {
			change, err := closeTask(p, id, rules, in.Stamp)
			if _, waits := errors.AsType[*plan.BlockedError](err); waits {
				blocked = append(blocked, id)
			} else if err != nil {
				failures = append(failures, err)
			}
			all.Join(change)
		}
		progress, waiting = len(blocked) < len(waiting), blocked
	}
	for _, id := range waiting {
		_, err := closeTask(p, id, rules, in.Stamp)
		failures = append(failures, err)
	}
	return all, failures
}

func closeIssue(p *plan.Plan, id string) (plan.Change, error) {
	id, err := p.ResolveID(plan.KindIssue, id)
	if err != nil {
		return plan.Change{}, err
	}
	return p.CloseIssues([]string{id})
}

func closeTask(p *plan.Plan, id string, rules pipeline.Finishing, stamp plan.Stamp) (plan.Change, error) {
	id, err := p.ResolveID(plan.KindTask, id)
	if err != nil {
		return plan.Change{}, err
	}
	return pipeline.Finish(p, []string{id}, rules, stamp)
}

// idOf returns the id that a failure is about, as it is written in the message.
func idOf(err error) string {
	if e, ok := errors.AsType[*plan.StateError](err); ok {
		return e.ID
	}
	if e, ok := errors.AsType[*plan.UnknownIDError](err); ok {
		return e.ID
	}
	if e, ok := errors.AsType[*plan.BlockedError](err); ok {
		return e.ID
	}
	if e, ok := errors.AsType[*plan.AmbiguousIDError](err); ok {
		return e.Prefix
	}
	return ""
}

// isDone reports whether a failure is that of a task which is done already.
func isDone(err error) bool {
	e, ok := errors.AsType[*plan.StateError](err)
	return ok && e.Is == "done"
}

// hintFor returns what the user can do about a task or issue that cannot be closed.
func hintFor(err error) string {
	id := cmp.Or(idOf(err), "ID")
	switch err.(type) { //nolint:errorlint // these are returned as they are
	case *plan.BlockedError:
		return "`git ralph task done " + id + " --force` closes a task that waits for others"
	case *plan.StateError:
		return "`git ralph task show " + id + "` shows its status"
	case *plan.UnknownIDError:
		if strings.HasPrefix(id, "i-") {
			return "`git ralph issue list` shows the issues there are"
		}
		return "`git ralph task list` shows the tasks there are"
	}
	return ""
}
