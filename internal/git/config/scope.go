package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Scope is one of git's scopes: for whom a setting applies.
type Scope string

// The scopes in order of increasing precedence.
const (
	ScopeSystem   Scope = "system"   // for all users of the machine
	ScopeGlobal   Scope = "global"   // for the user
	ScopeLocal    Scope = "local"    // for the repository
	ScopeWorktree Scope = "worktree" // for one worktree of it
)

// Errors of Path and AttributesPath.
var (
	// ErrNoHome: the environment does not name the user's home directory.
	ErrNoHome = errors.New("cannot find the user's settings: HOME is not set")
	// ErrNoWorktreeConfig: the repository's worktrees have no configuration of their own.
	ErrNoWorktreeConfig = errors.New("the worktrees of this repository have no configuration of their own")
)

// Path returns the file that `git config` writes to in a scope. It need not exist.
func (f *Files) Path(ctx context.Context, scope Scope) (string, error) {
	switch scope {
	case ScopeSystem:
		return f.systemFile(ctx)
	case ScopeGlobal:
		return f.globalFile()
	case ScopeWorktree:
		return f.worktreeFile(ctx)
	}
	return filepath.Join(f.CommonDir, "config"), nil
}

// systemFile has git print the path, which is compiled into it: the editor that opens the file is "echo".
func (f *Files) systemFile(ctx context.Context) (string, error) {
	if v, ok := Getenv(f.Environ, "GIT_CONFIG_SYSTEM"); ok && v != "" {
		return v, nil
	}
	out, err := f.Run(ctx, "config", "--system", "--edit")
	return filepath.FromSlash(strings.TrimSpace(string(out))), err
}

// globalFile returns the user's existing file with the highest precedence, else the one in the home directory.
func (f *Files) globalFile() (string, error) {
	files := f.userConfig()
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

func (f *Files) worktreeFile(ctx context.Context) (string, error) {
	config, err := f.Read(ctx)
	if err != nil {
		return "", err
	}
	enabled, err := config.Bool("extensions.worktreeConfig", false)
	if err == nil && !enabled {
		err = ErrNoWorktreeConfig
	}
	return filepath.Join(f.GitDir, "config.worktree"), err
}

// IsOwn reports whether a file of settings is the repository's own, and not the user's or the machine's.
func (f *Files) IsOwn(file string) bool {
	inside, err := filepath.Rel(f.CommonDir, file)
	return file != "" && err == nil && filepath.IsLocal(inside)
}
