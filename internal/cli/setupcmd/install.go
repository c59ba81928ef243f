package setupcmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/install"
)

// installOptions are the command line of `git ralph install`.
type installOptions struct {
	scope      config.Scope
	attributes bool
	noHooks    bool
	into       string
	force      bool
	yes        bool // delete files that are committed, without asking
	dryRun     bool
	format     cmdline.Format
}

func NewInstall(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:  "install",
		Usage: "let git merge, show and check plans with git ralph",
		Description: `Registers the merge driver and the text form of plans in git's configuration, and
says which file is the plan in git's attributes: by default for this repository, in
.git/config and .git/info/attributes. Each file gets a block of lines between two
comments. git ralph init does this too.

It also puts git's hooks in place: they check plans that are committed, and close the
tasks that a commit message names (docs/hooks.md). git 2.54 and later take them from
the configuration; before that they are blocks in the files of hooks. Hooks that
another tool owns are left to it: --into husky writes them into .husky, and --into
lefthook or pre-commit prints what to add to its file. Nothing is written through a
symbolic link.

What you set yourself for the same names is shown, and nothing is changed; --force
writes ours after it. Installing twice is the same as once. Uninstalling gives each
file back as it was.

.gitattributes is for everybody who clones the repository, so it is written only
with --attributes, or after a question on a terminal. Commit it then.

--global and --system need no repository. They write the attributes to the file that
core.attributesFile names, ~/.config/git/attributes by default, and to git's
gitattributes for the whole machine.

With ralph.mergeConflicts = stop, a conflict that is recorded in a plan stops the
merge; install again after changing it.
` + installExits + `
EXAMPLES
  git ralph install --dry-run
  git ralph install --attributes
  git ralph install --global`,
		Flags: scopeFlags(
			&cli.BoolFlag{Name: "attributes", Usage: "add the plan to .gitattributes too"},
			&cli.BoolFlag{Name: "no-hooks", Usage: "leave git's hooks alone"},
			cmdline.Completes(&cli.StringFlag{Name: "into", Usage: "leave the hooks to `TOOL`: husky, lefthook or pre-commit"}, cmdline.OneOf(string(install.Husky), string(install.Lefthook), string(install.PreCommit))),
			&cli.BoolFlag{Name: "force", Usage: "write even where you set something else"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show every line that would be written, and write none"},
		),
		Action: cmdline.Action(env, installFrom, installOptions.runInstall),
	}
}

const installExits = `
EXIT STATUS
  0  done, or there was nothing to change
  1  it cannot be done; nothing was changed
  2  the command line is wrong
  4  another program is changing one of the files
`

// scopeFlags adds the flags of the scope, and of the format, to a command's own.
func scopeFlags(own ...cli.Flag) []cli.Flag {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "local", Usage: "for this repository (the default)"},
		&cli.BoolFlag{Name: "worktree", Usage: "for this worktree alone, with extensions.worktreeConfig"},
		&cli.BoolFlag{Name: "global", Usage: "for all your repositories"},
		&cli.BoolFlag{Name: "system", Usage: "for all users of this machine"},
	}
	return slices.Concat(flags, own, cmdline.FormatFlags())
}

// installFrom reads the flags of install and uninstall.
func installFrom(c *cli.Context) (installOptions, error) {
	o := installOptions{
		attributes: c.Bool("attributes"), noHooks: c.Bool("no-hooks"), into: c.String("into"), force: c.Bool("force"), yes: c.Bool("yes"), dryRun: c.Bool("dry-run"), format: cmdline.FormatFrom(c),
	}
	for _, scope := range []config.Scope{config.ScopeLocal, config.ScopeWorktree, config.ScopeGlobal, config.ScopeSystem} {
		if !c.Bool(string(scope)) {
			continue
		}
		if o.scope != "" {
			return o, cmdline.Usage(c, "--%s and --%s exclude each other", o.scope, scope)
		}
		o.scope = scope
	}
	if o.scope == "" {
		o.scope = config.ScopeLocal
	}
	if o.attributes && o.outside() {
		return o, cmdline.Usage(c, "--attributes is for a repository, not for --%s", o.scope)
	}
	return o, nil
}

// outside reports whether the scope is outside of any repository.
func (o installOptions) outside() bool {
	return o.scope == config.ScopeGlobal || o.scope == config.ScopeSystem
}

func (o installOptions) runInstall(ctx context.Context, env *term.Env) error {
	request, err := o.request(ctx, env)
	if err != nil {
		return err
	}
	undeclared := !o.outside() && !o.attributes && !install.Declared(request.Repo, request.PlanPath)
	if undeclared && !o.dryRun && env.Interactive {
		request.Attributes = env.Confirm("Add the plan to .gitattributes, for everybody who clones this repository?")
		undeclared = false
	}
	changes, err := applyInstall(ctx, env, request, install.Install)
	if err != nil {
		return err
	}
	snippet, found, err := install.SnippetFor(ctx, request)
	if err != nil {
		return err
	}
	if !found || o.into == "" {
		snippet = install.Snippet{}
	}
	o.print(env, changes, "it is installed already", snippet)
	if file, err := request.Repo.ConfigFiles().AttributesPath(ctx, o.scope); err == nil && file == "" {
		env.Warn("the machine's gitattributes is left alone, since GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM or GIT_ATTR_NOSYSTEM is set")
	}
	if err := o.advise(ctx, env, request); err != nil {
		return err
	}
	switch {
	case !o.dryRun && slices.ContainsFunc(changes, func(c install.Change) bool { return c.Item == install.AttributesName }):
		env.Hint("commit .gitattributes, so that everybody merges plans this way")
	case undeclared:
		env.Hint("--attributes adds `" + install.AttributesLine(request.PlanPath) + "` to .gitattributes, for everybody who clones this repository")
	}
	return nil
}

// advise warns of the hooks that are left to other tools, and hints at how to install them there.
func (o installOptions) advise(ctx context.Context, env *term.Env, request install.Options) error {
	all, err := install.Advise(ctx, request)
	for _, a := range all {
		env.Warn(fmt.Sprintf("not installed: %s: %s", strings.Join(a.Hooks, ", "), a.Why))
		switch a.Into {
		case "":
			env.Hint("a line at the beginning of such a script does the same: git-ralph hook " + a.Hooks[0] + ` "$@" || exit`)
		case install.Husky:
			env.Hint("`git ralph install --into husky` writes them into .husky")
		case request.Into: // its snippet was printed
		default:
			env.Hint(fmt.Sprintf("`git ralph install --into %s` prints what to write into its file", a.Into))
		}
	}
	return err
}

// applyInstall installs or uninstalls. A signal does not end the process between two files.
func applyInstall(
	ctx context.Context, e *term.Env, o install.Options, do func(context.Context, install.Options) ([]install.Change, error),
) (changes []install.Change, err error) {
	err = e.UntilSignal(ctx, func(ctx context.Context) error {
		changes, err = do(ctx, o)
		return err
	})
	return changes, err
}
