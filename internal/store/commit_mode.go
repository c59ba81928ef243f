package store

import (
	"fmt"

	"git-ralph/internal/git/commit"
)

// A commitMode says whether and how a changed plan is committed.
type commitMode int

const (
	commitAlone      commitMode = iota // a commit of the plan alone
	commitAmended                      // HEAD's own commit, amended
	commitThroughGit                   // the same, through git commit and its hooks
	commitWithStaged                   // together with what the user has staged
	commitWithFiles                    // together with files that the request names
	stageOnly                          // in the file and the index
	writeOnly                          // in the file
)

// isOurs reports whether we make the commit, and not git commit.
func (m commitMode) isOurs() bool { return m == commitAlone || m == commitAmended }

// commits reports whether there is a commit at all.
func (m commitMode) commits() bool { return m != stageOnly && m != writeOnly }

// chooseMode decides from the request, the configuration and what the worktree
// is in the middle of.
func (t *transaction) chooseMode() error {
	configured, err := t.configuredMode()
	if err != nil {
		return err
	}
	t.operation = t.repo.Operations().Current()
	switch {
	case t.operation != "":
		t.defers = configured.reason == "" && !t.request.NoCommit
		t.mode, t.reason = t.duringOperation(), t.operation+" in progress"
	case t.request.StagedMessage != "":
		t.mode = commitWithStaged
	case len(t.request.Files) > 0:
		t.mode = commitWithFiles
	case t.request.NoCommit:
		t.mode, t.reason = writeOnly, "--no-commit"
	default:
		t.mode, t.reason = configured.mode, configured.reason
	}
	if t.mode == writeOnly && t.tx.Index().State == commit.IndexUnmerged {
		t.mode = stageOnly // a conflict is resolved in the index
	}
	return nil
}

// chooseAmend decides whether HEAD's own commit is amended with the change. It
// is not if the file has other uncommitted changes.
func (t *transaction) chooseAmend() error {
	commits := t.mode == commitAlone || t.mode == commitThroughGit
	if t.request.AmendCommit == "" || t.request.AmendCommit != t.tx.Head() || !commits || !t.found.same(t.head) {
		return nil
	}
	parent, ok, err := t.tx.Amendable()
	if ok {
		t.mode, t.base = commitAmended, parent
	}
	return err
}

// sparseMode returns the mode for a plan that is in the index alone: what would be
// written to the file is staged, and git commit, which reads the file, cannot
// be used.
func sparseMode(mode commitMode) (commitMode, error) {
	switch mode {
	case writeOnly:
		return stageOnly, nil
	case commitThroughGit, commitWithStaged, commitWithFiles:
		return mode, ErrSparse
	}
	return mode, nil
}

// duringOperation returns the mode in the middle of a merge or the like: no
// commit of ours may come between. Operations that go through several commits
// go on only when file and index agree. A merge can be aborted without loss
// while they differ, unless it changes the plan itself.
func (t *transaction) duringOperation() commitMode {
	switch t.operation {
	case "rebase", "am", "cherry-pick", "revert":
		return stageOnly
	case "merge":
		if t.tx.Index().State == commit.IndexOther {
			return stageOnly
		}
	}
	return writeOnly
}

type configuredMode struct {
	mode   commitMode
	reason string
}

// configuredMode reads ralph.commit and ralph.verify.
func (t *transaction) configuredMode() (configuredMode, error) {
	switch value, _ := t.config.Get("ralph.commit"); value {
	case "", "auto":
	case "stage":
		return configuredMode{stageOnly, "ralph.commit = stage"}, nil
	case "off":
		return configuredMode{writeOnly, "ralph.commit = off"}, nil
	default:
		return configuredMode{}, fmt.Errorf("%w ralph.commit %q: want auto, stage or off", ErrConfig, value)
	}
	verify, err := t.config.Bool("ralph.verify", false)
	if verify {
		return configuredMode{mode: commitThroughGit}, err
	}
	return configuredMode{mode: commitAlone}, err
}
