package git

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

// CommittingVariable is set in the environment of the user's hooks while CommitThroughGit runs: a mutation there would
// wait for the one that it is part of.
const CommittingVariable = "GIT_RALPH_COMMITTING"

// CommitOptions say how CommitThroughGit commits.
type CommitOptions struct {
	// WithStaged commits what the user has staged together with the paths; else the paths alone are committed.
	WithStaged bool
	// Wait is how long another process may keep the index locked, where the paths alone are committed.
	Wait time.Duration
	// Err gets what git and the user's hooks printed, unless git refused: then it is in the error. May be nil.
	Err io.Writer
}

// CommitThroughGit commits paths (slash-separated, from the root) as the user's own `git commit` would, hooks and all,
// and gives the commit. What became of a path goes in: also that it is gone, or was taken out of the index and lies there
// still. No transaction may be open. The error is ErrCommitRefused with git's words, or a *LockedError; after it the index is
// as it was at the paths.
func (r *Repo) CommitThroughGit(ctx context.Context, message string, o CommitOptions, paths ...string) (string, error) {
	if r.Bare() {
		return "", ErrBare
	}
	for _, p := range paths {
		if !isPlain(p) {
			return "", fmt.Errorf("%q %w", p, ErrBadPath)
		}
	}
	before, err := r.lookupIndex(ctx, r.IndexPath(), paths...)
	if err != nil {
		return "", err
	}
	if o.WithStaged {
		err = r.stageAndCommit(ctx, message, o, paths, before)
	} else if err = r.commitPaths(ctx, message, o, paths, before); err == nil {
		r.stageCommitted(context.WithoutCancel(ctx), o, paths)
	}
	if err != nil {
		return "", err
	}
	return r.Head(ctx)
}

// commitPaths commits paths and nothing else that is staged, by git where it can. The error may be ErrNothingToCommit.
func (r *Repo) commitPaths(ctx context.Context, message string, o CommitOptions, paths []string, before map[string][]indexEntry) error {
	beyond, err := r.beyondOnly(ctx, paths, before)
	if err != nil {
		return err
	}
	if beyond {
		return r.commitPart(ctx, message, o, paths)
	}
	patient, cancel := context.WithTimeout(ctx, o.Wait)
	defer cancel()
	if err := r.AwaitIndex(patient); err != nil {
		return err
	}
	var fresh []string // git must know of them for it
	for _, p := range paths {
		if len(before[p]) == 0 && r.isOnDisk(p) {
			fresh = append(fresh, p)
		}
	}
	list, err := r.writeList(paths)
	if err != nil {
		return err
	}
	defer os.Remove(list) //nolint:errcheck // the next commit writes it anew
	err = r.stageAndCommit(ctx, message, o, fresh, before, "--only", "--pathspec-from-file="+list, "--pathspec-file-nul")
	if err != nil && fresh == nil && r.isCommitted(context.WithoutCancel(ctx), paths) {
		err = fmt.Errorf("%w: %w", ErrCommitRefused, ErrNothingToCommit)
	}
	return err
}

// writeList writes paths where git reads them from: a command line has not room for all.
func (r *Repo) writeList(paths []string) (file string, err error) {
	var list strings.Builder
	for _, p := range paths {
		list.WriteString(":(top,literal)" + p + "\x00")
	}
	file = filepath.Join(r.gitDir, "ralph", "paths")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, []byte(list.String()), 0o666)
}

// isCommitted tells whether what is on disk at paths that git knows is what HEAD holds.
func (r *Repo) isCommitted(ctx context.Context, paths []string) bool {
	_, differs := r.run(ctx, nil, append([]string{"diff", "--quiet", "--no-ext-diff", "--no-textconv", "HEAD", "--"}, paths...)...)
	return differs == nil
}

// stageAndCommit brings paths into the index and has git commit. Where it refuses, the index holds there what it did before.
func (r *Repo) stageAndCommit(ctx context.Context, message string, o CommitOptions, paths []string, before map[string][]indexEntry, args ...string) error {
	err := r.stageFromDisk(ctx, paths, before)
	if err == nil {
		err = r.userGit(ctx, o, []byte(message), slices.Concat(r.softCRLF(ctx), commitArgs(), args)...)
	}
	if err != nil {
		r.setEntries(context.WithoutCancel(ctx), paths, before) //nolint:errcheck // no worse than what led here, and the next command tells
	}
	return err
}

// commitArgs have git commit with a message from its input.
func commitArgs() []string { return []string{"commit", "-q", "--allow-empty-message", "-F", "-"} }

// RefreshIndex has git note how the files on disk look now, as `git status` does, so that plumbing sees no difference
// where there is none.
func (r *Repo) RefreshIndex(ctx context.Context) {
	r.run(ctx, nil, "update-index", "-q", "--refresh") //nolint:errcheck // it fails where files differ, which is no failure here
}

// RestoreFile makes a file in the index and the worktree what it is at a commit.
func (r *Repo) RestoreFile(ctx context.Context, commit, path string) error {
	_, err := r.run(ctx, nil, "checkout", "-q", commit, "--", path)
	return err
}

// softCRLF has a git that would refuse line ends warn of them instead: it would refuse the plan, whose line ends do not matter,
// and with it the code beside it.
func (r *Repo) softCRLF(ctx context.Context) []string {
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
func (r *Repo) userGit(ctx context.Context, o CommitOptions, stdin []byte, args ...string) error {
	env := append(r.plainEnviron(), CommittingVariable+"=1", "RALPH_HOOKS=0") // the plan was looked at
	res, err := r.exec(ctx, proc.Cmd{Name: r.program, Args: args, Dir: r.root, Env: env, Stdin: stdin})
	if err != nil {
		return refused(err)
	}
	if o.Err != nil {
		o.Err.Write(slices.Concat(res.Stdout, res.Stderr)) //nolint:errcheck // words on the way
	}
	return nil
}

// plainEnviron is the environment of commands that the user could have typed.
func (r *Repo) plainEnviron() []string {
	return slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool { return slices.Contains(added, kv) })
}
