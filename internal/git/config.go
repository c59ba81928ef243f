package git

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/git/config"
	"git-ralph/internal/proc"
)

// Config returns the configuration that git would use.
func (r *Repo) Config(ctx context.Context) (*config.Config, error) { return r.configFiles.Read(ctx) }

// ConfigFiles returns where the configuration is.
func (r *Repo) ConfigFiles() *config.Files { return r.configFiles }

// newConfigFiles returns the repository's configuration files. GIT_CONFIG is not passed on, because it restricts `git config`
// to one file.
func newConfigFiles(r *Repo) *config.Files {
	c := r.git.Cmd()
	c.Env = slices.DeleteFunc(slices.Clone(c.Env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_CONFIG=") })
	c.Env = append(c.Env, "GIT_EDITOR=echo")
	run := func(ctx context.Context, args ...string) ([]byte, error) {
		c := c
		c.Args = args
		res, err := proc.Run(ctx, c)
		if proc.ExitCode(err) == 1 && slices.Contains(args, "--get-regexp") {
			return nil, nil // none matches
		}
		return res.Stdout, err
	}
	return &config.Files{Environ: r.git.Environ, Program: r.git.Path, Dir: c.Dir, GitDir: r.gitDir, CommonDir: r.commonDir, Run: run}
}
