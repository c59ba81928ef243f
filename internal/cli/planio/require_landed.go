package planio

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/landed"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// RequireLanded says which tasks must be part of the target before they are accepted: ralph.requireLanded.
type RequireLanded struct {
	store *store.Store // nil: none
	auto  bool         // only those that were done on another branch
}

// RequireLandedFrom reads the setting.
func RequireLandedFrom(settings *config.Config, st *store.Store) (RequireLanded, error) {
	value, _ := settings.Get("ralph.requireLanded")
	if value == "auto" {
		return RequireLanded{store: st, auto: true}, nil
	}
	required, err := settings.Bool("ralph.requireLanded", false)
	switch {
	case err != nil:
		return RequireLanded{}, fmt.Errorf("invalid ralph.requireLanded %q: want true, false or auto", value)
	case required:
		return RequireLanded{store: st}, nil
	}
	return RequireLanded{}, nil
}

// Check returns an error that names a task which has not landed.
func (q RequireLanded) Check(ctx context.Context, env *term.Env, tasks []*plan.Record) error {
	if q.store == nil || len(tasks) == 0 {
		return nil
	}
	target, err := TargetBranch(ctx, q.store, "")
	if err != nil {
		return err
	}
	verdicts, err := Landed(ctx, env, q.store, tasks)
	if err != nil {
		return err
	}
	short := strings.TrimPrefix(target, "refs/heads/")
	for _, r := range tasks {
		if verdicts[r.ID()] == landed.Yes {
			continue
		}
		branch, err := DoneOn(ctx, env, q.store, r)
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
