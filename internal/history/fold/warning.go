package fold

import (
	"errors"
	"fmt"

	"git-ralph/internal/git"
)

// warn adds what could not be reported.
func (f *builder) warn() error {
	invalid, missing, unread := 0, map[git.Hash]bool{}, 0
	for at := range f.commits {
		if id, err := f.commits[at].PlanID(); err != nil {
			missing[id] = true
		}
	}
	for _, at := range f.nonempty {
		e := f.Entries[at]
		switch {
		case errors.Is(e.Err, git.ErrMissing):
			missing[f.commits[at].Plan] = true
		case e.Err != nil:
			invalid++
		}
		if len(e.Events) > 0 && e.Message == nil {
			unread++
		}
	}
	f.result.Complete = len(f.Graph.Missing)+len(f.Boundary)+len(missing)+unread+len(f.Input.Warnings) == 0
	f.result.Warnings = append(f.result.Warnings, f.Input.Warnings...)
	defect, err := f.headDefect()
	if defect != "" {
		f.result.Warnings = append(f.result.Warnings, "HEAD's plan cannot be read: "+defect+"; the status of tasks is not reported")
	}
	f.warnOf(len(f.Graph.Missing), "1 commit is missing; what came before it is not reported", "%d commits are missing; what came before them is not reported")
	f.warnOf(len(f.Boundary), "the history is cut at 1 commit (a shallow clone); what came before it is not reported",
		"the history is cut at %d commits (a shallow clone); what came before them is not reported")
	f.warnOf(len(missing), "1 version of the plan is missing and was passed over", "%d versions of the plan are missing and were passed over")
	f.warnOf(invalid, "1 commit holds a plan that cannot be read; it was passed over", "%d commits hold a plan that cannot be read; they were passed over")
	f.warnOf(unread, "1 commit could not be read", "%d commits could not be read")
	return err
}

func (f *builder) warnOf(n int, one, many string) {
	if n > 0 {
		f.result.Warnings = append(f.result.Warnings, CountText(n, one, many))
	}
}

// CountText returns one where n is 1, else the format many with the number n.
func CountText(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}
