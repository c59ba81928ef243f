package commit

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"git-ralph/internal/git/config"
	"git-ralph/internal/git/odb"
	"git-ralph/internal/proc"

	"github.com/go-git/go-git/v5/plumbing"
)

// ErrCommitRefused: git refuses to make the commit, for example because it has no identity, or cannot sign.
var ErrCommitRefused = errors.New("git refuses to commit")

// Prepare makes the commit with content (in the form of the worktree) at the path as its only change. Nothing refers to it yet.
// Identity, date and signature are those of the user's own `git commit`. The errors are ErrNothingToCommit, and ErrCommitRefused
// with git's message.
func (t *Tx) Prepare(content []byte, message string) error {
	t.prepared.content, t.prepared.message = content, message
	if err := t.writeBlob(content); err != nil {
		return err
	}
	if t.prepared.blob == t.base.blob && t.prepared.mode == t.base.mode {
		return ErrNothingToCommit
	}
	t.update = startRefUpdate(t.ctx, t.repo, t.reflogReason())
	root, err := t.writeTrees()
	if err != nil {
		return err
	}
	t.repo.Step(StepObjects)
	if err := t.startStaging(); err != nil {
		return err
	}
	if t.prepared.commit, err = t.writeCommit(root, message); err != nil {
		return err
	}
	t.repo.Step(StepCommit)
	return nil
}

// writeBlob stores the content, through git if it may have to be converted.
func (t *Tx) writeBlob(content []byte) (err error) {
	t.prepared.mode = t.fileMode()
	if !t.attrs.Converts(content) {
		t.prepared.blob, err = t.writeObject(plumbing.BlobObject, content)
		return err
	}
	if content == nil {
		content = []byte{}
	}
	t.prepared.blob, err = t.repo.Git().Run(t.ctx, content, withoutSafeCRLF("hash-object", "-w", "--stdin", "--path="+t.path)...)
	return err
}

// withoutSafeCRLF prepends the option that makes git convert line endings without complaint: core.safecrlf protects files whose
// line endings matter, and a plan may have either.
func withoutSafeCRLF(args ...string) []string {
	return append([]string{"-c", "core.safecrlf=false"}, args...)
}

// fileMode returns the mode that git will see: that of the file on disk if the file system supports it, else the previous one.
func (t *Tx) fileMode() string {
	known := t.base.mode
	if t.entry.mode != "" {
		known = t.entry.mode
	}
	trust, err := t.config.Bool("core.fileMode", true)
	info := t.onDisk()
	switch {
	case info != nil && trust && err == nil && runtime.GOOS != "windows" && !t.entry.SkipWorktree:
		if info.Mode()&0o100 != 0 {
			return modeProgram
		}
	case known == modeProgram:
		return modeProgram
	}
	return modeFile
}

// writeTrees stores the changed directories from the file's up to the root, and returns its id.
func (t *Tx) writeTrees() (string, error) {
	parts := strings.Split(t.path, "/")
	id, mode := t.prepared.blob, t.prepared.mode
	for i := len(parts) - 1; i >= 0; i-- {
		var old []byte
		if i < len(t.base.trees) {
			old = t.base.trees[i].data
		}
		raw, err := binaryID(id)
		if err != nil {
			return "", err
		}
		data := WithEntry(old, odb.TreeEntry{Mode: []byte(mode), Name: []byte(parts[i]), ID: raw})
		if id, err = t.writeObject(plumbing.TreeObject, data); err != nil {
			return "", err
		}
		mode = modeTree
	}
	return id, nil
}

// writeCommit makes the commit.
func (t *Tx) writeCommit(root, message string) (string, error) {
	if t.prepared.amended != nil {
		return t.writeAmended(root)
	}
	var parents []string
	if t.base.commit != "" {
		parents = []string{t.base.commit}
	}
	return writeCommit(t.ctx, t.repo, t.config, root, parents, message)
}

// refusal returns ErrCommitRefused with git's message, without "fatal: ", if git failed; otherwise err.
func refusal(err error) error {
	var pe *proc.Error
	if errors.As(err, &pe) && pe.Code > 0 {
		if pe.Stderr == "" { // it went to the user already
			return fmt.Errorf("%w: %w", ErrCommitRefused, err)
		}
		return fmt.Errorf("%w: %s", ErrCommitRefused, strings.ReplaceAll(pe.Stderr, "fatal: ", ""))
	}
	return err
}

// reflogReason returns the reason for the move as `git commit` words it.
func (t *Tx) reflogReason() string {
	action, ok := config.Getenv(t.repo.Git().Environ, "GIT_REFLOG_ACTION")
	if !ok {
		action = "commit"
	}
	switch {
	case t.prepared.amended != nil:
		action += " (amend)"
	case t.base.commit == "":
		action += " (initial)"
	}
	subject, _, _ := strings.Cut(t.prepared.message, "\n")
	return action + ": " + subject
}
