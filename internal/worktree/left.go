package worktree

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
	"git-ralph/internal/safefile"
)

// leftGrace is how long a command whose process was killed may take to end.
const leftGrace = 2 * time.Second

// EndLeft ends the commands that killed processes left running in worktrees of this clone, and deletes these worktrees. It returns how
// many commands there were. What cannot be deleted is left for the next one.
func EndLeft(ctx context.Context, repo *git.Repo) (ended int) {
	names, _ := filepath.Glob(filepath.Join(repo.CommonDir(), "ralph", "checks", "*[0-9]")) //nolint:errcheck // the pattern is good
	for _, name := range names {
		lock, err := safefile.TryLock(name+".lock", "clean up")
		if err != nil {
			continue // it is in use
		}
		c := &Clean{repo: repo, note: name, lock: lock}
		if did, _ := c.clearLeft(ctx); did { //nolint:errcheck // see above
			ended++
		}
		lock.Release() //nolint:errcheck // the kernel releases it at the end
	}
	return ended
}

// clearLeft ends the command that a killed process left running under this lock, and deletes the worktree. It does neither where this
// process was started by that command.
func (c *Clean) clearLeft(ctx context.Context) (ended bool, err error) {
	left, err := readNote(c.note)
	if err != nil {
		return false, nil //nolint:nilerr // there is none, the usual case
	}
	if !strings.HasPrefix(filepath.Base(filepath.Dir(left.dir)), tempPrefix) { // not a note of ours
		return false, os.Remove(c.note)
	}
	c.dir = left.dir
	if slices.Contains(c.repo.Git().Environ, c.mark()) {
		return false, nil
	}
	ended = proc.EndRemaining(left.command, c.mark(), leftGrace)
	return ended, c.delete(ctx)
}

// mark is an entry in the environment of everything that is started in the worktree.
func (c *Clean) mark() string { return "GIT_RALPH_CHECK=" + c.dir }

// A note says what a process leaves behind if it is killed. It is a file with a line for each of these.
type note struct {
	dir     string  // the worktree
	command proc.ID // that runs there
}

func (c *Clean) write(n note) error {
	text := n.dir + "\n"
	if n.command.PID != 0 {
		text += strconv.Itoa(n.command.PID) + "\n" + n.command.Start + "\n"
	}
	return safefile.Write(filepath.Dir(c.note), filepath.Base(c.note), []byte(text), 0o666)
}

func readNote(path string) (n note, err error) {
	text, err := os.ReadFile(path)
	lines := strings.Split(string(text), "\n")
	n.dir = lines[0]
	if len(lines) > 2 {
		n.command.PID, _ = strconv.Atoi(lines[1])
		n.command.Start = lines[2]
	}
	return n, err
}
