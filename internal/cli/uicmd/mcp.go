package uicmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// MCPOptions are the command line of `git ralph mcp`.
type MCPOptions struct {
	HTTP bool // on loopback, instead of standard input and output
	Port int  // 0: any that is free
}

// NewMCP is `git ralph mcp`.
func (i Interfaces) NewMCP(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "mcp", Usage: "offer the plan to agents, by the Model Context Protocol", Description: aboutMCP,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "http", Usage: "serve streamable HTTP on this machine's loopback, instead of standard input and output"},
			portFlag("with --http, listen on port `N`; 0: any that is free"),
		},
		Action: cmdline.Action(env, mcpFrom, act(i.MCP)),
	}
}

func mcpFrom(c *cli.Context) (MCPOptions, error) {
	o := MCPOptions{HTTP: c.Bool("http"), Port: c.Int("port")}
	if c.IsSet("port") && !o.HTTP {
		return o, cmdline.Usage(c, "--port is for --http")
	}
	return o, checkPort(c, o.Port)
}

const aboutMCP = `Serves the Model Context Protocol on standard input and output, until its input
ends. An agent that starts it has tools to query and change the plan, to claim tasks,
and to read the history, and the plan, a task and the next task as resources. Each
tool runs the command of its name, with the same checks, errors and exit codes.

Nothing is kept from one call to the next: each one carries the token of the claim
that it needs. Answers are bounded, and continue from a cursor. docs/agents.md lists
the tools.

With --http it serves streamable HTTP on 127.0.0.1 instead, and first prints its
address and the token that every request must have, as JSON: {"url", "token"}.
Where GIT_RALPH_MCP_TOKEN is set, that is the token.

The program is git-ralph-ui, which is installed together with git-ralph.

EXIT STATUS
  0  the input ended
  1  it cannot be served, or git-ralph-ui is missing or of another version
  2  the command line is wrong

EXAMPLES
  git ralph mcp
  git ralph mcp --http --port 7474
  claude mcp add git-ralph -- git ralph mcp`
