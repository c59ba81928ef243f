// Package git is git-ralph's view of one git repository: where it is, how it is configured, what its commits hold, and
// how one file of it is changed by one commit without touching anything else that is the user's.
//
// The git program is the engine. Reading the plan of the worktree needs no process at all: the repository is found and
// its configuration read here, and git is asked once whenever something looks unusual, because its answer is right by
// definition. Everything that changes the repository goes through git, except new blobs and trees, which are plain
// loose objects that nothing refers to yet.
//
// A change is a Tx: Begin takes index.lock and reads HEAD, Prepare makes the commit, Publish shows it.
package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"git-ralph/internal/proc"
)

// Errors of Open.
var (
	// ErrNotRepository: neither the folder nor one above it is a git repository.
	ErrNotRepository = errors.New("not a git repository")
	// ErrGone: a .git file or the environment names a git directory that does not exist, as in a linked worktree whose
	// repository was moved or deleted. It is an ErrNotRepository too.
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

	environ []string // as Open got it
	env     []string // for git's plumbing, see childEnviron
	program string   // git
	options Options
	config  *Config

	supervision *Supervision // of a run; nil without
}

// Options are seams for tests.
type Options struct {
	// Step is called as a transaction reaches each of Steps. A test may end the process there.
	Step func(step string)
}

// Open finds the repository that dir belongs to, as git run in dir with the environment environ (KEY=value) would.
// The errors are ErrNotRepository and git's own refusals, e.g. of a folder that belongs to another user.
func Open(ctx context.Context, dir string, environ []string) (*Repo, error) {
	return OpenWith(ctx, dir, environ, Options{})
}

// OpenWith is Open with seams for tests.
func OpenWith(ctx context.Context, dir string, environ []string, options Options) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if physical, err := filepath.EvalSymlinks(dir); err == nil {
		dir = physical // a folder's parent is where it lies, not where a link to it lies
	}
	r := &Repo{environ: environ, program: "git", options: options}
	if path, err := proc.LookPath(r.program, environ); err == nil {
		r.program = path
	}
	found, ok := discover(dir, environ)
	if !ok {
		if found, err = r.askWhere(ctx, dir); err != nil {
			return nil, err
		}
	}
	r.root, r.gitDir, r.commonDir = found.root, found.gitDir, found.commonDir
	r.format, r.reftable = found.format, found.reftable
	r.env = r.childEnviron(dir)
	return r, nil
}

// Root gives the worktree's top folder, "" where there is none.
func (r *Repo) Root() string { return r.root }

// GitDir gives this worktree's own git folder.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir gives the git folder that all worktrees share.
func (r *Repo) CommonDir() string { return r.commonDir }

// IDSize gives the size of an object id in bytes: 20 or 32.
func (r *Repo) IDSize() int { return r.hexSize() / 2 }

// Bare tells that there is no worktree: a bare repository, or a place inside the git folder.
func (r *Repo) Bare() bool { return r.root == "" }

// ObjectFormat gives the repository's hash, "sha1" or "sha256".
func (r *Repo) ObjectFormat() string { return r.format }

// IndexPath gives the file of the index, which GIT_INDEX_FILE may move. A symbolic link is followed, as git does.
func (r *Repo) IndexPath() string {
	path := filepath.Join(r.gitDir, "index")
	if v, ok := getenv(r.env, "GIT_INDEX_FILE"); ok && v != "" {
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

// hexSize is the length of an object id in hex digits.
func (r *Repo) hexSize() int {
	if r.format == "sha256" {
		return 64
	}
	return 40
}

func (r *Repo) objectDir() string {
	if v, ok := getenv(r.env, "GIT_OBJECT_DIRECTORY"); ok && v != "" {
		return v
	}
	return filepath.Join(r.commonDir, "objects")
}

// step marks a point of a transaction that others can see, or that a crash could hit.
func (r *Repo) step(name string) {
	if r.options.Step != nil {
		r.options.Step(name)
	}
}
