package runcmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/team"
)

// defaultParallel is how many analysts a hero has at once.
const defaultParallel = 3

// NewHero returns `git ralph hero`: a team without workers that stay.
func NewHero(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "hero", Usage: "do one task after the other until the plan is complete, research in parallel", Description: aboutHero,
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "parallel", Value: defaultParallel, Usage: "do at most `N` tasks of analysts at once"},
			cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "the target `BRANCH` (default: ralph.target, else the current branch)"}, cmdline.Revisions),
			&cli.BoolFlag{Name: "dry-run", Usage: "show which workers would be started, and start nothing"},
		}, teamAgentFlags()...),
		Action: func(c *cli.Context) error {
			o := teamOptions{agentOptions: agentOptionsFrom(c), into: c.String("into"), dryRun: c.Bool("dry-run"), hero: true}
			parallel := c.Int("parallel")
			if parallel < 1 || parallel > maxParallel {
				return cmdline.Usage(c, "invalid number %d for --parallel: want 1 to %d", parallel, maxParallel)
			}
			o.roster = team.Roster{team.Analyst: parallel, team.Builder: 1, team.Validator: 1}
			return o.run(c.Context, env)
		},
	}
}

// maxParallel is more than anybody means.
const maxParallel = 64

const aboutHero = `Takes a plan to COMPLETE without workers that stay: each task that is ready gets a
process and an agent of its own, git ralph work --once. Tasks of analysts are done in
parallel, the others and VERIFY one after the other. Each lands before the next one of
its role begins. Everything else is as in git ralph team run.
` + "\n" + teamExits + `
EXAMPLES
  git ralph hero
  git ralph hero --parallel 5 --agent analyst=gemini --agent claude`
