package setupcmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/install"
	"git-ralph/internal/mergedriver"
	"git-ralph/internal/store"
)

// repo opens the repository, where the scope needs one.
func (o installOptions) repo(ctx context.Context, env *term.Env) (*git.Repo, error) {
	if o.outside() {
		return git.OutsideRepository(env.Environ), nil
	}
	repo, err := git.Open(ctx, env.Dir, env.Environ)
	if errors.Is(err, git.ErrNotRepository) {
		err = &cmdline.HintedError{Err: err, Hint: "run it in a repository; --global installs for all of yours"}
	}
	return repo, err
}

// request returns the request to install.
func (o installOptions) request(ctx context.Context, env *term.Env) (install.Options, error) {
	repo, err := o.repo(ctx, env)
	if err != nil {
		return install.Options{}, err
	}
	settings, err := repo.Config(ctx)
	if err != nil {
		return install.Options{}, err
	}
	path, err := store.PlanPath(settings)
	if err != nil {
		return install.Options{}, err
	}
	return o.requestIn(ctx, repo, path)
}

// removal returns the request to uninstall. What was installed is recognised by its content,
// so an invalid setting does not matter.
func (o installOptions) removal(ctx context.Context, env *term.Env) (install.Options, error) {
	repo, err := o.repo(ctx, env)
	if err != nil {
		return install.Options{}, err
	}
	path := store.DefaultPath
	if config, err := repo.Config(ctx); err == nil {
		if configured, err := store.PlanPath(config); err == nil {
			path = configured
		}
	}
	return o.options(repo, path, mergedriver.Command(false)), nil
}

// requestIn returns the request to install in a repository that is open.
func (o installOptions) requestIn(ctx context.Context, repo *git.Repo, plan string) (install.Options, error) {
	settings, err := repo.Config(ctx)
	if err != nil {
		return install.Options{}, err
	}
	driver, err := planio.MergeDriver(settings)
	if err != nil {
		return install.Options{}, err
	}
	return o.options(repo, plan, driver), nil
}

func (o installOptions) options(repo *git.Repo, plan, driver string) install.Options {
	return install.Options{
		Repo: repo, Scope: o.scope, PlanPath: plan, Driver: driver, FormerDrivers: mergedriver.Commands(),
		Attributes: o.attributes, Force: o.force, DryRun: o.dryRun,
		Hooks: !o.noHooks && o.scope == config.ScopeLocal, Program: programPath(), Into: install.Manager(o.into),
	}
}

// programPath returns the path of this program, for hooks that do not find it on their
// PATH.
func programPath() string {
	path, err := os.Executable()
	if err != nil {
		return "git-ralph"
	}
	return filepath.ToSlash(path)
}
