package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// A Change is a file that differs from HEAD, in the index or on disk, or that is untracked.
type Change struct {
	Path      string // slash-separated, from the root; an untracked directory is one Change, and ends in a slash
	Untracked bool
	Unindexed bool // it is in HEAD and not in the index
}

// Changes lists what differs from HEAD, as `git status` does. Ignored files, and changes inside submodules, are left out. With
// paths (slash-separated, from the root) it lists only these, and each file in an untracked directory.
func (r *Repo) Changes(ctx context.Context, paths ...string) ([]Change, error) {
	if r.Bare() {
		return nil, ErrBare
	}
	untracked := "normal"
	if len(paths) > 0 {
		untracked = "all"
	}
	some := paths
	if TooManyForArgs(paths) {
		paths = nil
	}
	// While an agent works, the agent and the user use git too: a query must not lock the index.
	args := append([]string{"--no-optional-locks", "status", "--porcelain", "-z", "--ignore-submodules=dirty", "--untracked-files=" + untracked, "--"}, paths...)
	out, err := r.git.Output(ctx, args...)
	if err != nil {
		return nil, err
	}
	changes := parseStatus(string(out))
	if TooManyForArgs(some) {
		below := belowAny(some)
		changes = slices.DeleteFunc(changes, func(c Change) bool { return !below(c.Path) })
	}
	return changes, nil
}

// parseStatus reads entries such as "XY path", each ended by a NUL; those of renamed files are followed by the old path.
func parseStatus(out string) []Change {
	var changes []Change
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		entry := fields[i]
		if len(entry) < len("XY p") {
			continue
		}
		changes = append(changes, Change{Path: entry[3:], Untracked: entry[:2] == "??", Unindexed: entry[0] == 'D'})
		if strings.ContainsAny(entry[:2], "RC") && i+1 < len(fields) {
			i++
			if entry[0] == 'R' || entry[1] == 'R' {
				changes = append(changes, Change{Path: fields[i]})
			}
		}
	}
	return changes
}

// DirtySubmodules lists submodules with uncommitted changes inside. A submodule at another commit is in Changes.
func (r *Repo) DirtySubmodules(ctx context.Context) ([]string, error) {
	if _, err := os.Lstat(filepath.Join(r.root, ".gitmodules")); err != nil {
		return nil, nil
	}
	out, err := r.git.Output(ctx, "--no-optional-locks", "status", "--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=none", "--untracked-files=no")
	if err != nil {
		return nil, err
	}
	var dirty []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		fields := strings.SplitN(entry, " ", 9) // "1 XY S<c><m><u> <mode> <mode> <mode> <id> <id> <path>"
		if len(fields) == 9 && fields[0] == "1" && strings.HasPrefix(fields[2], "S") && strings.ContainsAny(fields[2][2:], "MU") {
			dirty = append(dirty, fields[8])
		}
	}
	return dirty, nil
}

// IsIgnored reports whether git ignores a path of the worktree that it does not track. There need not be a file.
func IsIgnored(ctx context.Context, r *Repo, path string) (bool, error) {
	_, err := r.git.Run(ctx, nil, "--no-literal-pathspecs", "check-ignore", "-q", "--", "./"+path) // it refuses literal ones
	if proc.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
