package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// stdinName is how messages call standard input.
const stdinName = "standard input"

// A source says which plan a query reads; the zero source is the worktree's.
type source struct {
	rev  string // a commit
	file string // a file, or "-" for standard input
}

func sourceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rev", Usage: "read the plan of a commit, `REV`"},
		&cli.StringFlag{Name: "plan", Usage: "read the plan in `FILE`, - for standard input"},
	}
}

// sourceFrom reads the flags of sourceFlags.
func sourceFrom(c *cli.Context) (source, error) {
	s := source{rev: c.String("rev"), file: c.String("plan")}
	for _, name := range [...]string{"rev", "plan"} {
		if c.IsSet(name) && c.String(name) == "" {
			return s, usage(c, "flag --%s needs a value", name)
		}
	}
	if s.rev != "" && s.file != "" {
		return s, usage(c, "--rev and --plan both say which plan to read")
	}
	return s, nil
}

// A view is a plan that was read for a query, and its schedule.
type view struct {
	store.Snapshot
	*schedule.Schedule
}

// view reads the source's plan. A plan in which ids stand twice can be shown;
// worse ones are a *plan.InvalidError.
func (s source) view(ctx context.Context, env *Env) (view, error) {
	snap, err := s.read(ctx, env)
	if err != nil {
		return view{}, err
	}
	if !snap.Problems.Readable() {
		return view{}, &plan.InvalidError{File: snap.File, Problems: snap.Problems}
	}
	return view{snap, schedule.Of(snap.Plan)}, nil
}

func (s source) read(ctx context.Context, env *Env) (store.Snapshot, error) {
	if s.file != "" {
		return s.readFile(env)
	}
	st, err := env.open(ctx)
	if err != nil {
		return store.Snapshot{}, err
	}
	if s.rev != "" {
		return st.At(ctx, s.rev)
	}
	snap, err := env.viewPlan(ctx, st)
	if st.Repo().Bare() && errors.Is(err, git.ErrBadRevision) {
		err = &hintedError{errEmptyBare, "push a branch that holds a plan to it"}
	}
	return snap, err
}

// viewPlan reads the worktree's plan for a query, and says so where it is HEAD's.
func (e *Env) viewPlan(ctx context.Context, st *store.Store) (store.Snapshot, error) {
	snap, err := st.View(ctx)
	if snap.Missing {
		e.warn(st.PlanPath() + " is missing from the worktree; this is HEAD's plan")
		e.hint("`git restore " + st.PlanPath() + "` brings it back")
	}
	return snap, err
}

var errEmptyBare = errors.New("this repository is bare and has no commit: there is no plan to read")

// readFile needs no repository.
func (s source) readFile(env *Env) (store.Snapshot, error) {
	name, data, err := s.file, []byte(nil), error(nil)
	if s.file == "-" {
		name = stdinName
		data, err = env.readInput()
	} else if data, err = os.ReadFile(env.path(s.file)); err != nil {
		err = fmt.Errorf("cannot read %s: %w", s.file, reasonOf(err))
	}
	if err != nil {
		return store.Snapshot{}, err
	}
	p, problems := plan.DecodeBytes(data)
	return store.Snapshot{Plan: p, Problems: problems, Exists: true, File: name}, nil
}

// invalid is the error that a query ends with after it has shown a plan that is
// not valid; nil for a valid one.
func (v view) invalid() error {
	_, err := v.Valid()
	return err
}

// readInput reads standard input to its end.
func (e *Env) readInput() ([]byte, error) {
	data, err := io.ReadAll(e.In)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", stdinName, reasonOf(err))
	}
	return data, nil
}
