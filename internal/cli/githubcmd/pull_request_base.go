package githubcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/land"
)

// copyOfBase is this clone's copy of the remote's base.
func (w *pullWork) copyOfBase() string { return "refs/remotes/" + w.branch.Remote + "/" + w.base }

// mergeBase lands the remote's base, as it is now, in the target, after the pull request was merged.
func (w *pullWork) mergeBase(ctx context.Context) error {
	_, refused, err := w.landBase(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("pull request %s is merged, but %s does not land: %w", w.request, w.base, err)
	case refused != "":
		return &cmdline.HintedError{
			Err:  fmt.Errorf("pull request %s is merged, but %s does not land: %s", w.request, w.base, refused),
			Hint: w.byHand() + ", then run the command again",
		}
	}
	return nil
}

// byHand says what to do where the base does not land.
func (w *pullWork) byHand() string {
	return fmt.Sprintf("merge %s/%s into %s by hand", w.branch.Remote, w.base, strings.TrimPrefix(w.claims.Target, "refs/heads/"))
}

// landBase lands the remote's base, as it is now, in the target. It reports whether that moved, or why it was refused.
func (w *pullWork) landBase(ctx context.Context) (landed bool, refused string, err error) {
	if err := w.branch.Fetch(ctx, w.base); err != nil {
		return false, "", err
	}
	o, err := w.landing(ctx)
	if err != nil {
		return false, "", err
	}
	o.Branches = []string{w.copyOfBase()}
	if w.claims.Remote() != "" { // where landing pushes branches alone
		branch := "refs/heads/ralph-work/base-of-pull-requests"
		if _, err := w.store.Repo().Git().Run(ctx, nil, "update-ref", branch, w.copyOfBase()); err != nil {
			return false, "", err
		}
		o.Branches = []string{branch}
	}
	result, err := land.Run(ctx, w.store, w.claims.Claims, o)
	if err != nil {
		return false, "", err
	}
	for _, b := range result.Branches {
		landed = landed || b.Outcome == land.Landed
		if b.Outcome != land.Landed && b.Outcome != land.Contained {
			refused = strings.TrimSpace(string(b.Outcome) + " " + strings.Join(b.Paths, ", ") + " " + b.Reason)
		}
	}
	return landed, refused, nil
}

// followBase lands the base in a target that is another branch, where it moved at the remote, whoever moved it. One that was refused
// is tried again when it has moved again.
func (w *pullWork) followBase(ctx context.Context) (landed bool, err error) {
	if w.base == "" || w.claims.Target == "refs/heads/"+w.base {
		return false, nil
	}
	base := w.branch
	base.Name = w.base
	at, err := base.At(ctx)
	if err != nil || at == "" {
		return false, err
	}
	file, note := filepath.Join(w.dir, "base"), w.claims.Target+" "+at
	if text, err := os.ReadFile(file); err == nil && string(text) == note {
		return false, nil
	}
	landed, refused, err := w.landBase(ctx)
	if err != nil {
		return false, err
	}
	if refused != "" {
		w.env.Warn(fmt.Sprintf("%s has moved, and does not land: %s: %s", w.base, refused, w.byHand()))
	}
	return landed, os.WriteFile(file, []byte(note), 0o600)
}
