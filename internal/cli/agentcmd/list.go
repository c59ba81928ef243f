package agentcmd

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

func newList(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show what is installed for which agent",
		Description: `Prints for each agent whether something is installed for this repository and for all
of yours, and whether it is current. In a directory without a repository, it is the
second alone.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong

EXAMPLES
  git ralph agent list`,
		Flags: cmdline.FormatFlags(),
		Action: func(c *cli.Context) error {
			printInstalled(env, cmdline.FormatFrom(c), installed(c.Context, env))
			return nil
		},
	}
}

// An installation is what is there for one agent in one scope.
type installation struct {
	agent string
	scope agentkit.Scope
	state agentkit.State
	files []string
	why   string // it is unreadable
}

// installed returns what is installed anywhere.
func installed(ctx context.Context, env *term.Env) (list []installation) {
	for _, scope := range []agentkit.Scope{agentkit.Project, agentkit.User} {
		places, err := placesOf(ctx, env, scope)
		if err != nil {
			continue // no repository, or no home
		}
		for _, agent := range agentkit.Agents() {
			state, files, err := places.Status(agent, scope)
			it := installation{agent: agent, scope: scope, state: state, files: files}
			if err != nil {
				it.state, it.why = agentkit.Unreadable, err.Error()
			}
			list = append(list, it)
		}
	}
	return list
}

func printInstalled(env *term.Env, format cmdline.Format, list []installation) {
	if format.Json(env) {
		env.WriteJSON(func(w term.Sink) {
			term.WriteArray(w, len(list), func(i int) {
				o := term.Object{Sink: w}
				o.Str("agent", list[i].agent)
				o.Str("scope", string(list[i].scope))
				o.Str("state", string(list[i].state))
				o.List("files", list[i].files)
				o.StrIf("error", list[i].why)
				o.End()
			})
		})
		return
	}
	table := term.Table{}
	for _, i := range list {
		var files []string
		for _, f := range i.files {
			files = append(files, relative(env, f))
		}
		table.Add(term.Cell{Text: i.agent}, term.Cell{Text: string(i.scope)}, term.Cell{Text: string(i.state)}, term.Cell{Text: strings.Join(files, " ") + i.why})
	}
	table.Write(env)
}

func newExport(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "write a plug-in for Claude Code, with a marketplace", ArgsUsage: "DIR",
		Description: `Writes hooks and skills as a plug-in, and the marketplace file that offers it. In
Claude Code, /plugin marketplace add DIR and /plugin install git-ralph@git-ralph
install it; its skills are then called /git-ralph:ralph-workplan and so on.

EXIT STATUS
  0  done
  1  failed, or the directory holds something else
  2  the command line is wrong

EXAMPLES
  git ralph agent export ../git-ralph-plugin`,
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(cmdline.Directories)),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return cmdline.Usage(c, "export takes a directory")
			}
			if err := agentkit.Export(env.Path(c.Args().First())); err != nil {
				return err
			}
			env.Print("wrote " + c.Args().First())
			return nil
		},
	}
}
