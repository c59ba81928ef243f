// Package git is one git repository: where it is, its references and configuration, what its commits hold, what differs in the
// worktree, and pushing. It is opened without a process: the repository is found and its configuration read here, and git runs
// once whenever something looks unusual, because its answer is right by definition.
package git

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"git-ralph/internal/git/config"
	"git-ralph/internal/proc"
)

// Errors of Open.
var (
	// ErrNotRepository: neither the directory nor one above it is a git repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrGone: a .git file or the environment names a git directory that does not exist, as in a linked worktree whose
	// repository was moved or deleted. It wraps ErrNotRepository.
	ErrGone error = goneError{}
	// ErrBare: the command needs a worktree and there is none.
	ErrBare = errors.New("this repository has no worktree here")
)

type goneError struct{}

func (goneError) Error() string { return "the git directory does not exist" }

func (goneError) Unwrap() error { return ErrNotRepository }

// Repo is a repository seen from one worktree. It is safe for use by several goroutines once Config was called.
type Repo struct {
	root      string // worktree, "" where there is none
	gitDir    string // of this worktree
	commonDir string // shared by all worktrees; often gitDir
	format    string // object format, "sha1" or "sha256"
	reftable  bool

	git     *Program
	options Options

	configFiles *config.Files
}

// Options are what only tests set.
type Options struct {
	// Step is called as a transaction reaches each of Steps. A test may end the process there.
	Step func(step string)
}

// Open finds the repository that dir belongs to, as git run in dir with the environment environ (KEY=value) would.
// The errors are ErrNotRepository and git's own refusals, e.g. of a directory that belongs to another user.
func Open(ctx context.Context, dir string, environ []string) (*Repo, error) {
	return OpenWith(ctx, dir, environ, Options{})
}

// OpenWith is Open with Options.
func OpenWith(ctx context.Context, dir string, environ []string, options Options) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if physical, err := filepath.EvalSymlinks(dir); err == nil {
		dir = physical // its parent is that of the directory itself, not of a link to it
	}
	r := &Repo{git: newProgram(environ), options: options}
	found, ok := discover(dir, environ)
	if !ok {
		if found, err = discoverByGit(ctx, r.git, dir); err != nil {
			return nil, err
		}
	}
	r.root, r.gitDir, r.commonDir = found.root, found.gitDir, found.commonDir
	r.format, r.reftable = found.format, found.reftable
	r.git.Dir = cmp.Or(r.root, r.gitDir)
	r.git.Env = childEnviron(r, environ, dir)
	r.configFiles = newConfigFiles(r)
	return r, nil
}

// newProgram finds the program.
func newProgram(environ []string) *Program {
	p := &Program{Path: "git", Environ: environ}
	if path, err := proc.LookPath(p.Path, environ); err == nil {
		p.Path = path
	}
	return p
}

// Git returns the program that works in the repository.
func (r *Repo) Git() *Program { return r.git }

// HasReftable reports whether the references are in a reftable, and not in files.
func (r *Repo) HasReftable() bool { return r.reftable }

// Root returns the worktree's top directory, "" where there is none.
func (r *Repo) Root() string { return r.root }

// GitDir returns this worktree's own git directory.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir returns the git directory that all worktrees share.
func (r *Repo) CommonDir() string { return r.commonDir }

// IDSize returns the size of an object id in bytes, half of that in hex.
func (r *Repo) IDSize() int {
	if r.format == "sha256" {
		return 32
	}
	return 20
}

// Bare reports whether there is no worktree: the repository is bare, or dir was inside the git directory.
func (r *Repo) Bare() bool { return r.root == "" }

// ObjectFormat returns the repository's hash, "sha1" or "sha256".
func (r *Repo) ObjectFormat() string { return r.format }

// IndexPath returns the file of the index, which GIT_INDEX_FILE may move. A symbolic link is followed, as git does.
func (r *Repo) IndexPath() string {
	path := filepath.Join(r.gitDir, "index")
	if v, ok := config.Getenv(r.git.Env, "GIT_INDEX_FILE"); ok && v != "" {
		path = v
	}
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return target
	}
	return path
}

// WithIndex returns the repository with another index.
func (r *Repo) WithIndex(index string) *Repo {
	other, program := *r, *r.git
	program.Env = append(slices.Clip(r.git.Env), "GIT_INDEX_FILE="+index)
	other.git = &program
	return &other
}

// ObjectDir returns the object directory, which GIT_OBJECT_DIRECTORY may move.
func (r *Repo) ObjectDir() string {
	if v, ok := config.Getenv(r.git.Env, "GIT_OBJECT_DIRECTORY"); ok && v != "" {
		return v
	}
	return filepath.Join(r.commonDir, "objects")
}

// Step marks a point of a transaction that others can see, or that a crash could hit.
func (r *Repo) Step(name string) {
	if r.options.Step != nil {
		r.options.Step(name)
	}
}
