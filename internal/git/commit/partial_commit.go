package commit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/git"
)

// `git commit --only` only looks at the disk: a file that exists but was removed from the index would be added again, and one
// that was replaced by a directory cannot be committed at all. Such commits are made here, from a temporary index: HEAD's, with
// the paths as they are now. git takes that for the index of the worktree. So what a hook stages after the commit is lost, and
// git must not collect garbage, because it would not see what else is staged.

// partName is the prefix of the file of such an index. It begins like git's own, which programs in hooks recognise.
const partName = "next-index-ralph-"

// needsOwnIndex reports whether `git commit --only` would not commit the paths as they are, or would take too long.
func needsOwnIndex(ctx context.Context, r *git.Repo, paths []string, before indexEntries) (bool, error) {
	if git.TooManyForArgs(paths) { // it would take time with the square of their number
		return true, nil
	}
	var unknown []string
	for _, p := range paths {
		_, err := os.Lstat(filepath.Join(r.Root(), filepath.FromSlash(p)))
		switch there := isOnDisk(r, p); {
		case err == nil && !there: // it is a directory, or behind a symbolic link
			return true, nil
		case there && len(before[p]) == 0:
			unknown = append(unknown, p)
		case there && before[p][0].assumeValid: // git would not look at it
			return true, nil
		}
	}
	if len(unknown) == 0 {
		return false, nil
	}
	head, err := r.Head(ctx)
	if head == "" || err != nil {
		return false, err
	}
	known, err := r.PathsIn(ctx, head, unknown)
	return len(known) > 0, err // it was taken out of the index
}

// commitPartial commits paths, and nothing else that is staged. They are staged before the commit is made: a crash in
// between leaves no more than that. Index.lock is held all the while, as git would. The error may be
// ErrNothingToCommit.
func commitPartial(ctx context.Context, r *git.Repo, message string, o Options, paths []string) error {
	if what := r.Operations().Unfinished(); what != "" {
		return fmt.Errorf("%w: in the middle of a %s", ErrCommitRefused, what)
	}
	limited, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	lock, err := lockIndex(limited, r, paths[0])
	if err != nil {
		return err
	}
	defer lock.release()
	if err := awaitHead(ctx, r, lock.index); err != nil {
		return err
	}
	head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	part, err := headIndex(ctx, r, head)
	if err != nil {
		return err
	}
	defer os.Remove(part.IndexPath()) //nolint:errcheck // the next commit makes another
	if err := stagePart(ctx, r, lock, part, paths); err != nil {
		return err
	}
	if err := lock.swapIndex(); err != nil {
		return err
	}
	err = userGit(ctx, part, o, []byte(message), append([]string{"-c", "gc.auto=0", "-c", "maintenance.auto=false"}, commitArgs(o)...)...)
	if now, headErr := r.Head(context.WithoutCancel(ctx)); err != nil && (headErr != nil || now == head) { // else it was ended a moment after
		err = errors.Join(err, lock.restoreIndex())
	}
	return err
}

// stagePart stages the current state of paths in the copy that is to replace the index, and in the temporary index part.
func stagePart(ctx context.Context, r *git.Repo, lock *indexLock, part *git.Repo, paths []string) error {
	if err := CopyIndex(lock.index, lock.copy); err != nil {
		return fmt.Errorf("copy the index: %w", err)
	}
	before, err := lookupIndex(ctx, r, lock.copy, paths...)
	if err != nil {
		return err
	}
	committed, err := lookupIndex(ctx, r, part.IndexPath(), paths...)
	if err != nil {
		return err
	}
	changed := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { // else it was taken out of the index on purpose
		return len(before[p]) == 0 && len(committed[p]) > 0
	})
	if err := stageFromDisk(ctx, r.WithIndex(lock.copy), changed, before); err != nil {
		return err
	}
	staged, err := lookupIndex(ctx, r, lock.copy, paths...)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(paths, func(p string) bool { return !sameContent(staged[p], committed[p]) }) {
		return fmt.Errorf("%w: %w", ErrCommitRefused, ErrNothingToCommit)
	}
	return setEntries(ctx, part, paths, staged)
}

// sameContent reports whether entries at a path hold the same.
func sameContent(a, b []indexEntry) bool {
	return slices.EqualFunc(a, b, func(a, b indexEntry) bool { return a.mode == b.mode && a.id == b.id && a.stage == b.stage })
}

// headIndex returns the repository with a temporary index that has the content of HEAD.
func headIndex(ctx context.Context, r *git.Repo, head string) (*git.Repo, error) {
	path := filepath.Join(r.GitDir(), partName+strconv.Itoa(os.Getpid()))
	os.Remove(path)           //nolint:errcheck // there is none, but for a crash
	os.Remove(path + ".lock") //nolint:errcheck // see above
	if err := CopyIndex(r.IndexPath(), path); err != nil {
		return nil, fmt.Errorf("copy the index: %w", err)
	}
	part := r.WithIndex(path)
	args := []string{"read-tree", "-i", "-m", "HEAD"} // with -m it keeps what the index knows of files on disk
	if head == "" {
		args = []string{"read-tree", "--empty"}
	}
	if _, err := part.Git().Run(ctx, nil, args...); err != nil {
		os.Remove(path) //nolint:errcheck // see above
		return nil, refusal(err)
	}
	return part, nil
}

// stageFromDisk stages the files at paths, or their removal. before are the index's entries at paths.
func stageFromDisk(ctx context.Context, r *git.Repo, paths []string, before indexEntries) error {
	var there, unlooked, gone []string
	for _, p := range paths {
		if !isOnDisk(r, p) {
			gone = append(gone, p)
			continue
		}
		there = append(there, p)
		if entries := before[p]; len(entries) > 0 && entries[0].assumeValid { // git would not look at the file
			unlooked = append(unlooked, p)
		}
	}
	err := setEntries(ctx, r, append(gone, unlooked...), entriesAt(before, unlooked))
	if err != nil || len(there) == 0 {
		return refusal(err)
	}
	_, err = r.Git().Run(ctx, []byte(strings.Join(there, "\x00")+"\x00"), "update-index", "--add", "-z", "--stdin")
	return refusal(err)
}

// entriesAt returns the entries at paths.
func entriesAt(entries indexEntries, paths []string) indexEntries {
	some := indexEntries{}
	for _, p := range paths {
		some[p] = entries[p]
	}
	return some
}

// isOnDisk reports whether git could add a path as a file: it is not behind a symbolic link, and not a directory, unless that is
// a repository of its own.
func isOnDisk(r *git.Repo, path string) bool {
	at := r.Root()
	parts := strings.Split(path, "/")
	for i, part := range parts {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		if err != nil {
			return false
		}
		if i == len(parts)-1 && !info.IsDir() {
			return true
		}
		if !info.IsDir() {
			return false
		}
	}
	_, err := os.Lstat(filepath.Join(at, ".git"))
	return err == nil
}

// setEntries puts these entries into the index at paths, and removes the other paths from it.
func setEntries(ctx context.Context, r *git.Repo, paths []string, entries indexEntries) error {
	var lines strings.Builder
	for _, p := range paths {
		if len(entries[p]) == 0 {
			fmt.Fprintf(&lines, "0 %s\t%s\x00", zeroID(r), p)
		}
		for _, e := range entries[p] {
			fmt.Fprintf(&lines, "%s %s %d\t%s\x00", e.mode, e.id, e.stage, p)
		}
	}
	if lines.Len() == 0 {
		return nil
	}
	_, err := r.Git().Run(ctx, []byte(lines.String()), "update-index", "-z", "--index-info")
	return err
}
