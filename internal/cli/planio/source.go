package planio

import (
	"context"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A Source says which plan a query reads; the zero source is the worktree's.
type Source struct {
	Rev  string // a commit
	File string // a file, or "-" for standard input
}

// SourceFlags returns the flags that choose the plan of a query.
func SourceFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.Completes(&cli.StringFlag{Name: "rev", Usage: "read the plan of a commit, `REV`"}, cmdline.Revisions),
		cmdline.Completes(&cli.StringFlag{Name: "plan", Usage: "read the plan in `FILE`, - for standard input"}, cmdline.Files),
	}
}

// SourceFrom reads the flags of SourceFlags.
func SourceFrom(c *cli.Context) (Source, error) {
	s := Source{Rev: c.String("rev"), File: c.String("plan")}
	if s.Rev != "" && s.File != "" {
		return s, cmdline.Usage(c, "--rev and --plan both say which plan to read")
	}
	return s, nil
}

// A View is a plan that was read for a query, and its schedule.
type View struct {
	store.Snapshot
	*schedule.Schedule
	Worktree *store.Store // where the plan is the worktree's; else nil
	Claims   planprint.Claims
}

// View reads the source's plan. A plan that holds an id twice can be shown; any
// other that is not valid is a *plan.InvalidError.
func (s Source) View(ctx context.Context, env *term.Env) (View, error) {
	if s == (Source{}) {
		st, err := Open(ctx, env)
		if err != nil {
			return View{}, err
		}
		return ViewWorktree(ctx, env, st)
	}
	snap, err := s.Read(ctx, env)
	return viewOf(snap, err)
}

// ViewWorktree is Source.View for a worktree that is open.
func ViewWorktree(ctx context.Context, env *term.Env, st *store.Store) (View, error) {
	snap, err := ViewPlan(ctx, env, st)
	v, err := viewOf(snap, err)
	v.Worktree = st
	if err == nil {
		if v.Claims = shownClaims(ctx, env, st); len(v.Claims.Held) > 0 {
			v.Schedule = v.With(scheduleUnder(v.Claims))
		}
	}
	return v, err
}

func viewOf(snap store.Snapshot, err error) (View, error) {
	if err == nil && !snap.Problems.Readable() {
		err = &plan.InvalidError{File: snap.File, Problems: snap.Problems}
	}
	if err != nil {
		return View{Snapshot: snap}, err
	}
	return View{Snapshot: snap, Schedule: schedule.Of(snap.Plan)}, nil
}

// Read reads the source's plan, valid or not.
func (s Source) Read(ctx context.Context, env *term.Env) (store.Snapshot, error) {
	if s.File != "" {
		return s.readFile(env)
	}
	st, err := Open(ctx, env)
	if err != nil {
		return store.Snapshot{}, err
	}
	if s.Rev != "" {
		return st.At(ctx, s.Rev)
	}
	return ViewPlan(ctx, env, st)
}

// ViewPlan reads the worktree's plan for a query. It warns where the plan is HEAD's, and hints at ralph.plan where there is none.
func ViewPlan(ctx context.Context, e *term.Env, st *store.Store) (store.Snapshot, error) {
	snap, err := st.View(ctx)
	if snap.Missing {
		e.Warn(st.PlanPath() + " is missing from the worktree; this is HEAD's plan")
		e.Hint("`git restore " + st.PlanPath() + "` brings it back")
	}
	if err == nil && !snap.Exists && !snap.Missing {
		hintPlanPath(e, st, "HEAD")
	}
	return snap, err
}

// readFile reads a plan without a repository.
func (s Source) readFile(env *term.Env) (store.Snapshot, error) {
	name, data, err := s.File, []byte(nil), error(nil)
	if s.File == "-" {
		name = term.StdinName
		data, err = env.ReadInput()
	} else if data, err = os.ReadFile(env.Path(s.File)); err != nil {
		err = fmt.Errorf("cannot read %s: %w", s.File, term.ReasonOf(err))
	}
	if err != nil {
		return store.Snapshot{}, err
	}
	p, problems := plan.DecodeBytes(data)
	return store.Snapshot{Plan: p, Problems: problems, Exists: true, File: name}, nil
}

// Invalid returns the error that a query ends with after it has shown a plan that is
// not valid; nil for a valid one.
func (v View) Invalid() error {
	_, err := v.Valid()
	return err
}

// State returns what is printed of the view.
func (v View) State() planprint.State {
	return planprint.State{Plan: v.Plan, Schedule: v.Schedule, Claims: v.Claims}
}
