package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/store"
)

// errNoRange: the text does not say from where to where.
var errNoRange = errors.New("is no range of commits")

// runRange checks the plan at the end of a range, and those of the commits on
// the way that changed it. The end decides: what was mended since is told and
// lets the range pass.
func (o checkOptions) runRange(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
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
		snaps[i].File = commit[:min(shortID, len(commit))] + ":" + st.PlanPath()
	}
	if o.json {
		env.writeJSON(func(w sink) {
			writeArray(w, len(snaps), func(i int) { writeProblems(w, snaps[i].File, o.problems(snaps[i])) })
		})
	} else {
		o.showRange(env, snaps)
	}
	if n := len(snaps); n > 0 && len(o.problems(snaps[n-1]).Errors()) > 0 {
		return statusError(exitInvalid)
	}
	return nil
}

// showRange prints what is wrong with the plans that are not valid, and a
// summary.
func (o checkOptions) showRange(env *Env, snaps []store.Snapshot) {
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
	env.print(fmt.Sprintf("%s: %d plans, %d not valid", o.commits, len(snaps), bad))
}

// commitsIn returns the commits of "A..B" that changed the plan, the oldest
// first, and B. An A of zeros, as hooks get it for a new branch, stands for
// everything that no reference reaches; a B of zeros is a deletion.
func commitsIn(ctx context.Context, st *store.Store, text string) ([]string, error) {
	from, to, found := strings.Cut(text, "..")
	if !found || from == "" || to == "" {
		return nil, &hintedError{fmt.Errorf("%q %w", text, errNoRange), "write A..B, such as origin/main..HEAD"}
	}
	if isZero(to) {
		return nil, nil
	}
	var err error
	if to, err = st.Resolve(ctx, to); err != nil {
		return nil, err
	}
	if isZero(from) {
		from = ""
	} else if from, err = st.Resolve(ctx, from); err != nil {
		return nil, err
	}
	commits, err := st.Repo().ChangedIn(ctx, from, to, st.PlanPath())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", git.ErrMissing, err)
	}
	if !slices.Contains(commits, to) {
		commits = append(commits, to)
	}
	return commits, nil
}

// isZero tells whether an id is git's for no commit.
func isZero(id string) bool { return len(id) >= 40 && strings.Trim(id, "0") == "" }
