package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
)

// notePath returns the file that says where a fast-forward of a worktree goes, for the case that it is killed.
func notePath(worktree *git.Repo) string { return filepath.Join(worktree.GitDir(), "ralph", "landing") }

// LeftFastForward reports whether a fast-forward was killed in a worktree, whose files may be those of another commit than HEAD.
// It may also be that one is under way.
func LeftFastForward(worktree *git.Repo) bool {
	_, err := os.Lstat(notePath(worktree))
	return err == nil
}

// RecoverFastForward ends what LeftFastForward found: files that the fast-forward changed, or was about to change, become those
// of HEAD, except where the user has changed them since. It returns their paths.
func RecoverFastForward(ctx context.Context, worktree *git.Repo, path string, wait time.Duration) (files []string, err error) {
	f, err := lockWorktree(ctx, worktree, path, wait)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.recover()
}

// recover ends a killed fast-forward, whose worktree is locked.
func (f *FastForward) recover() ([]string, error) {
	note, err := os.ReadFile(notePath(f.repo))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	from, to, ok := strings.Cut(strings.TrimSuffix(string(note), "\n"), " ")
	head, err := f.ask("", "rev-parse", "--verify", "HEAD")
	side := -1
	if head = strings.TrimSpace(head); err == nil && ok {
		side = f.sideOf([]string{from, to}, head)
	}
	if side < 0 {
		return nil, errors.Join(err, os.Remove(notePath(f.repo))) // the user has gone elsewhere
	}
	changed, err := f.between(from, to)
	if err == nil {
		changed, err = f.withoutLater(changed, []string{from, to}[side], head)
	}
	if err != nil {
		return nil, err
	}
	untouched := map[string]bool{}
	for _, side := range []int{0, 1} {
		if err := f.matching(changed, side, untouched); err != nil {
			return nil, err
		}
	}
	files, err := f.restore(changed, side, untouched)
	if err == nil {
		err = f.lock.swapIndex()
	}
	if err == nil {
		err = errors.Join(os.Remove(f.lock.copy+oldSuffix), CopyIndex(f.lock.index, f.lock.copy), os.Remove(notePath(f.repo)))
	}
	return files, err
}

// sideOf returns which of two commits HEAD has come to, the later one first: somebody may have committed on it since, such as a change of the
// plan. It is -1 for none.
func (f *FastForward) sideOf(commits []string, head string) int {
	for side, id := range slices.Backward(commits) {
		if f.git("merge-base", "--is-ancestor", id, head) == nil {
			return side
		}
	}
	return -1
}

// withoutLater leaves out the files that were changed between a commit and HEAD: whoever did that has said what they are to be.
func (f *FastForward) withoutLater(all []moved, id, head string) ([]moved, error) {
	later, err := f.between(id, head)
	isLater := map[string]bool{}
	for _, m := range later {
		isLater[m.path] = true
	}
	return slices.DeleteFunc(all, func(m moved) bool { return isLater[m.path] }), err
}

// moved is a file that differs between the two commits of a fast-forward, with "<mode> <id>" in each; "" where there is none.
type moved struct {
	path  string
	sides [2]string
}

// between returns the files that differ between two commits.
func (f *FastForward) between(from, to string) (all []moved, err error) {
	out, err := f.ask("", "diff-tree", "-r", "-z", "--no-renames", from, to)
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		words := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(words) != 5 {
			return nil, fmt.Errorf("unexpected answer %q", fields[i])
		}
		m := moved{path: fields[i+1]}
		for side := range m.sides {
			if strings.Trim(words[side], "0") != "" {
				m.sides[side] = words[side] + " " + words[2+side]
			}
		}
		all = append(all, m)
	}
	return all, err
}

// setIndex gives the copy of the index the entries of one side.
func (f *FastForward) setIndex(all []moved, side int) error {
	var orders strings.Builder
	for _, m := range all {
		entry := m.sides[side]
		if entry == "" {
			entry = "0 " + strings.Repeat("00", f.repo.IDSize())
		}
		orders.WriteString(entry + "\t" + m.path + "\x00")
	}
	if _, err := f.ask(orders.String(), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	f.git("update-index", "-q", "--refresh") //nolint:errcheck // it fails for files that are changed
	return nil
}

// matching adds the files in the worktree that are as one side has them.
func (f *FastForward) matching(all []moved, side int, found map[string]bool) error {
	if err := f.setIndex(all, side); err != nil {
		return err
	}
	out, err := f.ask("", "diff-files", "-z", "--name-only", "--ignore-submodules")
	if err != nil {
		return err
	}
	differs := map[string]bool{}
	for path := range strings.SplitSeq(out, "\x00") {
		differs[path] = true
	}
	for _, m := range all {
		_, err := os.Lstat(filepath.Join(f.repo.Root(), filepath.FromSlash(m.path)))
		gone := errors.Is(err, fs.ErrNotExist)
		found[m.path] = found[m.path] || gone || m.sides[side] != "" && !differs[m.path]
	}
	return nil
}

// restore makes files those of one side, where they are untouched.
func (f *FastForward) restore(all []moved, side int, untouched map[string]bool) (files []string, err error) {
	if err := f.setIndex(all, side); err != nil {
		return nil, err
	}
	var wanted strings.Builder
	for _, m := range all {
		switch {
		case !untouched[m.path]:
			continue
		case m.sides[side] != "":
			wanted.WriteString(m.path + "\x00")
		default:
			if err := os.Remove(filepath.Join(f.repo.Root(), filepath.FromSlash(m.path))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return files, err
			}
		}
		files = append(files, m.path)
	}
	if wanted.Len() > 0 {
		_, err = f.ask(wanted.String(), "checkout-index", "-q", "-f", "-u", "-z", "--stdin")
	}
	return files, err
}

// ask runs a command on our copy of the index and returns its output.
func (f *FastForward) ask(stdin string, args ...string) (string, error) {
	c := f.command(args...)
	c.Stdin = []byte(stdin)
	result, err := f.repo.Git().Exec(f.ctx, c)
	return string(result.Stdout), err
}
