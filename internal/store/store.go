package store

import (
	"context"
	"errors"
	"io"
	"time"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// Errors of View, At and Update, beside *plan.InvalidError and those of the
// mutation itself.
var (
	// ErrEmptyBare says that a repository has no worktree and no commit.
	ErrEmptyBare = errors.New("this repository is bare and has no commit: there is no plan to read")
	// ErrBare says that a repository has no worktree to change a plan in.
	ErrBare = errors.New("this repository is bare: it has no worktree with a plan to change")
	// ErrStaged says that the plan is staged with content of its own.
	ErrStaged = errors.New("the plan is staged with content that is neither the last commit's nor the file's")
	// ErrUnmerged says that a merge left the plan with a conflict.
	ErrUnmerged = errors.New("the plan has an unresolved merge conflict")
	// ErrSparse says that git commit cannot be given a plan that a sparse
	// checkout leaves out.
	ErrSparse = errors.New("the sparse checkout leaves the plan out, so git commit cannot commit it")
	// ErrMoved says that HEAD moved to a commit without a plan, or to one with
	// another plan while the file had uncommitted edits.
	ErrMoved = errors.New("HEAD moved meanwhile to a commit with another plan")
	// ErrLocked says that another process is changing the plan.
	ErrLocked = errors.New("the plan is being changed by another process")
	// ErrSpecOutside says that a spec lies outside of the repository.
	ErrSpecOutside = errors.New("the spec lies outside of the repository")
	// ErrSpecLink says that a spec is reached through a symbolic link. It is not followed: a plan may come from a stranger.
	ErrSpecLink = errors.New("the spec is reached through a symbolic link")
	// ErrNoSpec says that the file of a spec does not exist.
	ErrNoSpec = errors.New("the spec does not exist")
	// ErrSpecHidden says that the name of a spec leads to another file.
	ErrSpecHidden = errors.New("the spec is hidden by another file")
	// ErrConfig says that a setting has an invalid value.
	ErrConfig = errors.New("invalid setting")
)

// Options are what a Store needs from its process.
type Options struct {
	Dir     string           // the directory that the user is in
	Environ []string         // as os.Environ returns it
	Now     func() time.Time // the clock
	Random  func(n int) int  // a random number from 0 to n-1
	// Known returns the ids in the plan's history, which no new record gets; may be nil.
	Known func(*Store) []string
	Err   io.Writer // receives what the user's commit hooks print; may be nil

	Workplans Workplans // that tasks came from; nil: they are not looked at
	Git       git.Options
}

// A Store is the plan of one worktree.
type Store struct {
	repo   *git.Repo
	config *config.Config
	opts   Options
	path   string // of the plan: slash-separated, relative to the root
}

// Open finds the repository and the plan's place in it.
func Open(ctx context.Context, opts Options) (*Store, error) {
	repo, err := git.OpenWith(ctx, opts.Dir, opts.Environ, opts.Git)
	if err != nil {
		return nil, err
	}
	return In(ctx, repo, opts)
}

// In is Open for a repository that was opened in the user's directory.
func In(ctx context.Context, repo *git.Repo, opts Options) (*Store, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	s := &Store{repo: repo, config: config, opts: opts}
	s.path, err = PlanPath(config)
	return s, err
}

// Supervised returns the store with its git commands under supervision.
func (s *Store) Supervised(how git.Supervision) *Store {
	other := *s
	other.repo = s.repo.Supervised(how)
	return &other
}

// Recording returns the store with its git commands in a debug log.
func (s *Store) Recording(log *debuglog.Recorder) *Store {
	other := *s
	other.repo = s.repo.Recording(log)
	return &other
}

// Repo returns the repository.
func (s *Store) Repo() *git.Repo { return s.repo }
