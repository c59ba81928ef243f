package mergecmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/mergedriver"
)

// mergeDriverOptions are the command line of `git ralph merge-driver`.
type mergeDriverOptions struct{ job mergedriver.Job }

func NewMergeDriver(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:      "merge-driver",
		Usage:     "merge three versions of a plan, as git's merge driver",
		ArgsUsage: "BASE OURS THEIRS [MARKER-SIZE [PATH]]",
		Description: `Merges plans record by record and field by field. The arguments are those that
git gives to a merge driver, %O %A %B %L %P: the result goes to OURS, or with
--output to another file, or with - to standard output. Recorded conflicts and
discarded values are reported on standard error, one on each line. Files that are
not plans are merged as plain text, by git merge-file, with markers of MARKER-SIZE
signs: 7 by default, at most 1000.

git-ralph-merge-driver is the same as a small program that starts faster; that is
the one that git ralph install registers with git.

EXIT STATUS
  0  merged
  1  the result has conflicts to look at, or there is none, for the reason given
  2  the command line is wrong

EXAMPLES
  git ralph merge-driver --output - base.jsonl ours.jsonl theirs.jsonl
  git ralph merge-driver --output merged.jsonl base.jsonl ours.jsonl theirs.jsonl
  git ralph merge-driver %O %A %B %L %P`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Usage: "write the result to `FILE`, - for standard output, and no other file"},
			&cli.BoolFlag{Name: "stop-on-conflict", Usage: "exit with 1 when a conflict was recorded in the plan"},
		},
		BashComplete: cmdline.CompletesArgs(cmdline.Files),
		Action: func(c *cli.Context) error {
			job, err := mergedriver.Parse(mergeDriverLine(c))
			if err != nil {
				return cmdline.Usage(c, "merge-driver: %v", err)
			}
			return mergeDriverOptions{job}.run(c.Context, env)
		},
	}
}

// mergeDriverLine returns the command line as the driver parses it.
func mergeDriverLine(c *cli.Context) []string {
	var args []string
	if c.Bool("stop-on-conflict") {
		args = append(args, "--stop-on-conflict")
	}
	if c.IsSet("output") {
		args = append(args, "--output="+c.String("output"))
	}
	return append(append(args, "--"), c.Args().Slice()...)
}

func (o mergeDriverOptions) run(ctx context.Context, env *term.Env) error {
	status := mergedriver.Run(ctx, o.job, mergedriver.Env{Dir: env.Dir, Environ: env.Environ, Out: env.Out, Err: env.Err})
	if status != cmdline.ExitDone {
		return cmdline.StatusError(status)
	}
	return nil
}
