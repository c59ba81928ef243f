package store

import (
	"cmp"
	"context"
	"time"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// A transaction is one attempt at a Request. The worktree's lock is held.
type transaction struct {
	*Store
	request Request
	earlier *transaction // an attempt that was ready when the branch moved; may be nil
	tx      *commit.Tx
	now     time.Time
	destination
	versions
	origin
	outcome
}

// A destination says whether and how the changed plan is committed.
type destination struct {
	mode      commitMode
	operation string // what the worktree is in the middle of; "" for nothing
	defers    bool   // it is not committed only because of the operation
	reason    string // why it is not committed
	base      string // the commit that the change is made on
}

// versions are the plan as it was found.
type versions struct {
	head      file // at HEAD
	staged    file // in the index
	found     file // in the worktree
	skipped   bool // found is in the index alone: a sparse checkout leaves it out
	stagedToo bool // found is staged as well, and HEAD has another
}

// An origin is the plan that the mutation starts from, and who made its changes since HEAD.
type origin struct {
	before     file
	ownEdits   bool       // it includes edits of the user's own
	edits      Edits      // these, if they were looked for
	pending    pendingLog // what earlier mutations wrote and did not commit
	reinstated bool       // it includes reinstated changes
}

// An outcome is what the mutation did.
type outcome struct {
	change   plan.Change
	content  []byte        // the plan after it
	edited   []FileEdit    // workplans that change with it
	quiet    bool          // git commits, without the user's hooks
	recorded pendingLog    // pending, with what this mutation writes
	merged   *merge.Result // nil if no plans were merged
	along    Along
}

// run runs the request once. With git.ErrHeadMoved everything is as it was, and
// it may be run again.
func (t *transaction) run(ctx context.Context, timeout time.Duration) (Result, error) {
	var err error
	if t.request.DryRun {
		t.tx, err = commit.BeginReading(ctx, t.repo, t.path)
	} else {
		t.tx, err = commit.Begin(ctx, t.repo, t.path, timeout)
	}
	if err != nil {
		return Result{}, err
	}
	defer t.tx.Close()
	if t.earlier != nil && t.tx.Head() != "" && !t.isAhead(ctx) {
		t.earlier = nil
	}
	if err := t.chooseMode(); err != nil {
		return Result{}, err
	}
	if err := t.load(ctx); err != nil {
		return Result{}, err
	}
	if t.skipped {
		if t.mode, err = sparseMode(t.mode); err != nil {
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
	if err := t.chooseAmend(); err != nil {
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
	inputs.Uncommitted = t.pending.trailers()
	t.now = inputs.Now
	if p, err = t.changePlan(ctx, p, inputs); err != nil {
		return Result{}, err
	}
	if err := t.editWorkplans(ctx); err != nil {
		return Result{}, err
	}
	if t.request.Along != nil && !t.change.Empty() {
		if t.along, err = t.request.Along(Made{t.change, p, fullName(t.tx.Branch()), t.now}); err != nil {
			return Result{}, err
		}
	}
	if t.request.Clean != nil {
		t.change = p.RewriteNew(t.change, snapshot("", t.head.data, t.head.exists).Plan, t.request.Clean)
	}
	if t.request.OwnEdits && t.change.Empty() && !t.found.same(t.head) && !t.ownEdits { // what we wrote and did not commit
		t.change.Events = []plan.Event{{Name: plan.EventUpdated}}
	}
	result := Result{Change: t.change, Plan: p, Branch: t.tx.Branch(), OwnEdits: t.ownEdits, Edits: t.edits, Reason: t.reason, Merged: t.merged, Reinstated: t.reinstated}
	if t.change.Empty() && !t.commitsDeferred() && !t.reinstated && !t.commitsInterrupted() && !(t.request.OwnEdits && t.ownEdits) {
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
	result.Along, result.workplans = t.mode.isOurs(), t.edited
	result.Committed, result.Amended = result.Commit != "", result.Commit != "" && t.mode == commitAmended
	if !result.Committed && result.Reason == "" {
		result.Reason = "nothing to commit"
	}
	return result, err
}

// changePlan makes the change, after what the workplans of tasks say, and returns the changed plan.
func (t *transaction) changePlan(ctx context.Context, p *plan.Plan, inputs Inputs) (*plan.Plan, error) {
	if t.needsRebase() {
		t.change = withRecordsOf(p, t.earlier.change)
		return p, nil
	}
	followed, err := t.follow(ctx, p, inputs)
	if err != nil {
		return nil, err
	}
	t.change, err = t.request.Do(p, inputs)
	if err != nil && isFollowed(followed, err) {
		if p, err = snapshot(t.path, t.before.data, t.before.exists).Valid(); err != nil {
			return nil, err
		}
		t.change, err = t.follow(ctx, p, inputs)
		return p, err
	}
	followed.Join(t.change)
	t.change = followed
	return p, err
}

// load reads the plan that the mutation starts from, and refuses states in
// which a commit would include something unintended.
func (t *transaction) load(ctx context.Context) error {
	index := t.tx.Index()
	if index.State == commit.IndexUnmerged && t.request.Repair == nil {
		return ErrUnmerged
	}
	var err error
	if t.staged, err = newFile(t.tx.IndexContent()); err != nil {
		return err
	}
	if t.head, err = newFile(t.tx.HeadContent()); err != nil {
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
	if t.needsRebase() {
		return t.rebase()
	}
	if !t.found.same(t.head) { // else somebody else committed or discarded them
		t.pending = t.readPending().basedOn(t.pendingBase()).upTo(t.found)
	}
	if apart, err := t.stagedSeparately(index); err != nil || apart {
		return cmp.Or(err, ErrStaged)
	}
	t.stagedToo = index.State == commit.IndexOther && t.found.same(t.staged)
	t.before, t.ownEdits = t.found, !t.found.same(t.head) && !t.pending.isOurs(t.found)
	if t.request.Repair != nil {
		if err := t.repair(ctx); err != nil {
			return err
		}
	}
	if t.operation != "" {
		return nil
	}
	return t.reinstate()
}

// stagedSeparately reports whether the user staged a plan that is neither HEAD's nor the file's. In the middle of an
// operation git staged it; we did if both are plans that we wrote; and the plan of some commit is not the user's: a git
// command that lost a race left it there.
func (t *transaction) stagedSeparately(index commit.IndexEntry) (bool, error) {
	switch {
	case t.operation != "":
		return false, nil
	case index.State == commit.IndexAbsent:
		return t.found.exists, nil
	case index.State != commit.IndexOther, t.found.same(t.staged), t.pending.isOurs(t.staged) && t.pending.isOurs(t.found):
		return false, nil
	}
	older, err := t.tx.CommitWithBlob(index.ID)
	return older == "", err
}

// fullName returns the full name of a branch, "" for none.
func fullName(branch string) string {
	if branch == "" {
		return ""
	}
	return "refs/heads/" + branch
}
