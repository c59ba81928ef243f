package viewcmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// read reads a plan with its claims: the worktree's, or that of a commit; with its history where that is needed. Where ralph.target is set, it finds
// out what of the worktree's has landed. It warns of what cannot be read.
func read(ctx context.Context, env *term.Env, rev string, withHistory bool) (*view.Data, error) {
	w := viewio.In(env, "")
	var d *view.Data
	var err error
	if rev == "" {
		d, err = w.Read(ctx)
	} else {
		d, err = w.ReadAt(ctx, rev, nil)
	}
	judges := false
	if err == nil && rev == "" && len(d.Schedule.Done()) > 0 {
		st, openErr := planio.Open(ctx, env)
		judges = openErr == nil && planio.TargetSet(ctx, st)
	}
	if err == nil && (withHistory || judges) {
		d, err = w.WithHistory(ctx, d)
	}
	if err == nil && judges {
		d, err = w.WithLanded(ctx, d)
	}
	return reported(env)(d, err)
}

// reported prints the messages about what was read.
func reported(env *term.Env) func(*view.Data, error) (*view.Data, error) {
	return func(d *view.Data, err error) (*view.Data, error) {
		if d != nil {
			for _, m := range d.Messages {
				env.Say(m.Sort, m.Text)
			}
		}
		return d, err
	}
}

// idIn returns the id of a task, issue or item of the plan, or of a task that the history has, for an id that may be shortened, or the
// number of an item.
func idIn(d *view.Data, short string) (string, error) {
	var found []string
	number := plan.ParseItemNumber(short)
	records := d.Plan.Records()
	for i := range records {
		r := &records[i]
		switch r.Kind() {
		case plan.KindTask, plan.KindIssue, plan.KindItem:
		default:
			continue
		}
		if r.ID() == short || number > 0 && r.Kind() == plan.KindItem && r.Number() == number {
			return r.ID(), nil
		}
		if strings.HasPrefix(r.ID(), short) && !slices.Contains(found, r.ID()) {
			found = append(found, r.ID())
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", &plan.AmbiguousIDError{Prefix: short, IDs: found}
	case d.History != nil:
		life, err := planio.LifeOf(d.History, short)
		if err != nil {
			return "", err
		}
		return life.ID, nil
	}
	return "", &cmdline.HintedError{Err: fmt.Errorf("no such task, issue or item: %s", short), Hint: "`git ralph query` lists those of the plan"}
}
