package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// Scope says for whom a setting holds, in git's words.
type Scope string

// The scopes, the weakest first.
const (
	ScopeSystem   Scope = "system"   // for all users of the machine
	ScopeGlobal   Scope = "global"   // for the user
	ScopeLocal    Scope = "local"    // for the repository
	ScopeWorktree Scope = "worktree" // for one worktree of it
)

// Errors of ConfigFile and AttributesFile.
var (
	// ErrNoHome: the environment does not say where the user's files are.
	ErrNoHome = errors.New("there is no place for the user's settings: HOME is not set")
	// ErrNoWorktreeConfig: the repository's worktrees have no configuration of their own.
	ErrNoWorktreeConfig = errors.New("the worktrees of this repository have no configuration of their own")
)

// Outside gives git without a repository, for what concerns the user or the machine. It answers for Config, Settings and
// the files of ScopeGlobal and ScopeSystem.
func Outside(environ []string) *Repo {
	r := &Repo{environ: environ, program: "git"}
	if path, err := proc.LookPath(r.program, environ); err == nil {
		r.program = path
	}
	r.env = append(r.childEnviron(""), "GIT_DIR="+os.DevNull)
	return r
}

// IsOutside tells whether r came from Outside.
func (r *Repo) IsOutside() bool { return r.gitDir == "" }

// ConfigFile gives the file that `git config` writes to in a scope. It need not exist.
func (r *Repo) ConfigFile(ctx context.Context, scope Scope) (string, error) {
	switch scope {
	case ScopeSystem:
		return r.systemFile(ctx)
	case ScopeGlobal:
		return r.globalFile()
	case ScopeWorktree:
		return r.worktreeFile(ctx)
	}
	return filepath.Join(r.commonDir, "config"), nil
}

// systemFile asks git, which was built to know: the editor that it is told to open the file with prints the name.
func (r *Repo) systemFile(ctx context.Context) (string, error) {
	if v, ok := getenv(r.environ, "GIT_CONFIG_SYSTEM"); ok && v != "" {
		return v, nil
	}
	c := r.configCmd("--system", "--edit")
	c.Env = append(c.Env, "GIT_EDITOR=echo")
	res, err := proc.Run(ctx, c)
	return filepath.FromSlash(strings.TrimSpace(string(res.Stdout))), err
}

// globalFile gives the strongest of the user's files that exists, else the one in the home folder.
func (r *Repo) globalFile() (string, error) {
	files := r.userConfig()
	for i := len(files) - 1; i >= 0; i-- {
		if _, err := os.Stat(files[i]); err == nil {
			return files[i], nil
		}
	}
	if len(files) == 0 {
		return "", ErrNoHome
	}
	return files[len(files)-1], nil
}

func (r *Repo) worktreeFile(ctx context.Context) (string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	enabled, err := config.Bool("extensions.worktreeConfig", false)
	if err == nil && !enabled {
		err = ErrNoWorktreeConfig
	}
	return filepath.Join(r.gitDir, "config.worktree"), err
}

// AttributesFile gives the file of attributes outside of worktrees that goes with a scope; "" where there is none, as for
// a machine whose own files git is told not to read. Worktrees share the repository's. It need not exist.
func (r *Repo) AttributesFile(ctx context.Context, scope Scope) (string, error) {
	switch scope {
	case ScopeSystem:
		return r.systemAttributes(ctx)
	case ScopeGlobal:
		return r.userAttributes(ctx)
	}
	return filepath.Join(r.commonDir, "info", "attributes"), nil
}

// systemAttributes asks git, which tells since 2.41; before that the file stands beside the machine's configuration.
// Where GIT_CONFIG_SYSTEM moves that, nothing moves the attributes, and they are left alone.
func (r *Repo) systemAttributes(ctx context.Context) (string, error) {
	if hasAny(r.environ, []string{"GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ATTR_NOSYSTEM"}) {
		return "", nil
	}
	if file, err := r.run(ctx, nil, "var", "GIT_ATTR_SYSTEM"); err == nil {
		return filepath.FromSlash(file), nil
	}
	config, err := r.systemFile(ctx)
	return filepath.Join(filepath.Dir(config), "gitattributes"), err
}

func (r *Repo) userAttributes(ctx context.Context) (string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	if v, ok := config.Get("core.attributesFile"); ok {
		file := expandHome(v, r.home())
		if !filepath.IsAbs(file) {
			return "", fmt.Errorf("%w: core.attributesFile is %q, expected an absolute path or one below ~/", ErrConfig, v)
		}
		return file, nil
	}
	if xdg := r.xdg(); xdg != "" {
		return filepath.Join(xdg, "git", "attributes"), nil
	}
	return "", ErrNoHome
}

// Setting is one value of the configuration and where it was set.
type Setting struct {
	File  string // absolute; "" where no file did, as with `git -c`
	Key   string // section and name in lower case
	Value string
}

// Settings asks git for all settings whose key matches a regular expression, in all scopes, the strongest last.
func (r *Repo) Settings(ctx context.Context, pattern string) ([]Setting, error) {
	c := r.configCmd("-z", "--includes", "--show-origin", "--get-regexp", pattern)
	res, err := proc.Run(ctx, c)
	if err != nil && proc.ExitCode(err) != 1 { // 1: none matches
		return nil, err
	}
	var settings []Setting
	items := strings.Split(string(res.Stdout), "\x00")
	for i := 0; i+1 < len(items); i += 2 {
		key, value, _ := strings.Cut(items[i+1], "\n")
		s := Setting{Key: key, Value: value}
		if file, ok := strings.CutPrefix(items[i], "file:"); ok {
			s.File = resolve(c.Dir, file)
		}
		settings = append(settings, s)
	}
	return settings, nil
}
