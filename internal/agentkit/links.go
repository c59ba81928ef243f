package agentkit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrLink: a file for everybody who works in a repository would be written outside of it.
var ErrLink = errors.New("want one that leads to something in the repository")

// checkLinks returns ErrLink where a link on the way to a file of a project leads out of the worktree, into git's own directory, or to
// nothing: a repository must not choose which of the user's other files is changed. Links in the user's own directories are followed.
func (p Places) checkLinks(scope Scope, path string) error {
	if scope == User {
		return nil
	}
	root, err := filepath.EvalSymlinks(p.Root)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(p.Root, path)
	if err != nil {
		return err
	}
	at := p.Root
	for part := range strings.SplitSeq(name, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		if !isLink(at) {
			continue
		}
		if real, err := filepath.EvalSymlinks(at); err != nil || !isInside(root, real) {
			target, _ := os.Readlink(at) //nolint:errcheck // then it is not named
			return fmt.Errorf("invalid symbolic link %s to %q: %w", at, target, ErrLink)
		}
	}
	return nil
}

// isInside reports whether a path is below the root of a worktree, and not git's.
func isInside(root, path string) bool {
	name, err := filepath.Rel(root, path)
	first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	return err == nil && filepath.IsLocal(name) && !strings.EqualFold(first, ".git")
}
