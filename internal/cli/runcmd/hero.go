package runcmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/team"
)

// defaultParallel is the default of --parallel.
const defaultParallel = 3

// NewHero returns `git ralph hero`.
func NewHero(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "hero", Usage: "let agents do the plan task by task, each in a fresh process", ArgsUsage: "[ITEM…]", Description: aboutHero,
		BashComplete: cmdline.CompletesArgs(planio.ItemIDs()),
		Flags:        teamFlags(&cli.IntFlag{Name: "parallel", Value: defaultParallel, Usage: "do up to `N` tasks of the role analyst at once"}),
		Action: func(c *cli.Context) error {
			o, err := teamOptionsFrom(c)
			if err != nil {
				return err
			}
			o.fresh, o.items = true, c.Args().Slice()
			if o.roster, err = team.HeroRoster(c.Int("parallel")); err != nil {
				return cmdline.Usage(c, "%v", err)
			}
			return o.run(c.Context, env)
		},
	}
}

const aboutHero = `Starts a fresh worker for each ready task, as ` + "`git ralph work --task ID`" + ` in a worktree
of its own, which ends with it. Tasks of the role analyst, such as triage, splits and
research of items, are done --parallel at a time, all others one after the other, in
the order of the plan. A task that is done lands on the target branch. When nothing
else is left to begin, a worker verifies what is done; what it rejects is done again,
until the plan there is COMPLETE. Your own worktree stays as it is, but for a target
branch that is checked out there.

With items, the tasks that they still need are added first, as by git ralph pipeline
plan, in the target.

Issues are looked into as by an analyst (INVESTIGATE). A worker that dies is started
again, three times at most. A task that an agent gets nowhere with is left until it is
rejected, returned by a landing, or changed.

Ctrl-C ends the run after the iterations under way, a second Ctrl-C ends it at once.
If this command is killed, its workers end; with --detach they finish their tasks, also
after a Ctrl-C. The next hero, or team run, continues from the plan, the claims and the
branches.

` + teamScreen + teamExits + `
EXAMPLES
  git ralph hero
  git ralph hero GH-42
  git ralph hero --parallel 5 --agent claude --agent validator=codex
  git ralph hero --dry-run
  git ralph hero --into main --detach`
