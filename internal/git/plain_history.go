package git

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git/config"
)

// PlainHistory reports whether git's history is what the commit objects contain: nothing is replaced, grafted or shallow, and
// references are files.
func (r *Repo) PlainHistory() bool {
	if r.reftable || r.HasReplacements() || config.HasAny(r.git.Environ, []string{"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE"}) {
		return false
	}
	if list, _ := config.Getenv(r.git.Environ, "GIT_ALTERNATE_OBJECT_DIRECTORIES"); strings.Contains(list, `"`) {
		return false // a list of quoted paths
	}
	for _, name := range []string{"shallow", "info/grafts"} {
		if info, err := os.Stat(filepath.Join(r.commonDir, filepath.FromSlash(name))); err == nil && info.Size() > 0 {
			return false
		}
	}
	return true
}

// HasReplacements reports whether `git replace` may have replaced objects.
func (r *Repo) HasReplacements() bool {
	if config.HasAny(r.git.Environ, []string{"GIT_REPLACE_REF_BASE"}) {
		return true
	}
	if list, err := os.ReadDir(filepath.Join(r.commonDir, "refs", "replace")); err == nil && len(list) > 0 {
		return true
	}
	data, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	return err != nil && !errors.Is(err, os.ErrNotExist) || bytes.Contains(data, []byte(" refs/replace/"))
}

// NoReplacements is set in the environment of a git that is to show objects as they are.
const NoReplacements = "GIT_NO_REPLACE_OBJECTS=1"

// WithoutReplacements returns the repository as it is, whatever `git replace` shows in it. All worktrees share the replacements, so
// that anybody in one of them decides what the others see.
func WithoutReplacements(r *Repo) *Repo {
	other, program := *r, *r.git
	program.Environ = append(slices.Clip(program.Environ), NoReplacements)
	program.Env = append(slices.Clip(program.Env), NoReplacements)
	other.git = &program
	return &other
}
