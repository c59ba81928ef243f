package plancmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/store"
)

// runRange checks the plan at the end of a range, and those of the commits on
// the way that changed it. Only the last plan decides: an error that was repaired since is reported, and
// the range passes.
func (o checkOptions) runRange(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	commits, err := commitsIn(ctx, st, o.commits)
	if err != nil {
		return err
	}
	snaps := make([]store.Snapshot, len(commits))
	for i, commit := range commits {
		if snaps[i], err = st.At(ctx, commit); err != nil {
			return err
		}
		snaps[i].File = planio.Shortened(commit) + ":" + st.PlanPath()
	}
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) {
			term.WriteArray(w, len(snaps), func(i int) { writeProblems(w, snaps[i].File, o.problems(snaps[i])) })
		})
	} else {
		o.showRange(env, snaps)
	}
	if n := len(snaps); n > 0 && len(o.problems(snaps[n-1]).Errors()) > 0 {
		return cmdline.StatusError(cmdline.ExitInvalid)
	}
	return nil
}

// showRange prints what is wrong with the plans that are not valid, and a
// summary.
func (o checkOptions) showRange(env *term.Env, snaps []store.Snapshot) {
	bad := 0
	for i, snap := range snaps {
		problems := o.problems(snap)
		isLast := i == len(snaps)-1
		if len(problems.Errors()) == 0 && !isLast || !snap.Exists {
			continue
		}
		if len(problems.Errors()) > 0 {
			bad++
		}
		showProblems(env, snap, problems)
	}
	env.Print(fmt.Sprintf("%s: %s, %d not valid", o.commits, term.Plural(len(snaps), "plan"), bad))
}

// commitsIn returns the commits of "A..B" that changed the plan, the oldest
// first, and B. An A of zeros, as hooks get it for a new branch, stands for
// everything that no reference reaches; a B of zeros is a deletion.
func commitsIn(ctx context.Context, st *store.Store, text string) ([]string, error) {
	from, to, err := endsOf(text)
	if err != nil || isZero(to) {
		return nil, err
	}
	if to, err = resolveEnd(ctx, st, to); err != nil {
		return nil, err
	}
	if isZero(from) {
		from = ""
	} else if from, err = resolveEnd(ctx, st, from); err != nil {
		return nil, err
	}
	commits, err := walk.CommitsChanging(ctx, st.Repo(), from, to, st.PlanPath())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", git.ErrMissing, err)
	}
	if !slices.Contains(commits, to) {
		commits = append(commits, to)
	}
	return commits, nil
}

// endsOf parses "A..B". An end that is left out has no default: it may
// be a variable that a script did not set.
func endsOf(text string) (from, to string, err error) {
	from, to, _ = strings.Cut(text, "..")
	if from == "" || to == "" || strings.Contains(to, "..") || to[0] == '.' {
		hint := "write A..B, such as origin/main..HEAD"
		if strings.Contains(text, "...") {
			hint = "write A..B with two dots, such as origin/main..HEAD: what B has and A has not"
		}
		return "", "", &cmdline.UsageError{Text: fmt.Sprintf("invalid range of commits %q: want A..B", text), Hint: hint}
	}
	return from, to, nil
}

// resolveEnd finds the commit at an end of a range, which a shallow clone may
// not have.
func resolveEnd(ctx context.Context, st *store.Store, rev string) (string, error) {
	commit, err := st.Resolve(ctx, rev)
	if errors.Is(err, git.ErrBadRevision) {
		if _, errShallow := os.Stat(filepath.Join(st.Repo().CommonDir(), "shallow")); errShallow == nil {
			err = &cmdline.HintedError{Err: err, Hint: "this clone is shallow: `git fetch --unshallow` brings the other commits"}
		}
	}
	return commit, err
}

// isZero reports whether an id consists of zeros, which stand for no commit.
func isZero(id string) bool { return len(id) >= 40 && strings.Trim(id, "0") == "" }
