package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
)

// A Directory is where the worktrees of workers are, and what is known of them in git's directory.
type Directory struct {
	repo  *git.Repo
	path  string // of the worktrees
	notes string // one lock file for each worker, and more
}

// defaultDirectory is where worktrees are where ralph.worktrees says nothing else.
const defaultDirectory = ".ralph/worktrees"

// ErrName: a worker cannot be called so.
var ErrName = errors.New("invalid name of a worker")

// OpenDirectory finds the directory. It makes nothing.
func OpenDirectory(ctx context.Context, repo *git.Repo) (Directory, error) {
	settings, err := repo.Config(ctx)
	if err != nil {
		return Directory{}, err
	}
	d := Directory{repo: repo, notes: filepath.Join(repo.CommonDir(), "ralph", "workers")}
	name, _ := settings.Get("ralph.worktrees")
	switch {
	case filepath.IsAbs(name):
		d.path = filepath.Clean(name)
	case d.top() == "":
		d.path = filepath.Join(repo.CommonDir(), "ralph", "worktrees")
	case name == "":
		d.path = filepath.Join(d.top(), filepath.FromSlash(defaultDirectory))
	default:
		d.path = filepath.Join(d.top(), filepath.FromSlash(name))
	}
	return d, d.checkLinks()
}

// ErrLink: the directory is reached through a symbolic link of the main worktree, which may be a stranger's.
var ErrLink = errors.New("is a symbolic link: `git config ralph.worktrees` names another directory for worktrees")

// checkLinks returns ErrLink where a clone of a stranger's repository has a symbolic link on the way to the directory.
func (d Directory) checkLinks() error {
	inside, err := filepath.Rel(d.top(), d.path)
	if d.top() == "" || err != nil || !filepath.IsLocal(inside) {
		return nil //nolint:nilerr // it is elsewhere, as the user wants it
	}
	path := d.top()
	for name := range strings.SplitSeq(inside, string(filepath.Separator)) {
		path = filepath.Join(path, name)
		if isLink(path) {
			return fmt.Errorf("%s %w", path, ErrLink)
		}
	}
	return nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// top returns the root of the main worktree, "" where there is none.
func (d Directory) top() string {
	if common := d.repo.CommonDir(); filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	return ""
}

// Workers lists the workers that have a worktree.
func (d Directory) Workers() []string {
	entries, _ := os.ReadDir(d.path)
	var names []string
	for _, e := range entries {
		if e.IsDir() && CheckName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// CheckName returns ErrName for a name that cannot be that of a directory and of a part of a branch.
func CheckName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if name == "" || len(name) > 64 || strings.Trim(name, letters+"0123456789-_") != "" || name[0] == '-' {
		return fmt.Errorf("%w %q: want letters, digits, - and _, at most 64", ErrName, name)
	}
	return nil
}

// hold takes the lock of a worker. The error is a *safefile.HeldError while the worker runs.
func (d Directory) hold(name string) (*safefile.Held, error) {
	return d.holdFor(name, "git ralph work")
}

// holdFor is hold with the command that the lock is for. It names the role.
func (d Directory) holdFor(name, command string) (*safefile.Held, error) {
	if err := os.MkdirAll(d.notes, 0o777); err != nil {
		return nil, err
	}
	return safefile.TryLock(filepath.Join(d.notes, name+".lock"), command)
}

// hold takes the lock of the worker's name.
func (w *Worker) hold() (string, *safefile.Held, error) {
	if w.Name == "" {
		return w.dir.holdFree(w.lockText())
	}
	if err := CheckName(w.Name); err != nil {
		return "", nil, err
	}
	held, err := w.dir.holdFor(w.Name, w.lockText())
	if _, busy := errors.AsType[*safefile.HeldError](err); busy {
		err = fmt.Errorf("a worker %s runs already: %w", w.Name, err)
	}
	return w.Name, held, err
}

// holdFree takes the lock of the first worker that does not run.
func (d Directory) holdFree(command string) (string, *safefile.Held, error) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("worker-%d", n)
		held, err := d.holdFor(name, command)
		if _, busy := errors.AsType[*safefile.HeldError](err); !busy {
			return name, held, err
		}
	}
}

// exclude keeps the directory out of what `git status` lists, where it is in the main worktree.
func (d Directory) exclude(ctx context.Context) error {
	inside, err := filepath.Rel(d.top(), d.path)
	if d.top() == "" || err != nil || !filepath.IsLocal(inside) {
		return nil //nolint:nilerr // it is elsewhere
	}
	line := "/" + filepath.ToSlash(inside) + "/\n"
	if strings.HasPrefix(line, "/.ralph/") {
		line = "/.ralph/\n"
	}
	lock, err := safefile.Lock(ctx, filepath.Join(d.notes, "exclude.lock"), "git ralph work")
	if err != nil {
		return err
	}
	defer lock.Release() //nolint:errcheck // the kernel releases it at the end
	const file = "info/exclude"
	old, err := os.ReadFile(filepath.Join(d.repo.CommonDir(), filepath.FromSlash(file)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if strings.Contains("\n"+string(old), "\n"+line) {
		return nil
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	if err := os.MkdirAll(filepath.Join(d.repo.CommonDir(), "info"), 0o777); err != nil {
		return err
	}
	return safefile.Write(d.repo.CommonDir(), file, append(old, line...), 0o666)
}
