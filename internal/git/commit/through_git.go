package commit

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
)

// CommittingVariable is set in the environment of the user's hooks while ThroughGit runs: a mutation in a hook would wait for
// the one that runs it.
const CommittingVariable = "GIT_RALPH_COMMITTING"

// Options configure ThroughGit.
type Options struct {
	// WithStaged commits what the user has staged together with the paths; else the paths alone are committed.
	WithStaged bool
	// NoHooks leaves out the hooks that may refuse or change a commit: pre-commit, commit-msg.
	NoHooks bool
	// Wait is how long another process may keep the index locked, where the paths alone are committed.
	Wait time.Duration
	// Err gets what git and the user's hooks printed, unless the commit failed: then it is in the error. May be nil.
	Err io.Writer
}

// ThroughGit commits paths (slash-separated, from the root) as the user's own `git commit` would, including hooks, and returns
// the commit. The removal of a file is committed too, also if it was only removed from the index and still exists. No
// transaction may be open. The error is ErrCommitRefused with git's message, or a *LockedError; after it the index is as it was
// at the paths.
func ThroughGit(ctx context.Context, r *git.Repo, message string, o Options, paths ...string) (string, error) {
	if r.Bare() {
		return "", git.ErrBare
	}
	for _, p := range paths {
		if !git.IsPlain(p) {
			return "", fmt.Errorf("%q %w", p, ErrBadPath)
		}
	}
	before, err := lookupIndex(ctx, r, r.IndexPath(), paths...)
	if err != nil {
		return "", err
	}
	if o.WithStaged {
		err = stageAndCommit(ctx, r, message, o, paths, before)
	} else if err = commitPaths(ctx, r, message, o, paths, before); err == nil {
		stageCommitted(context.WithoutCancel(ctx), r, o, paths)
	}
	if err != nil {
		return "", err
	}
	return r.Head(ctx)
}

// commitPaths commits paths and nothing else that is staged, with `git commit --only` if possible. The error may be
// ErrNothingToCommit.
func commitPaths(ctx context.Context, r *git.Repo, message string, o Options, paths []string, before indexEntries) error {
	beyond, err := needsOwnIndex(ctx, r, paths, before)
	if err != nil {
		return err
	}
	if beyond {
		return commitPartial(ctx, r, message, o, paths)
	}
	limited, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	if err := AwaitIndex(limited, r); err != nil {
		return err
	}
	var fresh []string // --only takes only paths that are in the index
	for _, p := range paths {
		if len(before[p]) == 0 && isOnDisk(r, p) {
			fresh = append(fresh, p)
		}
	}
	list, err := writeList(r, paths)
	if err != nil {
		return err
	}
	defer os.Remove(list) //nolint:errcheck // the next commit writes it anew
	err = stageAndCommit(ctx, r, message, o, fresh, before, "--only", "--pathspec-from-file="+list, "--pathspec-file-nul")
	if err != nil && fresh == nil && isCommitted(context.WithoutCancel(ctx), r, paths) {
		err = fmt.Errorf("%w: %w", ErrCommitRefused, ErrNothingToCommit)
	}
	return err
}

// writeList writes paths to a file from which git reads them, because they may be too long for a command line.
func writeList(r *git.Repo, paths []string) (file string, err error) {
	var list strings.Builder
	for _, p := range paths {
		list.WriteString(":(top,literal)" + p + "\x00")
	}
	file = filepath.Join(r.GitDir(), "ralph", "paths")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, []byte(list.String()), 0o666)
}

// isCommitted reports whether the files at paths do not differ from HEAD.
func isCommitted(ctx context.Context, r *git.Repo, paths []string) bool {
	_, differs := r.Git().Run(ctx, nil, append([]string{"diff", "--quiet", "--no-ext-diff", "--no-textconv", "HEAD", "--"}, paths...)...)
	return differs == nil
}

// stageAndCommit stages paths and has git commit. If that fails, the entries at paths are restored.
func stageAndCommit(ctx context.Context, r *git.Repo, message string, o Options, paths []string, before indexEntries, args ...string) error {
	err := stageFromDisk(ctx, r, paths, before)
	if err == nil {
		err = userGit(ctx, r, o, []byte(message), slices.Concat(warnSafeCRLF(ctx, r), commitArgs(o), args)...)
	}
	if err != nil {
		setEntries(context.WithoutCancel(ctx), r, paths, before) //nolint:errcheck // no worse than what led here, and the next command reports it
	}
	return err
}

// commitArgs have git commit with a message from its input.
func commitArgs(o Options) []string {
	args := []string{"commit", "-q", "--allow-empty-message", "-F", "-"}
	if o.NoHooks {
		args = append(args, "--no-verify")
	}
	return args
}

// warnSafeCRLF turns an error of core.safecrlf into a warning: because of the plan, whose line endings do not matter, git would
// refuse the whole commit.
func warnSafeCRLF(ctx context.Context, r *git.Repo) []string {
	config, err := r.Config(ctx)
	if err != nil {
		return nil
	}
	if on, err := config.Bool("core.safecrlf", false); err == nil && on {
		return []string{"-c", "core.safecrlf=warn"}
	}
	return nil
}

// userGit runs a command as the user would: their hooks, and pathspecs that carry their own magic.
func userGit(ctx context.Context, r *git.Repo, o Options, stdin []byte, args ...string) error {
	env := append(r.Git().UserEnv(), CommittingVariable+"=1", "RALPH_HOOKS=0") // the plan was checked before
	res, err := r.Git().Exec(ctx, proc.Cmd{Name: r.Git().Path, Args: args, Dir: r.Root(), Env: env, Stdin: stdin})
	if err != nil {
		return refusal(err)
	}
	if o.Err != nil {
		o.Err.Write(slices.Concat(res.Stdout, res.Stderr)) //nolint:errcheck // these are only messages
	}
	return nil
}
