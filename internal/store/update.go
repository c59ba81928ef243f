package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// DefaultLockTimeout is how long a mutation waits for other processes.
const DefaultLockTimeout = 10 * time.Second

// maxAttempts bounds how often a mutation starts anew because the branch moved
// under it.
const maxAttempts = 20

// planMode is the permissions of a new plan file, less the umask.
const planMode = 0o666

// A Request is one mutation.
type Request struct {
	// Do changes the plan. It may run again, on another plan, when the branch
	// moves meanwhile. After an error the plan is not used.
	Do func(p *plan.Plan, in Inputs) (plan.Change, error)
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
}

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
}

// Update runs one transaction. The errors are those of this package, of the
// mutation, *plan.InvalidError, and what git says.
func (s *Store) Update(ctx context.Context, r Request) (Result, error) {
	if s.repo.Bare() {
		return Result{}, ErrBare
	}
	if r.DryRun {
		return s.dryRun(ctx, r)
	}
	release, err := s.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer release()
	for attempt := 1; ; attempt++ {
		result, err := s.transact(ctx, r)
		if !errors.Is(err, git.ErrHeadMoved) || attempt == maxAttempts {
			return result, err
		}
	}
}

// dryRun applies the mutation to the worktree's plan and forgets it.
func (s *Store) dryRun(ctx context.Context, r Request) (Result, error) {
	snap, err := s.View(ctx)
	if err != nil {
		return Result{}, err
	}
	p, err := snap.Valid()
	if err != nil {
		return Result{}, err
	}
	head, err := s.Resolve(ctx, "HEAD")
	if err != nil && !errors.Is(err, git.ErrBadRevision) {
		return Result{}, err
	}
	change, err := r.Do(p, s.inputs(head))
	return Result{Change: change, Plan: p, Reason: "dry run"}, err
}

func (s *Store) inputs(head string) Inputs {
	return Inputs{Stamp: plan.Stamp{Now: s.opts.Now(), Random: s.opts.Random}, Head: head}
}

// lock makes this process the worktree's only writer.
func (s *Store) lock(ctx context.Context) (release func(), err error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	path := filepath.Join(s.repo.GitDir(), "ralph", "lock")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	held, err := safefile.Lock(ctx, path, "git ralph")
	if held, ok := errors.AsType[*safefile.HeldError](err); ok {
		return nil, fmt.Errorf("%w: %w", ErrLocked, held)
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = held.Release() }, nil
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

// A transaction is one attempt at a Request. The worktree's lock is held.
type transaction struct {
	*Store
	request Request
	tx      *git.Tx
	now     time.Time
	mode    commitMode
	reason  string // why mode is not to commit
	before  file   // the plan as it was found
	skipped bool   // it is in the index alone: a sparse checkout leaves it out
	own     bool   // before is not what HEAD has
}

// file is the content of a file that may not exist.
type file struct {
	data   []byte
	exists bool
}

// transact runs the request once. With git.ErrHeadMoved everything is as it
// was, and it may be run again.
func (s *Store) transact(ctx context.Context, r Request) (Result, error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return Result{}, err
	}
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	tx, err := s.repo.Begin(waiting, s.path)
	if err != nil {
		return Result{}, err
	}
	defer tx.Close()
	t := &transaction{Store: s, request: r, tx: tx}
	if err := t.chooseMode(); err != nil {
		return Result{}, err
	}
	return t.run(ctx)
}

func (t *transaction) run(ctx context.Context) (Result, error) {
	if err := t.load(); err != nil {
		return Result{}, err
	}
	p, err := snapshot(t.path, t.before.data, t.before.exists).Valid()
	if err != nil {
		return Result{}, err
	}
	inputs := t.inputs(t.tx.Head())
	t.now = inputs.Now
	change, err := t.request.Do(p, inputs)
	if err != nil {
		return Result{}, err
	}
	result := Result{Change: change, Plan: p, Branch: t.tx.Branch(), OwnEdits: t.own, Reason: t.reason}
	if change.Empty() {
		result.Reason = "nothing changed"
		return result, nil
	}
	content := p.Encode()
	if _, problems := plan.Decode(string(content)); len(problems) > 0 {
		return Result{}, &plan.InvalidError{File: t.path, Problems: problems}
	}
	result.Commit, err = t.save(ctx, content, change.Events)
	result.Committed = result.Commit != ""
	return result, err
}

// load reads the plan that the mutation starts from, and refuses states in
// which a commit would take something along that the user did not mean.
func (t *transaction) load() error {
	index := t.tx.Index()
	if index.State == git.IndexUnmerged {
		return ErrUnmerged
	}
	staged, err := contentOf(t.tx.IndexContent())
	if err != nil {
		return err
	}
	head, err := contentOf(t.tx.HeadContent())
	if err != nil {
		return err
	}
	data, exists, err := t.read()
	if err != nil {
		return err
	}
	t.before = file{data: data, exists: exists}
	if !exists && index.SkipWorktree {
		t.before, t.skipped = staged, true
	}
	t.own = !t.before.same(head)
	if index.State == git.IndexOther && !t.before.same(staged) {
		return ErrStaged
	}
	return nil
}

func contentOf(data []byte, exists bool, err error) (file, error) {
	return file{data: data, exists: exists}, err
}

// same tells whether two files are alike but for the line endings, which git
// may convert between the worktree and its objects.
func (f file) same(other file) bool {
	if f.exists != other.exists {
		return false
	}
	return bytes.Equal(f.data, other.data) || bytes.Equal(unixLines(f.data), unixLines(other.data))
}

func unixLines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// save writes the plan as the mode says and returns the commit, if any. After
// an error the file is as it was.
func (t *transaction) save(ctx context.Context, content []byte, events []plan.Event) (commit string, err error) {
	message := t.message(events)
	if t.mode == commitAlone {
		if err := t.tx.Prepare(content, message); err != nil {
			return "", err
		}
	}
	if err := t.write(content); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = t.restore(content, err)
		}
	}()
	switch t.mode {
	case commitAlone:
		return t.tx.Commit(), t.tx.Publish()
	case commitThroughGit:
		t.tx.Close()
		return t.repo.CommitThroughGit(ctx, message, git.CommitOptions{}, t.path)
	case commitWithStaged:
		t.tx.Close()
		both := joinMessages(t.request.StagedMessage, message)
		return t.repo.CommitThroughGit(ctx, both, git.CommitOptions{WithStaged: true}, t.path)
	case stageOnly:
		return "", t.tx.Stage(content)
	}
	return "", nil
}

func (t *transaction) write(content []byte) error {
	if t.skipped {
		return nil
	}
	return safefile.Write(t.repo.Root(), t.path, content, planMode)
}

// restore puts the file back that was there before, unless somebody else has
// written it since, and passes the reason on.
func (t *transaction) restore(written []byte, reason error) error {
	if t.skipped {
		return reason
	}
	now, exists, err := t.read()
	if err != nil || !exists || !bytes.Equal(now, written) {
		return errors.Join(reason, err)
	}
	if !t.before.exists {
		return errors.Join(reason, os.Remove(t.file()))
	}
	return errors.Join(reason, safefile.Write(t.repo.Root(), t.path, t.before.data, planMode))
}

// message describes the commit. The user's own edits of the file, where they
// go along, are an event too.
func (t *transaction) message(events []plan.Event) string {
	if t.own {
		events = append(events, plan.Event{Name: plan.EventUpdated})
	}
	return message{
		subject: t.request.Subject, events: events, at: t.now,
		by: t.authorAddress(), branch: t.tx.Branch(),
	}.String()
}

// joinMessages puts the trailers of a plan commit below the user's message.
func joinMessages(own, message string) string {
	_, trailers, _ := strings.Cut(message, "\n\n")
	return strings.TrimRight(own, "\n") + "\n\n" + trailers
}
