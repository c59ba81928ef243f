package plancmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// requireLanded says which tasks must be part of the target before they are accepted: ralph.requireLanded.
type requireLanded struct {
	store *store.Store // nil: none
	auto  bool         // only those that were done on another branch
}

func requireLandedFrom(settings *config.Config, st *store.Store) (requireLanded, error) {
	value, _ := settings.Get("ralph.requireLanded")
	if value == "auto" {
		return requireLanded{store: st, auto: true}, nil
	}
	required, err := settings.Bool("ralph.requireLanded", false)
	switch {
	case err != nil:
		return requireLanded{}, fmt.Errorf("invalid ralph.requireLanded %q: want true, false or auto", value)
	case required:
		return requireLanded{store: st}, nil
	}
	return requireLanded{}, nil
}

// check returns an error that names a task which has not landed; without ids, all that are done are meant.
func (q requireLanded) check(ctx context.Context, env *term.Env, p *plan.Plan, ids []string) error {
	if q.store == nil {
		return nil
	}
	ids, err := p.ResolveIDs(plan.KindTask, ids)
	if err != nil {
		return err
	}
	tasks := schedule.Of(p).ToVerify()
	if len(ids) > 0 {
		tasks = slices.DeleteFunc(schedule.Of(p).Done(), func(r *plan.Record) bool { return !slices.Contains(ids, r.ID()) })
	}
	target, err := planio.TargetBranch(ctx, q.store, "")
	if err != nil {
		return err
	}
	verdicts, err := planio.Landed(ctx, env, q.store, tasks)
	if err != nil {
		return err
	}
	short := strings.TrimPrefix(target, "refs/heads/")
	for _, r := range tasks {
		if verdicts[r.ID()] == landed.Yes {
			continue
		}
		branch, err := planio.DoneOn(ctx, env, q.store, r)
		if err != nil {
			return err
		}
		if !q.auto || branch != "" && branch != short {
			return notLanded(r.ID(), verdicts[r.ID()], short, branch)
		}
	}
	return nil
}

// notLanded returns the error for one task.
func notLanded(id string, verdict landed.Verdict, target, branch string) error {
	text := fmt.Sprintf("%s has not landed: %s does not have it", id, target)
	if verdict == landed.Unknown {
		text = fmt.Sprintf("it is not known whether %s has landed in %s", id, target)
	}
	hint := "`git -c ralph.requireLanded=false ralph task accept " + id + "` accepts it all the same"
	if branch != "" && branch != target {
		hint = "`git ralph land " + branch + "` lands it; " + hint
	}
	return &cmdline.HintedError{Err: errors.New(text), Hint: hint}
}
