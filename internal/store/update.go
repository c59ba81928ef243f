package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// DefaultLockTimeout is how long a mutation waits for other processes.
const DefaultLockTimeout = 10 * time.Second

// queueTime is how long a wait for the lock shows that mutations queue up. The
// user's own git commands do not queue: they fail at once when the index is
// locked, so a queue leaves gaps of this length for them.
const queueTime = 3 * time.Millisecond

// A Request is one mutation.
type Request struct {
	// Do changes the plan. It may run again when the branch moves meanwhile.
	// Where that brings another plan, the change that it made is merged into it
	// instead. After an error the plan is not used.
	Do func(p *plan.Plan, in Inputs) (plan.Change, error)
	// Mend, where there is one, makes a valid plan of the file before Do changes
	// it, whatever git or people left there. Its error ends the mutation.
	Mend func(Found) (merge.Result, error)
	// Subject is the commit's, without "ralph: "; made from the events where
	// empty.
	Subject string
	// NoCommit leaves the change in the worktree's file.
	NoCommit bool
	// DryRun changes nothing.
	DryRun bool
	// StagedMessage, where not empty, is the message of a commit that takes the
	// user's staged changes along, through git commit and its hooks.
	StagedMessage string
	// Into, where not empty, is the id of the commit that the change belongs
	// to: while HEAD stands there and may be made anew, the change goes into
	// that very commit, under the message that it has. Else it is a commit of
	// its own.
	Into string
	// PutOff commits what earlier mutations wrote in the middle of a merge or
	// the like, even where Do changes nothing.
	PutOff bool
	// Files, where there are any, go into the commit too, as they are on disk: slash-separated paths below the root. The
	// commit goes through git commit and its hooks; Message is its own. What else is staged stays staged.
	Files   []string
	Message string
	// Clean, where there is one, rewrites what is new against HEAD before anything is written: records, events and the user's
	// own edits. It masks what an agent wrote.
	Clean func(jsonl.Object) jsonl.Object
	// OwnEdits commits the user's own edits of the plan even where Do changes nothing.
	OwnEdits bool
	// Keep says which edits go along that are refused else.
	Keep Keep
	// Afresh changes an empty plan where the file is gone from the worktree alone.
	Afresh bool

	recovers bool // commit what a killed mutation left, and nothing else
}

// Keep says which uncommitted edits of the plan a commit includes beyond those that add and change records.
type Keep int

// What is kept. Whoever asks for more than the first has shown the edits to the user.
const (
	KeepSafe     Keep = iota // nothing more
	KeepRemovals             // those that remove records, unless the file is another commit's plan
	KeepAll
)

// Inputs are what a mutation may know beside the plan.
type Inputs struct {
	plan.Stamp
	Head string // the commit at HEAD, in hex; "" on an unborn branch
}

// A Result tells what a mutation did.
type Result struct {
	Change    plan.Change
	Plan      *plan.Plan // as it is now
	Committed bool
	Commit    string // its id, where there is one
	Branch    string // the branch it is on; "" on a detached HEAD
	Reason    string // why nothing was committed, such as "merge in progress"
	OwnEdits  bool   // the user's own edits of the file went along
	Edits     Edits  // what they were
	Regained  bool   // a commit of ours had lost its change when it was amended; it has it again
	Folded    bool   // Commit took the place of the one that the request named

	// Merged tells what was recorded and what gave way where plans were merged
	// on the way; else it is nil.
	Merged *merge.Result
}

// Update runs one transaction. The errors are those of this package, of the
// mutation, *plan.InvalidError, and what git says.
func (s *Store) Update(ctx context.Context, r Request) (Result, error) {
	if s.repo.Bare() {
		return Result{}, ErrBare
	}
	release, err := s.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer release()
	if !r.DryRun {
		if _, err := s.recover(ctx); ctx.Err() != nil {
			return Result{}, err
		} // else the mutation itself commits what was left, or says what is wrong
	}
	return s.persist(ctx, r)
}

// persist runs the request until no other process gets in its way, or until it
// has waited long enough.
func (s *Store) persist(ctx context.Context, r Request) (Result, error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return Result{}, err
	}
	deadline := time.Now().Add(timeout)
	var lost *transaction
	for {
		t := &transaction{Store: s, request: r, lost: lost}
		result, err := t.run(ctx, timeout)
		switch {
		case time.Now().After(deadline):
			return result, err
		case mayPass(err) && s.isChanging():
			time.Sleep(retryTime)
		case !inTheWay(err):
			return result, err
		}
		if t.content != nil {
			lost = t
		}
	}
}

// inTheWay tells whether a mutation failed because another process was at work.
func inTheWay(err error) bool {
	_, locked := errors.AsType[*git.RefLockedError](err)
	return locked || errors.Is(err, git.ErrHeadMoved)
}

// mayPass reports whether an error may be due to a checkout, pull or reset on its
// way, which writes the file and the index before it moves HEAD.
func mayPass(err error) bool {
	_, edits := errors.AsType[*EditsError](err)
	_, missing := errors.AsType[*MissingError](err)
	return edits || missing || errors.Is(err, ErrStaged)
}

// freshTime is how long after a change of file, index or HEAD another one may follow: a busy machine may stop a checkout
// in between.
const freshTime = time.Second

// retryTime is the pause before another look.
const retryTime = 50 * time.Millisecond

// isChanging reports whether git, or somebody else, is likely to be at work on the plan, the index or HEAD.
func (s *Store) isChanging() bool {
	last, locked := s.repo.LastTouched()
	for _, path := range [...]string{s.file(), filepath.Dir(s.file())} {
		if info, err := os.Lstat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return locked || time.Since(last) < freshTime
}

// known returns the ids of the plan's history.
func (s *Store) known() []string {
	if s.opts.Known == nil {
		return nil
	}
	return s.opts.Known(s)
}

func (s *Store) inputs(head string) Inputs {
	return Inputs{Stamp: plan.Stamp{Now: s.opts.Now(), Random: s.opts.Random, Known: s.known}, Head: head}
}

// lock makes this process the worktree's only writer.
func (s *Store) lock(ctx context.Context) (release func(), err error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if slices.Contains(s.opts.Environ, git.CommittingVariable+"=1") {
		return nil, fmt.Errorf("%w: this is a hook of its commit", ErrLocked)
	}
	path := filepath.Join(s.repo.GitDir(), "ralph", "lock")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	asked := time.Now()
	held, err := safefile.Lock(ctx, path, "git ralph")
	if held, ok := errors.AsType[*safefile.HeldError](err); ok {
		return nil, fmt.Errorf("%w: %w", ErrLocked, held)
	}
	if err != nil {
		return nil, err
	}
	if time.Since(asked) > queueTime {
		time.Sleep(queueTime) // others are waiting too: let the user's own commands come in between
	}
	safefile.RemoveTemps(s.repo.GitDir(), noteFile) // of a writer that was killed
	return func() { _ = held.Release() }, nil
}

// AwaitIndex waits, as long as a mutation would, for another git process that keeps the index locked. The error is a
// *git.LockedError.
func (s *Store) AwaitIndex(ctx context.Context) error {
	timeout, err := s.lockTimeout()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return s.repo.AwaitIndex(ctx)
}

// CommitFiles commits files (slash-separated, from the root) as they are, and nothing else, through git commit and the
// user's hooks.
func (s *Store) CommitFiles(ctx context.Context, message string, files ...string) (commit string, err error) {
	release, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return s.commitThroughGit(ctx, message, files...)
}

// commitThroughGit is CommitFiles where the lock is held.
func (s *Store) commitThroughGit(ctx context.Context, message string, files ...string) (commit string, err error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return "", err
	}
	return s.repo.CommitThroughGit(ctx, message, git.CommitOptions{Wait: timeout, Err: s.opts.Err}, files...)
}

// lockTimeout reads ralph.lockTimeout: seconds, or a duration such as "500ms".
func (s *Store) lockTimeout() (time.Duration, error) {
	given, found := s.config.Get("ralph.lockTimeout")
	if !found {
		return DefaultLockTimeout, nil
	}
	timeout, err := time.ParseDuration(given)
	if err != nil {
		timeout, err = time.ParseDuration(given + "s")
	}
	if err != nil || timeout < 0 {
		return 0, fmt.Errorf("%w: ralph.lockTimeout = %q, expected seconds or a duration such as 500ms", ErrConfig, given)
	}
	return timeout, nil
}
