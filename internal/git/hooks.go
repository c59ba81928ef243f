package git

import (
	"context"

	"git-ralph/internal/git/config"
)

// HooksDir returns the absolute path of the directory that git takes hooks from. It need not exist. configured reports whether
// core.hooksPath names it, and file is the configuration file that sets it, "" if none does.
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
