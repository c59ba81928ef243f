package uicmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// WebOptions are the command line of `git ralph web`.
type WebOptions struct {
	Open  bool // in a browser
	Write bool // the page may change the plan
	Port  int  // 0: any that is free
}

// NewWeb is `git ralph web`.
func (i Interfaces) NewWeb(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "web", Usage: "show the plan in a browser", Description: aboutWeb,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "open", Usage: "open the page in the browser"},
			&cli.BoolFlag{Name: "write", Usage: "let the page change the plan; without it, it only shows it"},
			portFlag("listen on port `N`; 0: any that is free"),
		},
		Action: cmdline.Action(env, webFrom, act(i.Web)),
	}
}

func webFrom(c *cli.Context) (WebOptions, error) {
	o := WebOptions{Open: c.Bool("open"), Write: c.Bool("write"), Port: c.Int("port")}
	return o, checkPort(c, o.Port)
}

func portFlag(usage string) cli.Flag { return &cli.IntFlag{Name: "port", Usage: usage} }

func checkPort(c *cli.Context, port int) error {
	if port < 0 || port > 0xffff {
		return cmdline.Usage(c, "invalid port %d: want 0 to 65535", port)
	}
	return nil
}

const aboutWeb = `Serves a page with the plan's board, the history of each task, the graph of what waits
for what, the timeline, the burndown, and the runs of agents with what they cost, of all
worktrees of the repository. It follows every change, whoever makes it. The page keeps
nothing, loads nothing from elsewhere, and works with the keyboard alone.

It is served at 127.0.0.1 and ::1 alone, and ends with its terminal or with Ctrl-C.
The URL that is printed has a random token, without which no data is served: whoever
has the URL sees the plan, so do not pass it on. The next start has another token.

With --write the page can do what git ralph task, issue, claim, unclaim, undo and redo
do, each a commit of its own. Without it the server refuses that.

Where standard output is not a terminal it prints JSON: {"url", "write"}.

The program is git-ralph-ui, which is installed together with git-ralph.

EXIT STATUS
  0  it was ended
  1  it cannot be served, such as at a port that is in use, or git-ralph-ui is missing
     or of another version
  2  the command line is wrong

EXAMPLES
  git ralph web --open
  git ralph web --write --port 7474`
