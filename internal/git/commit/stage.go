package commit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"git-ralph/internal/proc"
)

// staging is a running `git update-index` on a copy of the index. git itself records the stat data of the file on disk, so that
// `git status` need not read it again, and keeps everything else in the index.
//
// It is started before the worktree file is written, and reads the index meanwhile; finish names the file.
type staging struct {
	tx   *Tx
	talk *proc.Conversation
}

// startStaging copies the index and starts git on the copy.
func (t *Tx) startStaging() error {
	if err := CopyIndex(t.lock.index, t.lock.copy); err != nil {
		return fmt.Errorf("copy the index: %w", err)
	}
	t.repo.Step(StepCopied)
	c := t.repo.Git().Cmd(withoutSafeCRLF(append([]string{"update-index", "--add"}, t.entryArgs()...)...)...)
	c.Env = append(slices.Clip(c.Env), "GIT_INDEX_FILE="+t.lock.copy)
	talk, err := t.repo.Git().Start(t.ctx, c)
	if err != nil {
		return fmt.Errorf("stage %s: %w", t.path, err)
	}
	t.stage = &staging{tx: t, talk: talk}
	return nil
}

// entryArgs returns the arguments of update-index. For an entry that git does not compare with the disk these are its id and its
// flags again, because git would take the file for unchanged.
func (t *Tx) entryArgs() []string {
	if !t.byID() {
		return []string{"-z", "--stdin"}
	}
	path := "./" + t.path // not an option, whatever its name
	args := []string{"--cacheinfo", t.prepared.mode + "," + t.prepared.blob + "," + t.path}
	if t.entry.SkipWorktree {
		args = append(args, "--skip-worktree", path)
	}
	if t.entry.assumeValid {
		args = append(args, "--assume-unchanged", path)
	}
	return args
}

func (t *Tx) byID() bool { return t.entry.SkipWorktree || t.entry.assumeValid }

// finish stages the file, which has been written by now, and returns its entry.
func (s *staging) finish() (indexEntry, error) {
	t := s.tx
	if !t.byID() {
		if _, err := s.talk.Write([]byte("./" + t.path + "\x00")); err != nil {
			return indexEntry{}, fmt.Errorf("stage %s: %w", t.path, err)
		}
	}
	if err := s.talk.Close(); err != nil {
		return indexEntry{}, fmt.Errorf("stage %s: %w", t.path, err)
	}
	found, err := lookupIndex(t.ctx, t.repo, t.lock.copy, t.path)
	if err != nil {
		return indexEntry{}, err
	}
	if len(found[t.path]) != 1 {
		return indexEntry{}, fmt.Errorf("%s: %w", t.path, ErrFileChanged)
	}
	t.repo.Step(StepStaged)
	return found[t.path][0], nil
}

// isPrepared reports whether an entry is the one that was prepared.
func (t *Tx) isPrepared(e indexEntry) bool {
	return e.id == t.prepared.blob && e.mode == t.prepared.mode
}

// sameOnDisk reports whether the worktree file is the one that was prepared.
func (t *Tx) sameOnDisk() bool {
	data, err := os.ReadFile(filepath.Join(t.repo.Root(), filepath.FromSlash(t.path)))
	return err == nil && bytes.Equal(data, t.prepared.content)
}
