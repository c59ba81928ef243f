package git

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"git-ralph/internal/proc"

	"github.com/go-git/go-git/v5/plumbing"
)

// ErrCommitRefused: git would not make the commit, for want of an identity or a signature for example.
var ErrCommitRefused = errors.New("git refuses to commit")

// Prepare makes the commit that holds content (as it will stand in the worktree) at the path, and nothing else new.
// Nothing refers to it yet. Identity, date and signature are those of the user's own `git commit`. Errors:
// ErrNothingToCommit, ErrCommitRefused with git's words.
func (t *Tx) Prepare(content []byte, message string) error {
	t.content, t.message = content, message
	if err := t.writeBlob(content); err != nil {
		return err
	}
	if t.blob == t.headID && t.mode == t.headMode {
		return ErrNothingToCommit
	}
	t.update = t.repo.startRefUpdate(t.ctx, t.reflog())
	root, err := t.writeTrees()
	if err != nil {
		return err
	}
	t.repo.step(StepObjects)
	if err := t.startStaging(); err != nil {
		return err
	}
	if t.commit, err = t.writeCommit(root, message); err != nil {
		return err
	}
	t.repo.step(StepCommit)
	return nil
}

// writeBlob stores the content, through git wherever it may be converted on the way.
func (t *Tx) writeBlob(content []byte) (err error) {
	t.mode = t.fileMode()
	if t.repo.format == "sha1" && !t.attrs.converts(content) {
		t.blob, err = t.repo.writeLoose(t.config, plumbing.BlobObject, content)
		return err
	}
	if content == nil {
		content = []byte{}
	}
	t.blob, err = t.repo.run(t.ctx, content, anyLineEnds("hash-object", "-w", "--stdin", "--path="+t.path)...)
	return err
}

// anyLineEnds returns the arguments of a git that converts line ends without a complaint: core.safecrlf is about files whose
// line ends matter, and we read a plan with either.
func anyLineEnds(args ...string) []string {
	return append([]string{"-c", "core.safecrlf=false"}, args...)
}

// fileMode gives the mode that git will see: that of the file on disk where the file system knows such modes, else the
// one it had.
func (t *Tx) fileMode() string {
	known := t.headMode
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

// writeTrees stores the changed folders from the file's up to the root, whose id it gives.
func (t *Tx) writeTrees() (string, error) {
	parts := strings.Split(t.path, "/")
	id, mode := t.blob, t.mode
	for i := len(parts) - 1; i >= 0; i-- {
		var old []byte
		if i < len(t.trees) {
			old = t.trees[i].data
		}
		raw, err := binaryID(id)
		if err != nil {
			return "", err
		}
		data := withEntry(old, treeEntry{mode: mode, name: parts[i], id: raw})
		if id, err = t.writeTree(data); err != nil {
			return "", err
		}
		mode = modeTree
	}
	return id, nil
}

func (t *Tx) writeTree(data []byte) (string, error) {
	if t.repo.format == "sha1" {
		return t.repo.writeLoose(t.config, plumbing.TreeObject, data)
	}
	return t.repo.run(t.ctx, data, "hash-object", "-w", "--stdin", "-t", "tree")
}

// writeCommit makes the commit, by itself in the plain case, else through git.
func (t *Tx) writeCommit(root, message string) (string, error) {
	if t.folded != nil {
		return t.writeFolded(root)
	}
	sign, err := t.config.Bool("commit.gpgSign", false)
	if err != nil {
		return "", err
	}
	if !sign {
		if text, ok := t.plainCommit(root, message); ok {
			return t.repo.writeLoose(t.config, plumbing.CommitObject, text)
		}
	}
	return t.commitTree(root, message, sign)
}

// commitTree has git make the commit. The message is ours, so it is UTF-8 whatever the user's own are in.
func (t *Tx) commitTree(root, message string, sign bool) (string, error) {
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree"}
	if t.head != "" {
		args = append(args, "-p", t.head)
	}
	if sign {
		args = append(args, "-S")
	}
	c := t.repo.cmd(append(args, "-F", "-", root)...)
	c.Stdin = []byte(message)
	c.Group = false // signing may ask on the terminal
	res, err := t.repo.exec(t.ctx, c)
	if err != nil {
		return "", refused(err)
	}
	return strings.TrimSpace(string(res.Stdout)), nil
}

// refused gives git's words without its "fatal: ".
func refused(err error) error {
	var pe *proc.Error
	if errors.As(err, &pe) && pe.Code > 0 {
		if pe.Stderr == "" { // it went to the user already
			return fmt.Errorf("%w: %w", ErrCommitRefused, err)
		}
		return fmt.Errorf("%w: %s", ErrCommitRefused, strings.ReplaceAll(pe.Stderr, "fatal: ", ""))
	}
	return err
}

// reflog gives the reason for the move as `git commit` words it.
func (t *Tx) reflog() string {
	action, ok := getenv(t.repo.environ, "GIT_REFLOG_ACTION")
	if !ok {
		action = "commit"
	}
	switch {
	case t.folded != nil:
		action += " (amend)"
	case t.head == "":
		action += " (initial)"
	}
	subject, _, _ := strings.Cut(t.message, "\n")
	return action + ": " + subject
}
