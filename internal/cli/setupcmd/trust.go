package setupcmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/trustprompt"
	"git-ralph/internal/trust"
)

// trustOptions are the command line of `git ralph trust`.
type trustOptions struct {
	list   bool
	revoke bool
	yes    bool
	format cmdline.Format
}

func NewTrust(env *term.Env) *cli.Command {
	return &cli.Command{
		Subcommands: []*cli.Command{newTrustCheck(env)},
		Name:        "trust", Usage: "let agents work in this repository", Description: aboutTrust,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list what agents read and run here, and what of it is trusted"},
			&cli.BoolFlag{Name: "revoke", Usage: "trust nothing in this clone any more"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "trust everything that is here now, without asking"},
		}, cmdline.FormatFlags()...),
		Action: func(c *cli.Context) error {
			o := trustOptions{c.Bool("list"), c.Bool("revoke"), c.Bool("yes"), cmdline.FormatFrom(c)}
			if o.revoke && (o.list || o.yes) || o.list && o.yes {
				return cmdline.Usage(c, "--list, --revoke and --yes exclude each other")
			}
			return o.run(c.Context, env)
		},
	}
}

func (o trustOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	site, err := trustprompt.SiteOf(ctx, env, st)
	if err != nil {
		return err
	}
	switch {
	case o.list:
	case trustprompt.InRun(env):
		return trustprompt.ErrInRun
	case o.revoke:
		err = trust.Revoke(site.Config)
	case o.yes:
		err = site.Accept(env, site.Entries)
	case site.Trusted():
	default:
		err = site.Ask(env)
	}
	if err != nil {
		return err
	}
	if site.Record, err = trust.Load(site.Config); err != nil {
		return err
	}
	showSite(site, env, o)
	return nil
}

// showSite prints whether the repository is trusted, and with --list every entry.
func showSite(s *trustprompt.Site, env *term.Env, o trustOptions) {
	if o.format.Json(env) {
		env.WriteJSON(s.WriteJSON)
		return
	}
	if o.list {
		s.List(env)
	}
	switch changed := len(s.Record.Unaccepted(s.Entries)); {
	case !s.Record.Trusted():
		env.Print("not trusted: no agent is started here")
	case changed > 0:
		env.Print(fmt.Sprintf("trusted on %s; %s changed since", s.Record.At, term.Plural(changed, "file")))
	default:
		env.Print("trusted: agents may work here")
	}
}

const aboutTrust = `Agents read settings, hooks, MCP servers, plugins, skills, prompts and
instructions from the repository that they work in, and run what these say, mostly
without asking. So the commands that start an agent (plan, build) start it only in
a repository that a person has trusted, once per clone. A git ralph init that makes
the plan trusts it too, on a terminal or with --yes.

Without a flag it lists what is here and asks. What was trusted is kept in the
clone's own configuration (.git/config), each file with a hash of its content; git
clone does not copy it. When a file that can run something is new or changed, the
next command asks again. docs/loop.md lists what each agent reads.

In a container or a CI job, where you know what you checked out, use --yes. An
agent cannot trust a repository. Checks, the commands that prove tasks, have a trust
of their own: git ralph trust check.

EXIT STATUS
  0  the repository is trusted; or the flag was carried out
  1  failed; or the answer was no
  2  the command line is wrong, or there is no terminal to ask on

EXAMPLES
  git ralph trust
  git ralph trust --list
  git ralph trust --yes
  git ralph trust --revoke`
