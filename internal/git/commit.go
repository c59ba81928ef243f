package git

import (
	"context"
	"fmt"
	"io"
	"slices"

	"git-ralph/internal/proc"
)

// CommitOptions say how CommitThroughGit commits.
type CommitOptions struct {
	// WithStaged commits what the user has staged together with the paths; else the paths alone are committed.
	WithStaged bool
	// Out and Err get what git and the user's hooks print; nil: it is kept for the error.
	Out, Err io.Writer
}

// CommitThroughGit commits paths (slash-separated, from the root) as the user's own `git commit` would, hooks and all,
// and gives the commit. No transaction may be open. The error is ErrCommitRefused with git's words; after a refusal a
// path that git did not know before is out of the index again.
func (r *Repo) CommitThroughGit(ctx context.Context, message string, o CommitOptions, paths ...string) (string, error) {
	if r.Bare() {
		return "", ErrBare
	}
	specs := make([]string, len(paths))
	for i, p := range paths {
		if !validPath(p) {
			return "", fmt.Errorf("%q %w", p, ErrBadPath)
		}
		specs[i] = ":(top,literal)" + p
	}
	undo, err := r.makeKnown(ctx, o, paths, specs)
	if err != nil {
		return "", err
	}
	args := []string{"commit", "-q", "--allow-empty-message", "-F", "-"}
	if !o.WithStaged {
		args = append(append(args, "--only", "--"), specs...)
	}
	if err := r.userGit(ctx, o, []byte(message), args...); err != nil {
		undo()
		return "", err
	}
	return r.run(ctx, nil, "rev-parse", "--verify", "HEAD")
}

// makeKnown brings paths into the index where the commit needs them there: all of them, or those that git does not know
// yet. It gives what takes the new ones out again.
func (r *Repo) makeKnown(ctx context.Context, o CommitOptions, paths, specs []string) (undo func(), err error) {
	entries, err := r.lookupIndex(ctx, r.IndexPath(), paths...)
	if err != nil {
		return nil, err
	}
	add, unknown := []string{}, []string{}
	for i, p := range paths {
		if len(entries[p]) == 0 {
			unknown = append(unknown, specs[i])
		}
		if o.WithStaged || len(entries[p]) == 0 {
			add = append(add, "./"+p)
		}
	}
	undo = func() {
		if len(unknown) > 0 {
			args := append([]string{"rm", "-q", "--cached", "--ignore-unmatch", "--"}, unknown...)
			r.userGit(context.WithoutCancel(ctx), CommitOptions{}, nil, args...) //nolint:errcheck // the refusal is told
		}
	}
	if len(add) > 0 {
		_, err = r.run(ctx, nil, append([]string{"update-index", "--add", "--"}, add...)...)
	}
	return undo, err
}

// userGit runs a command as the user would: their hooks, and pathspecs that carry their own magic.
func (r *Repo) userGit(ctx context.Context, o CommitOptions, stdin []byte, args ...string) error {
	env := slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool {
		return slices.Contains(added, kv)
	})
	_, err := proc.Run(ctx, proc.Cmd{
		Name: r.program, Args: args, Dir: r.root, Env: env, Stdin: stdin, Stdout: o.Out, Stderr: o.Err,
	})
	if err != nil {
		return refused(err)
	}
	return nil
}
