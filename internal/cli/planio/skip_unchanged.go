package planio

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// SkipUnchanged calls change with ids. A record that has one of the wanted statuses already, in the plan
// or, after it left the plan, in the history, is reported and left out; the others are changed. An error about
// any other record changes nothing.
func SkipUnchanged(ctx context.Context, e *term.Env, ids []string, wanted []fold.Status, change func(ids []string) error) error {
	var already []string
	for {
		err := change(ids)
		id, status := statusOf(ctx, e, err)
		if !slices.Contains(wanted, status) {
			if err == nil {
				e.Warn(strings.Join(already, "\n"))
			}
			return err
		}
		already = append(already, fmt.Sprintf("%s is %s already", id, status))
		named := func(part string) bool { return strings.HasPrefix(id, part) }
		if !slices.ContainsFunc(ids, named) { // the command chose it
			return err
		}
		if ids = slices.DeleteFunc(slices.Clone(ids), named); len(ids) == 0 {
			return &cmdline.NothingError{Text: strings.Join(already, "\n")}
		}
	}
}

// statusOf returns the id of the record that an error is about, and its status: a
// StateError has it, and where the plan lacks the record, the history may have it.
func statusOf(ctx context.Context, e *term.Env, err error) (id string, status fold.Status) {
	if state, ok := errors.AsType[*plan.StateError](err); ok {
		return state.ID, fold.Status(state.Is)
	}
	unknown, ok := errors.AsType[*plan.UnknownIDError](err)
	if !ok {
		return "", ""
	}
	_, h, err := ReadHistory(ctx, e, false)
	if err != nil {
		return "", ""
	}
	life, err := LifeOf(h, unknown.ID)
	if err != nil || life.Kind != unknown.Kind {
		return "", ""
	}
	return life.ID, life.Status
}
