package work

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/proc"
	"git-ralph/internal/worktree"
)

// setupTime is how long ralph.worktree.setup may take.
const setupTime = 30 * time.Minute

// setup runs the command of ralph.worktree.setup in a new worktree, once: whether it did is kept in the worktree's git directory.
func (p *place) setup(ctx context.Context, environ []string) error {
	settings, err := p.st.Repo().Config(ctx)
	if err != nil {
		return err
	}
	line, _ := settings.Get("ralph.worktree.setup")
	words, err := proc.SplitWords(line)
	if err != nil {
		return fmt.Errorf("invalid ralph.worktree.setup %q: want a command line", line)
	}
	done := filepath.Join(p.st.Repo().GitDir(), "ralph", "setup")
	if was, err := os.ReadFile(done); len(words) == 0 || err == nil && string(was) == line {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, setupTime)
	defer stop()
	cmd := proc.Cmd{Name: words[0], Args: words[1:], Dir: p.st.Repo().Root(), Env: worktree.Environ(environ), Stdin: []byte{}, Group: true}
	if _, err := proc.Run(ctx, cmd); err != nil {
		return fmt.Errorf("ralph.worktree.setup: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(done), 0o777); err != nil {
		return err
	}
	return os.WriteFile(done, []byte(line), 0o666)
}
