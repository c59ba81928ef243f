package mergedriver

import (
	"context"
	"fmt"
	"io"
)

// Main is the program git-ralph-merge-driver: args are its command line without
// its name. It returns the exit status, which is 0 or 1.
func Main(ctx context.Context, args []string, env Env) int {
	if len(args) > 0 {
		switch args[0] {
		case "--version":
			fmt.Fprintf(env.Out, "git-ralph-merge-driver version %s\n", env.Version)
			return exitMerged
		case "--help", "-h":
			_, _ = io.WriteString(env.Out, help)
			return exitMerged
		}
	}
	job, err := Parse(args)
	if err != nil {
		fmt.Fprintf(env.Err, "git-ralph-merge-driver: error: %s\n%s", shown(err.Error()), hint)
		return exitConflict
	}
	return Run(ctx, job, env)
}

const hint = "git-ralph-merge-driver: hint: `git-ralph-merge-driver --help` shows how it is used\n"

const help = `usage: git-ralph-merge-driver [--stop-on-conflict] [--output FILE]
                              BASE OURS THEIRS [MARKER-SIZE [PATH]]

Merges three versions of a plan of git ralph, record by record and field by field.
The arguments are git's for merge drivers, %O %A %B %L %P: the result goes to OURS.

  --stop-on-conflict  exit with 1 when a conflict was recorded in the plan
  --output FILE       write the result to FILE, - for standard output, and no other file
  --version           print the version
  --help              show this text

Files that are no plans are merged as plain text, by git merge-file, with markers of
MARKER-SIZE signs: 7 by default, at most 1000.

EXIT STATUS
  0  merged
  1  the result has conflicts to look at, or there is none, for the reason given
`
