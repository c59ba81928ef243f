package setupcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/install"
	"git-ralph/internal/trust"
)

func NewUninstall(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:  "uninstall",
		Usage: "remove what install wrote to git's files",
		Description: `Takes our blocks out of git's configuration and attributes, and leaves each file
as it was before install, byte for byte. What you changed around a block stays, and
so does what you wrote into one.

A .gitattributes that is committed serves everybody who has the repository, so it
stays; --attributes takes our lines out, for you to commit. uninstall asks
before it deletes a committed file because nothing else is in it; --yes agrees.

The plan stays, and so does .git/ralph, with the journals of runs; the command that
removes it is printed.
` + installExits + `
EXAMPLES
  git ralph uninstall --dry-run
  git ralph uninstall
  git ralph uninstall --global`,
		Flags: scopeFlags(
			&cli.BoolFlag{Name: "attributes", Usage: "take the plan out of .gitattributes too"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "delete files that are committed, without asking"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show every line that would go, and change nothing"},
		),
		Action: cmdline.Action(env, installFrom, installOptions.runUninstall),
	}
}

func (o installOptions) runUninstall(ctx context.Context, env *term.Env) error {
	request, err := o.removal(ctx, env)
	if err != nil {
		return err
	}
	if err := o.agreeToDelete(ctx, env, request); err != nil {
		return err
	}
	changes, err := applyInstall(ctx, env, request, install.Uninstall)
	if err != nil {
		return err
	}
	kept, err := o.kept(ctx, request.Repo)
	if err != nil {
		return err
	}
	o.printRemoved(env, changes, kept)
	if !o.outside() && !o.attributes && !request.Repo.Bare() && install.Committed(ctx, request.Repo) {
		env.Hint(".gitattributes is committed, for everybody, and stays; --attributes takes our lines out of it")
	}
	return nil
}

// agreeToDelete asks before files are deleted that the last commit has.
func (o installOptions) agreeToDelete(ctx context.Context, env *term.Env, request install.Options) error {
	if o.yes || o.dryRun || o.outside() || request.Repo.Bare() {
		return nil
	}
	request.DryRun = true
	changes, err := install.Uninstall(ctx, request)
	if err != nil {
		return err
	}
	paths := install.DeletedFromCommit(ctx, request.Repo, changes)
	switch {
	case len(paths) == 0:
		return nil
	case !env.Interactive:
		return &cmdline.HintedError{
			Err: fmt.Errorf("%s would be deleted, and others have it: the last commit does; nothing was changed", strings.Join(paths, ", ")), Hint: "--yes deletes it",
		}
	case !env.Confirm("Delete " + strings.Join(paths, ", ") + ", which the last commit has?"):
		return term.ErrAborted
	}
	return nil
}

// A keptItem is something that uninstall keeps, with the command that removes it.
type keptItem struct{ what, remove string }

// kept lists what uninstall keeps.
func (o installOptions) kept(ctx context.Context, repo *git.Repo) ([]keptItem, error) {
	if o.outside() {
		return nil, nil
	}
	var all []keptItem
	dir := filepath.Join(repo.GitDir(), "ralph")
	if _, err := os.Lstat(dir); err == nil {
		all = append(all, keptItem{dir, term.ShellLine([]string{"rm", "-r", dir})})
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	config, err := repo.ConfigFiles().Path(ctx, config.ScopeLocal)
	if err != nil {
		return nil, err
	}
	if record, err := trust.Load(config); err == nil && record.Trusted() {
		all = append(all, keptItem{"the trust in this repository", "git ralph trust --revoke"})
	}
	return all, nil
}

// printRemoved prints what was removed, and what was kept.
func (o installOptions) printRemoved(env *term.Env, changes []install.Change, kept []keptItem) {
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { o.write(w, changes, install.Snippet{}, kept) })
		return
	}
	switch {
	case o.dryRun:
		o.print(env, changes, "it is not installed", install.Snippet{})
		return
	case len(changes) == 0:
		env.Print("nothing to change: it is not installed")
	}
	for _, c := range changes {
		if c.Deleted {
			env.Print(fmt.Sprintf("removed %s (%s)", c.File, c.Item))
		} else {
			env.Print(fmt.Sprintf("removed from %s (%s)", c.File, c.Item))
		}
	}
	for _, k := range kept {
		env.Print(fmt.Sprintf("kept %s; `%s` removes it", k.what, k.remove))
	}
}
