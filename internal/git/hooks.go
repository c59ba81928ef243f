package git

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/git/config"
)

// HooksDir returns the directory that git takes hooks from, absolute. It need not exist. Configured reports whether
// core.hooksPath names it, and in which file that stands: "" where no file does.
func (r *Repo) HooksDir(ctx context.Context) (dir string, configured bool, file string, err error) {
	base := r.git.Cmd()
	path, err := r.git.Run(ctx, nil, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", false, "", err
	}
	found, err := r.configFiles.Settings(ctx, `^core\.hookspath$`)
	if err != nil || len(found) == 0 {
		return config.Resolve(base.Dir, path), false, "", err
	}
	return config.Resolve(base.Dir, path), true, found[len(found)-1].File, nil
}

// Version asks git for its version.
func (r *Repo) Version(ctx context.Context) (major, minor int, err error) {
	c := r.git.Cmd("version")
	c.Dir = "" // it needs no repository
	res, err := r.git.Exec(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	text := strings.TrimSuffix(string(res.Stdout), "\n")
	if _, err := fmt.Sscanf(strings.TrimPrefix(text, "git version "), "%d.%d", &major, &minor); err != nil {
		return 0, 0, fmt.Errorf("git says %q: %w", text, err)
	}
	return major, minor, nil
}
