package hub

import (
	"context"
	"errors"
	"strings"

	"git-ralph/internal/workplan"
)

// minBulk is how many tasks are sent in one call instead of one by one.
const minBulk = 4

// noForm marks an operation that a hub does not take in any form.
const noForm = -1

// doneTasks returns the tasks at the head of the queue that are done: sending these can take nothing back.
func doneTasks(queue []Entry) []Entry {
	for i, e := range queue {
		if e.Kind != Task || e.Status != workplan.Done {
			return queue[:i]
		}
	}
	return queue
}

// sendMany sends tasks in one call, and reports whether the hub took any of them: those that its reply names, where it
// reports no error. Others are sent one by one.
func (c *Client) sendMany(ctx context.Context, s State, tasks []Entry, r *Result) bool {
	if s.Forms[string(setTasks)] == noForm || len(r.Refused) > 0 {
		return false
	}
	reply, err := c.do(ctx, setTasks, func(v Vocabulary) values {
		var list values
		for _, e := range tasks {
			list.Tasks = append(list.Tasks, taskValue{e.ID, e.Kind.word(e.Status, v)})
		}
		return list
	})
	var took []Entry
	if err == nil && !says(reply.Body, `"error`, `"failed"`, `"missing"`, `"not_found"`, `"skipped"`) {
		for _, e := range tasks {
			if strings.Contains(reply.Body, `"`+e.ID+`"`) {
				took = append(took, e)
			}
		}
	}
	failed := c.Store.Change(func(s *State) {
		for _, e := range took {
			s.Known[e.Key()] = e.Status
			s.remove(e)
		}
		if len(took) < len(tasks) && isSettled(err) {
			s.Forms[string(setTasks)] = noForm
		}
	})
	r.Sent = append(r.Sent, took...)
	return failed == nil && len(took) > 0
}

// isSettled reports whether a call was answered for good: no failure that passes.
func isSettled(err error) bool {
	f, isReply := errors.AsType[*failure](err)
	return err == nil || errors.Is(err, errNoForm) || isReply && f.refused
}
