package authority

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"

	"git-ralph/internal/safefile"
)

// KeptFile holds the tokens of the claims that commands made in this repository, below its common directory. It says which claims are
// our own. Only its owner can read it.
const KeptFile = stateDir + "/own.json"

// keptToken is the token of one claim, and the worktree whose commands it belongs to.
type keptToken struct {
	Token    string `json:"token"`
	Worktree string `json:"worktree"` // its git directory, relative to the common one
}

// Keep stores tokens for later commands in the same worktree.
func (c *Claims) Keep(ctx context.Context, own Own) error {
	return c.updateKept(ctx, func(kept map[string]keptToken) {
		for id, token := range own {
			kept[id] = keptToken{token, c.worktreeName()}
		}
	})
}

// Forget drops tokens that are not needed any more.
func (c *Claims) Forget(ctx context.Context, own Own) error {
	if len(own) == 0 {
		return nil
	}
	return c.updateKept(ctx, func(kept map[string]keptToken) {
		maps.DeleteFunc(kept, func(id string, k keptToken) bool { return own[id] == k.Token })
	})
}

// Kept returns the tokens that commands in this worktree stored, and those of worktrees that are gone.
func (c *Claims) Kept() Own {
	own, here := Own{}, c.worktreeName()
	for id, k := range c.readKept() {
		if k.Worktree == here || c.isGone(k.Worktree) {
			own[id] = k.Token
		}
	}
	return own
}

// isGone reports whether a worktree was removed.
func (c *Claims) isGone(worktree string) bool {
	_, err := os.Stat(filepath.Join(c.repo.CommonDir(), filepath.FromSlash(worktree)))
	return os.IsNotExist(err)
}

// worktreeName names this worktree by its git directory, which stays when the worktree is moved.
func (c *Claims) worktreeName() string {
	name, err := filepath.Rel(c.repo.CommonDir(), c.repo.GitDir())
	if err != nil {
		return c.repo.GitDir()
	}
	return filepath.ToSlash(name)
}

// readKept reads the file. What cannot be read counts as nothing: the claims then belong to nobody here, and can be stolen.
func (c *Claims) readKept() map[string]keptToken {
	kept := map[string]keptToken{}
	data, err := os.ReadFile(filepath.Join(c.repo.CommonDir(), filepath.FromSlash(KeptFile)))
	if err != nil || json.Unmarshal(data, &kept) != nil || kept == nil {
		return map[string]keptToken{}
	}
	return kept
}

func (c *Claims) updateKept(ctx context.Context, change func(map[string]keptToken)) error {
	path := filepath.Join(c.repo.CommonDir(), filepath.FromSlash(KeptFile))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), contention)
	defer cancel()
	lock, err := safefile.Lock(ctx, path+".lock", "claim")
	if err != nil {
		return err
	}
	defer lock.Release() //nolint:errcheck // the kernel releases it at the end
	kept := c.readKept()
	change(kept)
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return safefile.WriteCached(c.repo.CommonDir(), KeptFile, append(data, '\n'), 0o600)
}
