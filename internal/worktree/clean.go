package worktree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/safefile"
)

// A Clean is a worktree for commands that are run on commits. It belongs to this process until it is closed.
type Clean struct {
	repo *git.Repo
	dir  string // the worktree; "" until the first checkout
	note string // the file that names dir, so that the next process can delete it
	lock *safefile.Held
}

// Open takes a worktree, in which git replaces no objects: what a check judges is what its commit says, for everybody. What a killed process left of one is deleted.
func Open(ctx context.Context, repo *git.Repo) (*Clean, error) {
	repo = git.WithoutReplacements(repo)
	notes := filepath.Join(repo.CommonDir(), "ralph", "checks")
	if err := os.MkdirAll(notes, 0o777); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		name := filepath.Join(notes, strconv.Itoa(n))
		lock, err := safefile.TryLock(name+".lock", "check")
		if errors.As(err, new(*safefile.HeldError)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c := &Clean{repo: repo, note: name, lock: lock}
		if _, err := c.clearLeft(ctx); err != nil {
			c.lock.Release() //nolint:errcheck // the other error says more
			return nil, err
		}
		if c.dir == "" { // else we belong to the command that runs there
			return c, nil
		}
		lock.Release() //nolint:errcheck // the kernel releases it at the end
	}
}

// tempPrefix begins the name of the directory that holds one worktree.
const tempPrefix = "git-ralph-check-"

// Checkout makes the worktree hold exactly the content of the commit with this id.
func (c *Clean) Checkout(ctx context.Context, commit string) error {
	if c.dir == "" {
		return c.add(ctx, commit)
	}
	for _, args := range [][]string{{"reset", "--quiet", "--hard", commit}, {"clean", "--quiet", "-ffdx"}} {
		if err := c.run(ctx, c.dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// add makes the worktree. It is noted before it exists.
func (c *Clean) add(ctx context.Context, commit string) error {
	temp, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return err
	}
	dir := filepath.Join(temp, filepath.Base(c.repo.Root())) // tools show the directory's name
	if c.repo.Bare() {
		dir = filepath.Join(temp, "worktree")
	}
	if err := c.write(note{dir: dir}); err != nil {
		os.Remove(temp) //nolint:errcheck // the other error says more
		return err
	}
	c.dir = dir
	err = c.run(ctx, c.repo.Git().Dir, "worktree", "add", "--quiet", "--force", "--detach", dir, commit)
	if err != nil { // git removes what it has made, and the next checkout makes it anew
		c.delete(context.WithoutCancel(ctx)) //nolint:errcheck // Close tries it again
	}
	return err
}

// run runs git for the worktree as the user would, without hooks.
func (c *Clean) run(ctx context.Context, dir string, args ...string) error {
	cmd := c.repo.Git().Cmd(append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir, cmd.Env = dir, Environ(c.repo.Git().Environ)
	if dir != c.dir {
		cmd.Env = c.repo.Git().UserEnv()
	}
	_, err := c.repo.Git().Exec(ctx, cmd)
	return err
}

// Dir returns the worktree's root, "" before the first checkout.
func (c *Clean) Dir() string { return c.dir }

// Close deletes the worktree and gives up its lock.
func (c *Clean) Close() error {
	return errors.Join(c.delete(context.Background()), c.lock.Release())
}

func (c *Clean) delete(ctx context.Context) error {
	if c.dir == "" {
		return nil
	}
	removed := c.run(ctx, c.repo.Git().Dir, "worktree", "remove", "--force", "--force", c.dir)
	if err := os.RemoveAll(filepath.Dir(c.dir)); err != nil { // what a check made read-only, for one
		return errors.Join(removed, err)
	}
	if removed != nil { // there was none yet, or the directory had gone before
		if err := c.run(ctx, c.repo.Git().Dir, "worktree", "prune"); err != nil {
			return err
		}
	}
	c.dir = ""
	return os.Remove(c.note)
}

// Environ returns an environment without the variables by which git finds a repository: the directory decides.
func Environ(environ []string) []string {
	env := make([]string, 0, len(environ))
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_NAMESPACE":
			continue
		}
		env = append(env, variable)
	}
	return env
}
