package git

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// CommittingVariable is set in the environment of the user's hooks while CommitThroughGit runs: a mutation there would
// wait for the one that it is part of.
const CommittingVariable = "GIT_RALPH_COMMITTING"

// CommitOptions say how CommitThroughGit commits.
type CommitOptions struct {
	// WithStaged commits what the user has staged together with the paths; else the paths alone are committed.
	WithStaged bool
	// Err gets what git and the user's hooks printed, unless git refused: then it is in the error. May be nil.
	Err io.Writer
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
	return r.Head(ctx)
}

// makeKnown brings paths into the index where the commit needs them there: all of them, or those that git does not know
// yet. It gives what puts the index back at these paths.
func (r *Repo) makeKnown(ctx context.Context, o CommitOptions, paths, specs []string) (undo func(), err error) {
	before, err := r.lookupIndex(ctx, r.IndexPath(), paths...)
	if err != nil {
		return nil, err
	}
	var add []string
	for i, p := range paths {
		if o.WithStaged || len(before[p]) == 0 {
			add = append(add, specs[i])
		}
	}
	if len(add) == 0 {
		return func() {}, nil
	}
	undo = func() { r.restoreEntries(context.WithoutCancel(ctx), paths, before) }
	return undo, r.userGit(ctx, CommitOptions{}, nil, append([]string{"add", "--"}, add...)...)
}

// restoreEntries gives the index the entries at paths that it had before. A failure is no worse than the one that led
// here, and the next command tells of it.
func (r *Repo) restoreEntries(ctx context.Context, paths []string, before map[string][]indexEntry) {
	var lines strings.Builder
	for _, p := range paths {
		if len(before[p]) == 0 {
			fmt.Fprintf(&lines, "0 %s\t%s\x00", zeroID(r.hexSize()), p)
		}
		for _, e := range before[p] {
			fmt.Fprintf(&lines, "%s %s %d\t%s\x00", e.mode, e.id, e.stage, p)
		}
	}
	r.run(ctx, []byte(lines.String()), "update-index", "-z", "--index-info") //nolint:errcheck // see above
}

// RefreshIndex has git note how the files on disk look now, as `git status` does, so that plumbing sees no difference
// where there is none.
func (r *Repo) RefreshIndex(ctx context.Context) {
	r.run(ctx, nil, "update-index", "-q", "--refresh") //nolint:errcheck // it fails where files differ, which is no failure here
}

// userGit runs a command as the user would: their hooks, and pathspecs that carry their own magic.
func (r *Repo) userGit(ctx context.Context, o CommitOptions, stdin []byte, args ...string) error {
	env := append(r.plainEnviron(), CommittingVariable+"=1", "RALPH_HOOKS=0") // the plan was looked at
	res, err := proc.Run(ctx, proc.Cmd{Name: r.program, Args: args, Dir: r.root, Env: env, Stdin: stdin})
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
