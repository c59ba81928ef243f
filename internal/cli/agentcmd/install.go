package agentcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
)

// installOptions are the command line of `git ralph agent install` and `uninstall`.
type installOptions struct {
	agent  string
	name   string // of the command
	scope  agentkit.Scope
	dryRun bool
	format cmdline.Format
}

const agentExits = `

EXIT STATUS
  0  done, or there was nothing to change
  1  it cannot be done; nothing was changed
  2  the command line is wrong
  4  another program is changing one of the files
`

func newInstall(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "install", Usage: "put hooks and skills where an agent reads them", ArgsUsage: "AGENT",
		Description: `Adds the hooks and the MCP server to the agent's settings, where everything else stays
byte for byte, and puts the skills beside them: for this repository, or with --user for
all of yours.
Installing again brings everything up to date. A file that is not what git ralph
installed is left alone, and listed.

Codex asks you to trust the hooks before they run (/hooks). What is installed for a
repository is part of what git ralph trust shows.` + agentExits + `
EXAMPLES
  git ralph agent install claude --dry-run
  git ralph agent install claude
  git ralph agent install gemini --user`,
		Flags:        installFlags(),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(cmdline.OneOf(agentkit.Agents()...))),
		Action:       cmdline.Action(env, installFrom, installOptions.install),
	}
}

func newUninstall(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "uninstall", Usage: "remove what agent install put there", ArgsUsage: "AGENT",
		Description: `Removes our entries from the agent's settings, and the files that were installed: what
is left is byte for byte what was there before. A file that was changed since is left
alone, and listed.` + agentExits + `
EXAMPLES
  git ralph agent uninstall claude`,
		Flags:        installFlags(),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(cmdline.OneOf(agentkit.Agents()...))),
		Action:       cmdline.Action(env, installFrom, installOptions.uninstall),
	}
}

func installFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "project", Usage: "for this repository (the default)"},
		&cli.BoolFlag{Name: "user", Usage: "for all your repositories"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show which files would change, and change none"},
	}, cmdline.FormatFlags()...)
}

func installFrom(c *cli.Context) (installOptions, error) {
	o := installOptions{agent: c.Args().First(), name: c.Command.Name, scope: agentkit.Project, dryRun: c.Bool("dry-run"), format: cmdline.FormatFrom(c)}
	switch {
	case o.agent == "":
		return o, cmdline.Usage(c, "%s takes an agent: %s", c.Command.Name, strings.Join(agentkit.Agents(), ", "))
	case c.Bool("user") && c.Bool("project"):
		return o, cmdline.Usage(c, "--user and --project exclude each other")
	case c.Bool("user"):
		o.scope = agentkit.User
	}
	return o, nil
}

func (o installOptions) install(ctx context.Context, env *term.Env) error {
	return o.apply(ctx, env, agentkit.Places.Install, "it is installed already")
}

func (o installOptions) uninstall(ctx context.Context, env *term.Env) error {
	return o.apply(ctx, env, agentkit.Places.Uninstall, "it is not installed")
}

// apply carries out and prints changes.
func (o installOptions) apply(
	ctx context.Context, env *term.Env, find func(agentkit.Places, string, agentkit.Scope) ([]agentkit.Change, error), nothing string,
) error {
	places, err := placesOf(ctx, env, o.scope)
	if err != nil {
		return err
	}
	changes, err := find(places, o.agent, o.scope)
	if errors.Is(err, agentkit.ErrAgent) {
		return &cmdline.UsageError{Text: err.Error(), Command: cmdline.Program + " agent " + o.name}
	}
	if errors.Is(err, agentkit.ErrLink) {
		return &cmdline.HintedError{Err: err, Hint: "put a file or directory in its place; --user is for you alone, and follows links"}
	}
	if err == nil && !o.dryRun {
		places.RemoveLeftovers(o.agent, o.scope)
		err = env.UntilSignal(ctx, func(context.Context) error { return agentkit.Apply(changes) })
	}
	if err != nil {
		return err
	}
	o.print(env, changes, nothing)
	return nil
}

// placesOf returns where agents look.
func placesOf(ctx context.Context, env *term.Env, scope agentkit.Scope) (agentkit.Places, error) {
	p := agentkit.Places{Home: agentkit.HomeOf(env.Getenv), Getenv: env.Getenv}
	if scope == agentkit.User {
		if p.Home == "" {
			return p, errors.New("the home directory is unknown: HOME is not set")
		}
		return p, nil
	}
	repo, err := git.Open(ctx, env.Dir, env.Environ)
	if err != nil {
		return p, &cmdline.HintedError{Err: err, Hint: "run it in a repository; --user is for all of yours"}
	}
	if repo.Bare() {
		return p, errors.New("the repository is bare: it has no worktree that agents could read")
	}
	p.Root = repo.Root()
	return p, nil
}

func (o installOptions) print(env *term.Env, changes []agentkit.Change, nothing string) {
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) {
			term.WriteArray(w, len(changes), func(i int) {
				out := term.Object{Sink: w}
				out.Str("path", changes[i].Path)
				out.Str("action", string(changes[i].Action))
				out.StrIf("why", changes[i].Why)
				out.End()
			})
		})
		return
	}
	for _, c := range changes {
		line := fmt.Sprintf("%s %s", c.Action, relative(env, c.Path))
		if c.Why != "" {
			line += ": " + c.Why
		}
		env.Print(line)
	}
	if len(changes) == 0 {
		env.Print(nothing)
	}
}

// relative returns a path from the user's directory, where it is below that.
func relative(env *term.Env, path string) string {
	if rel, err := filepath.Rel(env.Dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
