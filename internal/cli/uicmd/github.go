package uicmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// GitHubOptions are the command line of `git ralph github pull`, `push` and `sync`.
type GitHubOptions struct {
	Items  []string // ids or numbers of the items, or the issues, to which the command is limited; none: no such limit
	Labels []string // pull: only issues with one of these
	Query  string   // pull: only issues that a search finds
	DryRun bool
	Format cmdline.Format
}

// NewGitHub is `git ralph github`.
func (i Interfaces) NewGitHub(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "github", Usage: "keep items and the issues at GitHub in step", Description: aboutGitHub,
		Subcommands: []*cli.Command{
			{
				Name: "pull", Usage: "bring what issues say into the plan", ArgsUsage: "[NUMBER…]", Description: aboutGitHubPull,
				Flags: gitHubFlags(selectionFlags()...), Action: cmdline.Action(env, gitHubFrom, act(i.GitHubPull)),
			},
			{
				Name: "push", Usage: "send issues what the plan says", ArgsUsage: "[ITEM…]", Description: aboutGitHubPush,
				Flags: gitHubFlags(), Action: cmdline.Action(env, gitHubFrom, act(i.GitHubPush)),
			},
			{
				Name: "sync", Usage: "pull, then push", ArgsUsage: "[NUMBER…]", Description: aboutGitHubSync,
				Flags: gitHubFlags(selectionFlags()...), Action: cmdline.Action(env, gitHubFrom, act(i.GitHubSync)),
			},
			i.newPullRequest(env),
			i.newIntegrate(env),
		},
	}
}

func gitHubFlags(own ...cli.Flag) []cli.Flag {
	own = append(own, &cli.BoolFlag{Name: "dry-run", Usage: "show what would be changed, and change nothing"})
	return append(own, cmdline.FormatFlags()...)
}

// selectionFlags say which issues become items.
func selectionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "label", Usage: "only issues with the label `LABEL`; may be repeated, one is enough"},
		&cli.StringFlag{Name: "query", Usage: "only issues that a search finds, such as `\"is:open milestone:v2\"`"},
	}
}

func gitHubFrom(c *cli.Context) (GitHubOptions, error) {
	o := GitHubOptions{
		Items: c.Args().Slice(), Labels: c.StringSlice("label"), Query: c.String("query"), DryRun: c.Bool("dry-run"), Format: cmdline.FormatFrom(c),
	}
	ways := 0
	for _, used := range []bool{len(o.Items) > 0, len(o.Labels) > 0, c.IsSet("query")} {
		if used {
			ways++
		}
	}
	switch {
	case ways > 1:
		return o, cmdline.Usage(c, "numbers, --label and --query exclude each other: want one of them")
	case c.IsSet("query") && cmdline.IsBlank(o.Query):
		return o, cmdline.Usage(c, "invalid --query %q: want a search, such as is:open", o.Query)
	}
	for _, label := range o.Labels {
		if cmdline.IsBlank(label) {
			return o, cmdline.Usage(c, "invalid --label %q: want the name of a label", label)
		}
	}
	return o, nil
}

const aboutGitHub = `Items of the plan are issues at GitHub: title, body, state, labels, assignee,
sub-issues, dependencies, and documents as comments. What one side changed is changed
on the other one; what both changed is merged field by field. Nothing is ever deleted
at GitHub.

The repository is that of the remote origin, or that of ralph.github.owner and
ralph.github.repo; RALPH_GH_OWNER and RALPH_GH_REPO go before these. Without one of
them nothing is ever sent. State and estimate are labels, or fields of the project
whose number is ralph.github.project, or RALPH_GH_PROJECT_NUMBER.

The token is GH_TOKEN, GITHUB_TOKEN, that of ` + "`gh auth token`" + `, or one that a
credential helper of git has. ralph.github.host is the host where it is not github.com.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git ralph github pull --label ralph
  git ralph github sync`

const gitHubExits = `
EXIT STATUS
  0  done
  1  it cannot be done; what was done until then stays, and doing it again continues
  2  the command line is wrong
  3  there was nothing to do
  4  another process is changing the plan, or talks to GitHub
  5  the plan is not valid; nothing was changed
`

const aboutGitHubPull = `Adds an item for each issue that has none, and merges into the other items what changed
at GitHub, all in one commit. With NUMBERs only these issues are looked at; with
--label or --query, those that are found, and those that are items already.
Pull requests are no issues.

Where standard output is not a terminal it is JSON: {"committed", "commit", "reason",
"changed", "warnings", "requests", "rateLeft"}.
` + gitHubExits + `
EXAMPLES
  git ralph github pull
  git ralph github pull --label ralph
  git ralph github pull --query "is:open author:octocat"
  git ralph github pull 42 43`

const aboutGitHubPush = `Sends what the plan changed to the issues, and makes an issue for each item that has
none; its number is kept in the item. Before that it reads these issues, and merges
what changed there, as pull does. With ITEMs only these are sent.

Documents of phases are posted as comments, once; so are those that are found by
their names. Why an item is Human Needed is posted as a comment that mentions its
assignee, or the owner of the repository.

Where standard output is not a terminal it is JSON: {"committed", "commit", "reason",
"changed", "sent", "warnings", "requests", "rateLeft"}.
` + gitHubExits + `
EXAMPLES
  git ralph github push
  git ralph github push GH-42 --dry-run`

const aboutGitHubSync = `Does what pull does, and then what push does.

Where standard output is not a terminal it is JSON, as of push.
` + gitHubExits + `
EXAMPLES
  git ralph github sync
  git ralph github sync --label ralph`
