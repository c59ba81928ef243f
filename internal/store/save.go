package store

import (
	"bytes"
	"context"
	"errors"
	"os"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// planMode holds the permissions of a new plan file, before the umask.
const planMode = 0o666

// save writes the plan as the mode says and returns the commit, if any. After
// an error the file is as it was.
func (t *transaction) save(ctx context.Context, content []byte, events []plan.Event) (id string, err error) {
	message := t.message(ctx, events)
	if t.mode.isOurs() {
		err := t.prepare(content, message)
		if errors.Is(err, commit.ErrNothingToCommit) { // it undid the user's own edits
			t.mode, err = stageOnly, nil
		}
		if err != nil {
			return "", err
		}
	}
	t.recordPending(content, message)
	if err := t.writeWorkplans(); err != nil {
		t.savePending(t.pending)
		return "", err
	}
	id, err = t.writeAndPublish(ctx, content, message.String())
	if err != nil {
		err = errors.Join(err, t.restoreWorkplans())
	}
	switch {
	case err != nil:
		t.savePending(t.pending)
	case id != "":
		t.removePending()
	}
	return id, err
}

// writeAndPublish writes the file and publishes it as the mode says. After an error the file is as it was.
func (t *transaction) writeAndPublish(ctx context.Context, content []byte, message string) (id string, err error) {
	if err := t.write(content); err != nil {
		return "", err
	}
	if id, err = t.publish(ctx, content, message); err != nil {
		err = t.restore(content, err)
		commit.RefreshIndex(context.WithoutCancel(ctx), t.repo)
		return "", err
	}
	return id, nil
}

// prepare writes the commit, without a reference to it.
func (t *transaction) prepare(content []byte, message message) error {
	if t.mode == commitAmended {
		return t.tx.PrepareAmend(content)
	}
	return t.tx.Prepare(content, message.String())
}

// publish commits or stages the plan that was written, as the mode says.
func (t *transaction) publish(ctx context.Context, content []byte, message string) (id string, err error) {
	switch t.mode {
	case commitAlone, commitAmended:
		t.tx.AlsoUpdate(t.along.References...)
		err := t.tx.Publish()
		return t.tx.Commit(), err
	case commitThroughGit:
		t.tx.Close()
		return t.commitThroughGit(ctx, message, t.path)
	case commitWithStaged:
		t.tx.Close()
		both := joinMessages(t.request.StagedMessage, message)
		return commit.ThroughGit(ctx, t.repo, both, commit.Options{WithStaged: true, Err: t.opts.Err}, t.paths()...)
	case commitWithFiles:
		t.tx.Close()
		return t.commitFiles(ctx, message)
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

// restore writes the former content back to the file, unless somebody else has
// written it since, and returns the reason.
func (t *transaction) restore(written []byte, reason error) error {
	if t.skipped {
		return reason
	}
	now, exists, err := t.read()
	if err != nil || !exists || !bytes.Equal(now, written) {
		return errors.Join(reason, err)
	}
	if !t.found.exists {
		return errors.Join(reason, os.Remove(t.filePath()))
	}
	return errors.Join(reason, safefile.Write(t.repo.Root(), t.path, t.found.data, planMode))
}
