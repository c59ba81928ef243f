package runcmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
)

// StatusOptions are those of `git ralph status`, and of `git ralph` alone.
type StatusOptions struct {
	Format cmdline.Format
	source planio.Source
}

func NewStatus(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "show the state of the plan", Description: aboutStatus,
		Flags: append(planio.SourceFlags(), cmdline.FormatFlags()...),
		Action: func(c *cli.Context) error {
			source, err := planio.SourceFrom(c)
			if err != nil {
				return err
			}
			return StatusOptions{Format: cmdline.FormatFrom(c), source: source}.Run(c.Context, env)
		},
	}
}

const aboutStatus = `Shows the spec, the stage, what comes next, and how much is left to do, as git
ralph without a command does. Below that it shows the last run in this worktree:
its progress or how it ended, what it cost, and what it waits for; and, from their
claims, the workers of other worktrees and machines: task, role, and since when. What
an agent does and costs is known only where it runs. Claims of a remote are as they
were last read; ` + "`git ralph claim list`" + ` reads them. It starts nothing and
changes nothing. Where standard output is not a terminal it prints JSON: {"spec",
"stage", "next", "counts", "run", "last_run", "claims"}; "run" is null unless a run is
under way.
` + planio.QueryExits + `
EXAMPLES
  git ralph
  git ralph status --rev main`

func (o StatusOptions) Run(ctx context.Context, env *term.Env) error {
	v, err := o.source.View(ctx, env)
	if err != nil {
		return err
	}
	s := v.State()
	run := lastRun{now: env.Now()}
	if st := v.Worktree; st != nil {
		planio.FindUnplanned(ctx, env, &s)
		run = readLastRun(env, st)
		planio.WarnOfSpec(env, st, s.Plan.Spec())
		planio.WarnOfInstall(ctx, env, st)
	}
	if o.Format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeStatus(s, w, run) })
		planio.HintNotPlanned(env, s)
	} else {
		s.ShowStatus(env)
		run.show(env)
		claimedTasks{s, run}.show(env)
	}
	return v.Invalid()
}

// writeStatus writes {"spec", "stage", "next", "counts", "run", "last_run", "claims"}.
func writeStatus(s planprint.State, w term.Sink, run lastRun) {
	o := term.Object{Sink: w}
	o.StrOrNull("spec", s.Plan.Spec())
	s.WriteStageAndNext(&o)
	n := s.Counts()
	o.Value("counts", fmt.Sprintf(
		`{"pending": %d, "blocked": %d, "done": %d, "others": %d, "issues": %d, "tombstones": %d, "conflicts": %d}`,
		n.Pending, n.Blocked, n.Done, n.Others, n.Issues, n.Tombstones, n.Conflicts))
	o.Value("run", run.liveJSON())
	o.Member("last_run")
	run.writeJSON(w)
	o.Member("claims")
	claimedTasks{s, run}.writeJSON(w)
	o.End()
}
