package uicmd

import (
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// HubOptions are the command line of `git ralph hub sync` and `hub check`.
type HubOptions struct {
	Files     []string // none: all workplans
	Queued    bool     // sync: the queue alone
	Fix       bool     // check
	Reopen    bool
	TimeLimit time.Duration // 0: none
	Format    cmdline.Format
}

// NewHub is `git ralph hub`.
func (i Interfaces) NewHub(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "hub", Usage: "show workplans in a State Hub", Description: aboutHub,
		Subcommands: []*cli.Command{
			{
				Name: "sync", Usage: "send what the State Hub has not got yet", ArgsUsage: "[FILE…]", Description: aboutHubSync,
				Flags: append([]cli.Flag{
					&cli.BoolFlag{Name: "queued", Usage: "send the queue, and read no workplan"},
					reopenFlag(), timeLimitFlag(),
				}, cmdline.FormatFlags()...),
				BashComplete: cmdline.CompletesArgs(cmdline.Files), Action: cmdline.Action(env, hubFrom, act(i.HubSync)),
			},
			{
				Name: "check", Usage: "compare the State Hub with the files", ArgsUsage: "[FILE…]", Description: aboutHubCheck,
				Flags: append([]cli.Flag{
					&cli.BoolFlag{Name: "fix", Usage: "make the hub equal to the files"},
					reopenFlag(), timeLimitFlag(),
				}, cmdline.FormatFlags()...),
				BashComplete: cmdline.CompletesArgs(cmdline.Files), Action: cmdline.Action(env, hubFrom, act(i.HubCheck)),
			},
		},
	}
}

func reopenFlag() cli.Flag {
	return &cli.BoolFlag{Name: "reopen", Usage: "let statuses go backwards in the hub, such as from done to todo"}
}

func timeLimitFlag() cli.Flag {
	return &cli.DurationFlag{Name: "time-limit", Usage: "end after `DURATION`, such as 5s; what is left stays in the queue"}
}

func hubFrom(c *cli.Context) (HubOptions, error) {
	o := HubOptions{
		Files: c.Args().Slice(), Queued: c.Bool("queued"), Fix: c.Bool("fix"), Reopen: c.Bool("reopen"),
		TimeLimit: c.Duration("time-limit"), Format: cmdline.FormatFrom(c),
	}
	switch {
	case o.TimeLimit < 0:
		return o, cmdline.Usage(c, "invalid --time-limit %v: want more than 0", o.TimeLimit)
	case o.Queued && (len(o.Files) > 0 || o.Reopen):
		return o, cmdline.Usage(c, "--queued reads no workplan: want neither a file nor --reopen")
	case c.Command.Name == "check" && o.Reopen && !o.Fix:
		return o, cmdline.Usage(c, "--reopen is for --fix")
	}
	return o, nil
}

const aboutHub = `A State Hub shows the state of workplans that have a state_hub_workstream_id. The file
is the source of truth: done-task, start-task and close send what they change, and what
cannot be sent waits in a queue in the git directory.

ralph.hub.url is the hub's URL, or ralph.hub.mcp the command or URL of its MCP server.
Without one of them nothing is ever sent. ralph.hub.topic is the topic of milestones.
Credentials come from git's credential helpers, or from GIT_RALPH_HUB_TOKEN.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git config ralph.hub.url http://localhost:8000
  git ralph hub check`

const aboutHubSync = `Queues what the hub has to be sent so that it says what the workplans say, and sends the
queue in its order. Without FILE these are all workplans below the directory that
` + "`git config ralph.workplans`" + ` names. A status never goes backwards in the hub: with
--reopen it may.

Where standard output is not a terminal it is JSON: {"sent", "left", "unknown",
"refused": [{"id", "error"}], "error"}. unknown are the milestones whose reply was lost,
of a hub that offers no way to read them: they are not sent twice.

EXIT STATUS
  0  the queue is empty
  1  something is left in the queue, or there is no hub
  2  the command line is wrong
  4  another process is sending the queue

EXAMPLES
  git ralph hub sync
  git ralph hub sync workplans/WP-0001-parser.md --reopen`

const aboutHubCheck = `Compares every task with a state_hub_task_id and the workstream with what the hub says.
Without FILE these are those of all workplans. A workplan that is done, and whose
workstream is not, is C-13. With --fix the hub is made equal to the file; where the hub
is further, only with --reopen.

Where standard output is not a terminal it is JSON: {"verdict", "items": [{"file",
"kind", "id", "name", "status", "hub", "verdict", "error"}]}.

EXIT STATUS
  0  the hub is equal to the files
  1  it differs
  2  that is unknown, or the command line is wrong

EXAMPLES
  git ralph hub check
  git ralph hub check workplans/WP-0001-parser.md --fix`
