package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// DefaultPath is where the plan lies below the worktree's root.
const DefaultPath = "ralph/plan.jsonl"

// Errors of View, At and Update, beside *plan.InvalidError and those of the
// mutation itself.
var (
	// ErrBare says that a repository has no worktree to change a plan in.
	ErrBare = errors.New("this repository is bare: it has no worktree whose plan could change")
	// ErrStaged says that the plan is staged with content of its own.
	ErrStaged = errors.New("the plan is staged with content that is neither the last commit's nor the file's")
	// ErrUnmerged says that a merge left the plan with a conflict.
	ErrUnmerged = errors.New("the plan has an unresolved merge conflict")
	// ErrSparse says that git commit cannot be given a plan that a sparse
	// checkout leaves out.
	ErrSparse = errors.New("the sparse checkout leaves the plan out, so it cannot be committed through git commit")
	// ErrMoved says that HEAD moved to a commit without a plan, or to one with
	// another plan while the file had edits that are not committed.
	ErrMoved = errors.New("HEAD moved meanwhile to where the plan is another one")
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
	// ErrConfig says that a setting has a value that it cannot have.
	ErrConfig = errors.New("bad setting")
)

// Options are what a Store needs from outside.
type Options struct {
	Dir     string           // the folder that the user is in
	Environ []string         // as os.Environ returns it
	Now     func() time.Time // the clock
	Random  func(n int) int  // a random number from 0 to n-1
	// Known returns the ids that the plan's history knows, which no new record is given; may be nil.
	Known func(*Store) []string
	Err   io.Writer // takes what the user\'s commit hooks print; may be nil
}

// A Store is the plan of one worktree.
type Store struct {
	repo   *git.Repo
	config *git.Config
	opts   Options
	path   string // of the plan: slash-separated, relative to the root
}

// Open finds the repository and the plan's place in it.
func Open(ctx context.Context, opts Options) (*Store, error) {
	repo, err := git.Open(ctx, opts.Dir, opts.Environ)
	if err != nil {
		return nil, err
	}
	config, err := repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	s := &Store{repo: repo, config: config, opts: opts}
	s.path, err = PlanPath(config)
	return s, err
}

// PlanPath returns where a configuration says that the plan lies:
// slash-separated, relative to the worktree's root. The error is ErrConfig.
func PlanPath(config *git.Config) (string, error) {
	paths := config.Strongest("ralph.plan")
	if len(paths) == 0 {
		return DefaultPath, nil
	}
	return cleanPath("ralph.plan", paths[0])
}

// cleanPath checks a path from the configuration: it may not leave the
// worktree, whoever wrote it there.
func cleanPath(key, given string) (string, error) {
	clean := path.Clean(filepath.ToSlash(given))
	hasControl := strings.ContainsFunc(given, func(r rune) bool { return r < 0x20 || r == 0x7f })
	if !filepath.IsLocal(given) || clean == "." || hasControl || slices.ContainsFunc(strings.Split(clean, "/"), isGitFolder) {
		return "", fmt.Errorf("%w: %s = %q, expected a path within the worktree", ErrConfig, key, given)
	}
	return clean, nil
}

// isGitFolder tells whether git, on any system, would take a name for that of
// its own folder.
func isGitFolder(name string) bool {
	name = strings.TrimRight(strings.ToLower(name), " .")
	return name == ".git" || name == "git~1"
}

// Supervised returns the store with its git commands under supervision.
func (s *Store) Supervised(how git.Supervision) *Store {
	other := *s
	other.repo = s.repo.Supervised(how)
	return &other
}

// Repo returns the repository.
func (s *Store) Repo() *git.Repo { return s.repo }

// PlanPath returns the plan's place: slash-separated, relative to the
// worktree's root.
func (s *Store) PlanPath() string { return s.path }

// HasFile reports whether the worktree has a file in the plan's place.
func (s *Store) HasFile() bool {
	_, err := os.Lstat(filepath.Join(s.repo.Root(), filepath.FromSlash(s.path)))
	return err == nil
}

// PlanPaths returns the plan's place and those that it had before: the further
// values of ralph.plan.
func (s *Store) PlanPaths() []string {
	paths := []string{s.path}
	for _, given := range s.config.Strongest("ralph.plan") {
		if clean, err := cleanPath("ralph.plan", given); err == nil && !slices.Contains(paths, clean) {
			paths = append(paths, clean)
		}
	}
	return paths
}

// A Snapshot is a plan as it stands somewhere.
type Snapshot struct {
	Plan     *plan.Plan // of what can be read
	Problems plan.Problems
	Exists   bool   // there is a file; without one the plan is empty
	Missing  bool   // the worktree's file is gone, and this is HEAD's plan
	File     string // how errors name it, such as "ralph/plan.jsonl" or "HEAD~2:ralph/plan.jsonl"
	file     file
}

// Valid returns the plan, or a *plan.InvalidError.
func (s Snapshot) Valid() (*plan.Plan, error) {
	if len(s.Problems) > 0 {
		return nil, &plan.InvalidError{File: s.File, Problems: s.Problems}
	}
	return s.Plan, nil
}

// Errors returns everything that makes the plan invalid. Where lines could not
// be read, the rest is not judged.
func (s Snapshot) Errors() plan.Problems {
	errs := s.Problems.Errors()
	if s.Problems.Readable() {
		errs = append(errs, plan.Check(s.Plan, false).Errors()...)
	}
	return errs
}

// snapshot decodes the content of a plan file.
func snapshot(name string, data []byte, exists bool) Snapshot {
	p, problems := plan.DecodeBytes(data)
	return Snapshot{Plan: p, Problems: problems, Exists: exists, File: name, file: file{data, exists}}
}

// View reads the worktree's plan. Where a sparse checkout leaves the file out,
// it is the one in the index; in a bare repository, and where the file is gone
// and the index still has it, the one at HEAD.
func (s *Store) View(ctx context.Context) (Snapshot, error) {
	if s.repo.Bare() {
		return s.At(ctx, "HEAD")
	}
	data, exists, err := s.read()
	if err == nil && !exists {
		data, exists, err = s.repo.SkippedFile(ctx, s.path)
	}
	if err != nil {
		return Snapshot{}, err
	}
	if !exists {
		return s.missing(ctx)
	}
	return snapshot(s.path, data, exists), nil
}

// missing reads HEAD's plan for a file that is gone; an empty plan where the index
// has none either: then it was meant to go.
func (s *Store) missing(ctx context.Context) (Snapshot, error) {
	none := snapshot(s.path, nil, false)
	tracked, err := s.repo.Tracked(ctx, s.path)
	if err != nil || !tracked {
		return none, err
	}
	head, err := s.At(ctx, "HEAD")
	if errors.Is(err, git.ErrBadRevision) || err == nil && !head.Exists {
		return none, nil
	}
	head.Missing = true
	return head, err
}

// At reads the plan of a commit. A commit without one has an empty plan.
func (s *Store) At(ctx context.Context, rev string) (Snapshot, error) {
	reader := s.repo.Reader(ctx)
	defer reader.Close()
	commit, err := reader.Resolve(rev)
	if err != nil {
		return Snapshot{}, err
	}
	blob, err := reader.File(commit, s.path)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return Snapshot{}, err
	}
	if smudge := s.repo.Smudge(ctx, s.path); smudge != nil && err == nil {
		if blob.Data, err = smudge(blob.ID); err != nil {
			return Snapshot{}, err
		}
	}
	return snapshot(rev+":"+s.path, blob.Data, err == nil), nil
}

// Staged reads the plan as it is staged; in a hook, as it is about to be
// committed. Ours tells whether commands of ours wrote it so.
func (s *Store) Staged(ctx context.Context) (snap Snapshot, ours bool, err error) {
	data, exists, err := s.repo.StagedFile(ctx, s.path)
	if err != nil {
		return Snapshot{}, false, err
	}
	return snapshot(s.path, data, exists), s.readNote().isOurs(file{data, exists}), nil
}

// Resolve returns the id of the commit that a revision names. The error is
// git.ErrBadRevision where it names none.
func (s *Store) Resolve(ctx context.Context, rev string) (string, error) {
	reader := s.repo.Reader(ctx)
	defer reader.Close()
	return reader.Resolve(rev)
}

// read returns the content of the plan's file in the worktree. It does not
// follow symbolic links: what lies behind one is not the plan's to show.
func (s *Store) read() (data []byte, exists bool, err error) {
	if err := safefile.Check(s.repo.Root(), s.path); err != nil {
		return nil, false, err
	}
	data, err = os.ReadFile(s.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// file returns the plan's place in the file system.
func (s *Store) file() string {
	return filepath.Join(s.repo.Root(), filepath.FromSlash(s.path))
}
