package git

import (
	"context"
	"fmt"
	"strings"
)

// Version returns the version of git.
func (r *Repo) Version(ctx context.Context) (major, minor int, err error) {
	c := r.git.Cmd("version")
	c.Dir = "" // it needs no repository
	res, err := r.git.Exec(ctx, c)
	if err != nil {
		return 0, 0, err
	}
	text := strings.TrimSuffix(string(res.Stdout), "\n")
	if _, err := fmt.Sscanf(strings.TrimPrefix(text, "git version "), "%d.%d", &major, &minor); err != nil {
		return 0, 0, fmt.Errorf("unexpected output of `git version` %q: %w", text, err)
	}
	return major, minor, nil
}
