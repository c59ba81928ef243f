package git

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// HooksDir gives the folder that git takes hooks from, absolute. It need not exist. Configured tells whether
// core.hooksPath names it, and in which file that stands: "" where no file does.
func (r *Repo) HooksDir(ctx context.Context) (dir string, configured bool, file string, err error) {
	base := r.cmd()
	path, err := r.run(ctx, nil, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", false, "", err
	}
	found, err := r.Settings(ctx, `^core\.hookspath$`)
	if err != nil || len(found) == 0 {
		return resolve(base.Dir, path), false, "", err
	}
	return resolve(base.Dir, path), true, found[len(found)-1].File, nil
}

// IsOwnConfig tells whether a file of settings is the repository's own, and not the user's or the machine's.
func (r *Repo) IsOwnConfig(file string) bool {
	inside, err := filepath.Rel(r.commonDir, file)
	return file != "" && err == nil && filepath.IsLocal(inside)
}

// Version asks git for its version.
func (r *Repo) Version(ctx context.Context) (major, minor int, err error) {
	c := r.cmd("version")
	c.Dir = "" // it needs no repository
	text, err := r.runCmd(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	if _, err := fmt.Sscanf(strings.TrimPrefix(text, "git version "), "%d.%d", &major, &minor); err != nil {
		return 0, 0, fmt.Errorf("git says %q: %w", text, err)
	}
	return major, minor, nil
}
