package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// planMode is the permissions of a new plan file, less the umask.
const planMode = 0o666

// A transaction is one attempt at a Request. The worktree's lock is held.
type transaction struct {
	*Store
	request   Request
	tx        *git.Tx
	now       time.Time
	mode      commitMode
	operation string        // what the worktree is in the middle of; "" for nothing
	reason    string        // why mode is not to commit
	head      file          // the plan at HEAD
	lost      *transaction  // an earlier attempt that was ready when the branch moved; may be nil
	staged    file          // the plan in the index
	found     file          // the plan in the worktree
	before    file          // the plan that the mutation starts from
	skipped   bool          // it is in the index alone: a sparse checkout leaves it out
	own       bool          // it has edits of the user's own
	edits     Edits         // what these are, where that matters
	pending   note          // what earlier mutations wrote and did not commit
	noted     note          // that, and what this one writes
	stagedToo bool          // found is staged as well, and HEAD has another
	change    plan.Change   // what was done
	content   []byte        // the plan after it
	merged    *merge.Result // where plans were merged on the way
	regained  bool          // before has what an amended commit lost
	base      string        // the commit that the change is made on
	putsOff   bool          // it would be committed, were it not for the operation
}

// file is the content of a file that may not exist.
type file struct {
	data   []byte
	exists bool
}

// run runs the request once. With git.ErrHeadMoved everything is as it was, and
// it may be run again.
func (t *transaction) run(ctx context.Context, timeout time.Duration) (Result, error) {
	var err error
	if t.tx, err = t.repo.Begin(ctx, t.path, timeout); err != nil {
		return Result{}, err
	}
	defer t.tx.Close()
	if t.lost != nil && t.tx.Head() != "" && !t.isAhead(ctx) {
		t.lost = nil
	}
	if err := t.chooseMode(); err != nil {
		return Result{}, err
	}
	if err := t.load(ctx); err != nil {
		return Result{}, err
	}
	if t.skipped {
		if t.mode, err = modeInIndex(t.mode); err != nil {
			return Result{}, err
		}
	}
	if err := t.guardMissing(); err != nil {
		return Result{}, err
	}
	if err := t.guardEdits(); err != nil {
		return Result{}, err
	}
	t.base = t.tx.Head()
	if err := t.chooseFold(); err != nil {
		return Result{}, err
	}
	return t.apply(ctx)
}

// apply changes the plan that was loaded, and saves it.
func (t *transaction) apply(ctx context.Context) (Result, error) {
	p, err := snapshot(t.path, t.before.data, t.before.exists).Valid()
	if err != nil {
		return Result{}, err
	}
	inputs := t.inputs(t.base)
	t.now = inputs.Now
	if t.carriesOn() {
		t.change = asIn(p, t.lost.change)
	} else if t.change, err = t.request.Do(p, inputs); err != nil {
		return Result{}, err
	}
	if t.request.Clean != nil {
		t.change = p.Clean(t.change, snapshot("", t.head.data, t.head.exists).Plan, t.request.Clean)
	}
	if t.request.OwnEdits && t.change.Empty() && !t.found.same(t.head) && !t.own { // what we wrote and did not commit
		t.change.Events = []plan.Event{{Name: plan.EventUpdated}}
	}
	result := Result{Change: t.change, Plan: p, Branch: t.tx.Branch(), OwnEdits: t.own, Edits: t.edits, Reason: t.reason, Merged: t.merged, Regained: t.regained}
	if t.change.Empty() && !t.bringsPutOff() && !t.regained && !t.bringsInterrupted() && !(t.request.OwnEdits && t.own) {
		result.Reason = "nothing changed"
		return result, nil
	}
	t.content = p.Encode()
	if err := t.checkFaults(); err != nil {
		return Result{}, err
	}
	if t.request.DryRun {
		result.Reason = "dry run"
		return result, nil
	}
	result.Commit, err = t.save(ctx, t.content, t.change.Events)
	result.Committed, result.Folded = result.Commit != "", result.Commit != "" && t.mode == commitFolded
	if !result.Committed && result.Reason == "" {
		result.Reason = "nothing to commit"
	}
	return result, err
}

// load reads the plan that the mutation starts from, and refuses states in
// which a commit would take something along that the user did not mean.
func (t *transaction) load(ctx context.Context) error {
	index := t.tx.Index()
	if index.State == git.IndexUnmerged && t.request.Mend == nil {
		return ErrUnmerged
	}
	var err error
	if t.staged, err = contentOf(t.tx.IndexContent()); err != nil {
		return err
	}
	if t.head, err = contentOf(t.tx.HeadContent()); err != nil {
		return err
	}
	data, exists, err := t.read()
	if err != nil {
		return err
	}
	t.found = file{data: data, exists: exists}
	if !exists && index.SkipWorktree {
		t.found, t.skipped = t.staged, true
	}
	if t.carriesOn() {
		return t.follow()
	}
	if !t.found.same(t.head) { // else it was committed, or thrown away, by somebody else
		t.pending = t.readNote().on(t.head).upTo(t.found)
	}
	if apart, err := t.stagedApart(index); err != nil || apart {
		return cmp.Or(err, ErrStaged)
	}
	t.stagedToo = index.State == git.IndexOther && t.found.same(t.staged)
	t.before, t.own = t.found, !t.found.same(t.head) && !t.pending.isOurs(t.found)
	if t.found.same(t.head) && t.operation == "" {
		if err := t.regain(); err != nil {
			return err
		}
	}
	if t.request.Mend != nil {
		return t.mend(ctx)
	}
	return nil
}

// stagedApart reports whether the user prepared something in the index that is
// neither HEAD's nor the file's. In the middle of an operation git did; we did
// where both are plans that we wrote; and what some commit holds is nothing of
// the user's: a git that lost a race left it there.
func (t *transaction) stagedApart(index git.IndexEntry) (bool, error) {
	switch {
	case t.operation != "":
		return false, nil
	case index.State == git.IndexAbsent:
		return t.found.exists, nil
	case index.State != git.IndexOther, t.found.same(t.staged), t.pending.isOurs(t.staged) && t.pending.isOurs(t.found):
		return false, nil
	}
	older, err := t.tx.Holding(index.ID)
	return older == "", err
}

// carriesOn tells whether the change of an earlier attempt is to be merged into
// the plan of the commit that the branch moved to. Where that has the same plan,
// the attempt is simply made again.
func (t *transaction) carriesOn() bool {
	return t.lost != nil && (t.lost.carriesOn() || !t.head.same(t.lost.head))
}

// isAhead reports whether HEAD's commit contains the one that the earlier attempt began with. Where it does not, the branch
// was amended or reset, or HEAD is on another one: what is missing there was removed by nobody, and a merge would remove it
// for good.
func (t *transaction) isAhead(ctx context.Context) bool {
	began := t.lost.tx.Head()
	if began == "" || began == t.tx.Head() {
		return true
	}
	reader := t.repo.Reader(ctx)
	defer reader.Close()
	ahead, err := reader.IsAncestor(began, t.tx.Head())
	return ahead || err != nil
}

// follow merges what an earlier attempt made of the plan, the user's own edits
// of the file included, into the plan that HEAD has now.
func (t *transaction) follow() error {
	if !t.head.exists || !t.found.same(t.lost.found) && !t.found.same(t.head) {
		return ErrMoved
	}
	merged, err := merge.Merge(t.lost.head.data, t.lost.content, t.head.data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMoved, err)
	}
	t.before, t.merged = file{merged.Data, true}, &merged
	t.own, t.edits, t.pending = t.lost.own, t.lost.edits, t.lost.pending
	return nil
}

// asIn returns a change with its records as they are in a plan.
func asIn(p *plan.Plan, c plan.Change) plan.Change {
	c.Records = slices.Clone(c.Records)
	for i, r := range c.Records {
		all := p.Of(r.Kind())
		if at := slices.IndexFunc(all, r.SameTask); at >= 0 && r.Kind() != plan.KindReject {
			c.Records[i] = all[at]
		}
	}
	return c
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
	message := t.message(ctx, events)
	if t.mode.isOurs() {
		err := t.prepare(content, message)
		if errors.Is(err, git.ErrNothingToCommit) { // it undid the user's own edits
			t.mode, err = stageOnly, nil
		}
		if err != nil {
			return "", err
		}
	}
	t.note(content, message)
	if err := t.write(content); err != nil {
		t.saveNote(t.pending)
		return "", err
	}
	if commit, err = t.publish(ctx, content, message.String()); err != nil {
		err = t.restore(content, err)
		t.saveNote(t.pending)
		t.repo.RefreshIndex(context.WithoutCancel(ctx))
		return "", err
	}
	if commit != "" {
		t.dropNote()
	}
	return commit, nil
}

// prepare makes the commit, which nothing refers to yet.
func (t *transaction) prepare(content []byte, message message) error {
	if t.mode == commitFolded {
		return t.tx.PrepareFold(content)
	}
	return t.tx.Prepare(content, message.String())
}

// publish makes the plan that was written part of the repository, as far as the
// mode says.
func (t *transaction) publish(ctx context.Context, content []byte, message string) (commit string, err error) {
	switch t.mode {
	case commitAlone, commitFolded:
		err := t.tx.Publish()
		return t.tx.Commit(), err
	case commitThroughGit:
		t.tx.Close()
		return t.commitThroughGit(ctx, message, t.path)
	case commitWithStaged:
		t.tx.Close()
		both := joinMessages(t.request.StagedMessage, message)
		return t.repo.CommitThroughGit(ctx, both, git.CommitOptions{WithStaged: true, Err: t.opts.Err}, t.path)
	case commitWithFiles:
		t.tx.Close()
		both := joinMessages(t.request.Message, message)
		return t.commitThroughGit(ctx, both, append([]string{t.path}, t.request.Files...)...)
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
	if !t.found.exists {
		return errors.Join(reason, os.Remove(t.file()))
	}
	return errors.Join(reason, safefile.Write(t.repo.Root(), t.path, t.found.data, planMode))
}

// message describes the commit. The user's own edits of the file, where they
// go along, are an event too.
func (t *transaction) message(ctx context.Context, events []plan.Event) message {
	if t.own {
		events = append(events, plan.Event{Name: plan.EventUpdated})
	}
	return message{
		subject: t.request.Subject, earlier: t.pending.trailers(), events: events, at: t.now,
		by: t.repo.AuthorAddress(ctx), branch: t.tx.Branch(),
	}
}

// joinMessages puts the trailers of a plan commit below the user's message: into
// its own block of trailers where it ends in one, which git would not see else.
func joinMessages(own, message string) string {
	_, trailers, _ := strings.Cut(message, "\n\n")
	own = strings.TrimRight(own, "\n")
	between := "\n\n"
	if paragraph := own[strings.LastIndex(own, "\n\n")+1:]; paragraph != own && isTrailers(paragraph) {
		between = "\n"
	}
	return own + between + trailers
}

// isTrailers tells whether every line of a paragraph is `Token: value`, or goes
// on with the one before.
func isTrailers(paragraph string) bool {
	for i, line := range strings.Split(strings.Trim(paragraph, "\n"), "\n") {
		token, _, found := strings.Cut(line, ": ")
		goesOn := i > 0 && strings.HasPrefix(line, " ")
		if !goesOn && (!found || token == "" || strings.ContainsAny(token, " \t")) {
			return false
		}
	}
	return true
}
