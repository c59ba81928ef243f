package uicmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// PullRequestOptions are the command line of `git ralph github pr create`, `pr merge` and `pr advance`.
type PullRequestOptions struct {
	Name  string // of the task, or an item that it is for; advance has none
	Wait  bool   // merge: until it is ready
	Force bool   // even where it waits for others
	Into  string // advance: the target; "": as elsewhere
}

// newPullRequest is `git ralph github pr`.
func (i Interfaces) newPullRequest(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "pr", Usage: "create and merge the pull requests of items", Description: aboutPullRequest,
		Subcommands: []*cli.Command{
			{
				Name: "create", Usage: "push the branch of an item, and open its pull request", ArgsUsage: "TASK|ITEM", Description: aboutPullRequestCreate,
				Flags: []cli.Flag{forceFlag()}, Action: cmdline.Action(env, pullRequestFrom, act(i.PullRequestCreate)),
			},
			{
				Name: "merge", Usage: "merge the pull request of an item, when it is ready", ArgsUsage: "TASK|ITEM", Description: aboutPullRequestMerge,
				Flags:  []cli.Flag{forceFlag(), &cli.BoolFlag{Name: "wait", Usage: "until it is ready; else the task waits for an issue"}},
				Action: cmdline.Action(env, pullRequestFrom, act(i.PullRequestMerge)),
			},
			{
				Name: "advance", Usage: "do all that is due: create pull requests, and merge those that are ready", Description: aboutPullRequestAdvance,
				Flags:  []cli.Flag{cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "the target `BRANCH` (default: ralph.target, else the current branch)"}, cmdline.Revisions)},
				Action: cmdline.Action(env, advanceFrom, act(i.PullRequestAdvance)),
			},
		},
	}
}

func pullRequestFrom(c *cli.Context) (PullRequestOptions, error) {
	o := PullRequestOptions{Name: c.Args().First(), Wait: c.Bool("wait"), Force: c.Bool("force")}
	if c.NArg() != 1 {
		return o, cmdline.Usage(c, "want one task or item")
	}
	return o, nil
}

func forceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "even where the task waits for others, or somebody has claimed it"}
}

func advanceFrom(c *cli.Context) (PullRequestOptions, error) {
	if c.NArg() > 0 {
		return PullRequestOptions{}, cmdline.Usage(c, "unexpected %q: want no arguments", c.Args().First())
	}
	return PullRequestOptions{Into: c.String("into")}, nil
}

const aboutPullRequest = `Does the tasks "Create PR" and "Merge PR" of items at GitHub. Where git config
ralph.github.pulls is true, workers do the same; without it only these commands
contact GitHub.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git ralph github pr create GH-42
  git ralph github pr merge GH-42 --wait`

const pullRequestExits = `
EXIT STATUS
  0  done
  1  it failed; doing it again continues
  2  the command line is wrong
  4  another process is changing the plan, or somebody else has claimed the task
  5  the plan is not valid
  7  it has to wait, or work was sent back; the plan says so
  9  a person is needed: the items are Human Needed
`

const aboutPullRequestCreate = `Runs the allowed checks of Implement on the code's commit, pushes the branch GH-n, where
n is the number of the first item, opens a pull request into the default branch that
closes the issues of all items, and marks the task done. What is there already is
found: nothing is created twice. A branch of that name with other work is never
overwritten. The plan is changed on the target branch, whatever is checked out.

The code is the commit that the task Implement names, else the branch GH-n of this
clone. git config ralph.github.base is the branch to merge into, where it is not the
default branch of the remote origin.
` + pullRequestExits + `
EXAMPLES
  git ralph github pr create GH-42
  git ralph github pr create t-w-7bf0-pr`

const aboutPullRequestMerge = `Merges the pull request when its checks have passed, no review is missing, and its
branch is at the commit that was pushed, or at one that a reviewer has approved
itself. Then the base is merged into the target branch, the task is done, and what it
merged is accepted.

Where it is not ready the task waits for an issue, which git ralph closes later; with
--wait the command waits itself. git config ralph.github.mergeMethod is merge, squash
or rebase; the default is the first of these that the repository allows.
` + pullRequestExits + `
EXAMPLES
  git ralph github pr merge GH-42 --wait`

const aboutPullRequestAdvance = `Creates the pull requests that are due, asks GitHub about those that tasks wait for, and
merges the ones that are ready. Where the base has moved, it lands in a target that is
another branch, also while nothing is due; GitHub is not asked then, only the remote.
Workers run it where git config ralph.github.pulls is true.

EXIT STATUS
  0  something was done
  1  it failed; doing it again continues
  2  the command line is wrong
  3  nothing is due, or ready
  4  another process does this

EXAMPLES
  git ralph github pr advance`
