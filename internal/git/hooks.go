package git

import (
	"context"

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
