package work

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
)

// The files by which git finds a linked worktree and its repository from each other: one in the worktree, and two in its git directory.
const (
	linkFile   = ".git"
	backFile   = "gitdir"
	commonFile = "commondir"
)

// repairWorktree makes git open the worktree at path again where a power cut has damaged what it needs for that.
func repairWorktree(ctx context.Context, r *git.Repo, path, tip string, report func(string)) error {
	if err := repairLinks(r, path, report); err != nil {
		return fmt.Errorf("cannot repair %s: %w", path, err)
	}
	return repairHead(ctx, r, path, tip, report)
}

// repairLinks writes the files again that connect the worktree at path with the repository.
func repairLinks(r *git.Repo, path string, report func(string)) error {
	damaged, err := damagedLinks(r, path)
	for _, f := range damaged {
		if err == nil {
			err = os.MkdirAll(f.dir, 0o777)
		}
		if err == nil {
			err = safefile.Write(f.dir, f.name, []byte(f.text+"\n"), 0o666)
		}
		if err == nil {
			report("wrote " + filepath.Join(f.dir, f.name) + " again, which was empty or gone, as after a power cut")
		}
	}
	return err
}

// repairOthers repairs the worktrees with damaged links of workers that do not run: one that is damaged keeps git from listing and making worktrees.
func (w *Worker) repairOthers(ctx context.Context, own string) error {
	for _, name := range w.dir.Workers() {
		path := filepath.Join(w.dir.path, name)
		if damaged, err := damagedLinks(w.Store.Repo(), path); name == own || err != nil || len(damaged) == 0 {
			continue
		}
		held, err := w.dir.hold(name)
		if err != nil {
			continue // it runs, and is about to do so itself
		}
		err = repairWorktree(ctx, w.Store.Repo(), path, w.target.tip, w.reportKept)
		held.Release() //nolint:errcheck // the kernel releases it at the end
		if err != nil {
			return err
		}
	}
	return nil
}

// A link is a file that connects a worktree with its repository, with the text that belongs there.
type link struct{ dir, name, text string }

// damagedLinks lists the links of the worktree at path that are empty or full of zeros, or that are gone because a `git worktree prune` has
// removed its git directory meanwhile. What names another place is none of ours.
func damagedLinks(r *git.Repo, path string) (all []link, err error) {
	file := filepath.Join(path, linkFile)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || isLink(path) {
		return nil, nil //nolint:nilerr // there is none, or it is something else: what comes next says so
	}
	admin := gitDirOf(r, path)
	damaged, err := isDamaged(file)
	if damaged {
		admin = adminOf(r, path)
		all = append(all, link{path, linkFile, "gitdir: " + admin})
	}
	if err != nil || admin == "" {
		return all, err
	}
	for _, l := range []link{{admin, backFile, file}, {admin, commonFile, filepath.Join("..", "..")}} {
		if damaged, err = isDamaged(filepath.Join(l.dir, l.name)); err != nil {
			return nil, err
		} else if damaged {
			all = append(all, l)
		}
	}
	return all, nil
}

// isDamaged reports whether a file is not there, or has nothing in it but zeros.
func isDamaged(path string) (bool, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return err == nil && strings.Trim(string(data), "\x00\r\n ") == "", err
}

// adminOf returns the git directory of the worktree at path: the one that names it, else the one that git makes for its name.
func adminOf(r *git.Repo, path string) string {
	all := filepath.Join(r.CommonDir(), "worktrees")
	entries, _ := os.ReadDir(all)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(all, e.Name(), backFile))
		if err == nil && filepath.Clean(strings.TrimRight(string(data), "\r\n")) == filepath.Join(path, linkFile) {
			return filepath.Join(all, e.Name())
		}
	}
	return filepath.Join(all, filepath.Base(path))
}
