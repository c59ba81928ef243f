package git

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNotAncestor: a commit is not part of another one's history.
var ErrNotAncestor = errors.New("is no ancestor")

// CountCommits counts the commits that after has and before has not; all of them where before is "". The error is
// ErrNotAncestor where after does not hold before.
func (r *Repo) CountCommits(ctx context.Context, before, after string) (int, error) {
	if before == "" {
		out, err := r.git.Run(ctx, nil, "rev-list", "--count", after)
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(out)
	}
	if n, ok := stepsDown(r, before, after); ok {
		return n, nil
	}
	out, err := r.git.Run(ctx, nil, "rev-list", "--count", "--left-right", before+"..."+after)
	if err != nil {
		return 0, err
	}
	lost, added, _ := strings.Cut(out, "\t")
	if lost != "0" {
		return 0, fmt.Errorf("%s: %w of %s", before, ErrNotAncestor, after)
	}
	return strconv.Atoi(added)
}

// maxSteps is how far stepsDown looks.
const maxSteps = 8

// stepsDown counts the commits from after down to before where all are young, so that they are loose files, and follow
// one another: that spares a process. Not ok where it is not as plain as that.
func stepsDown(r *Repo, before, after string) (n int, ok bool) {
	if r.HasReplacements() || !isPlainHistory(r) {
		return 0, false
	}
	for n = 1; n <= maxSteps; n++ {
		commit, ok := r.ReadLoose(after)
		if !ok || commit.Kind != "commit" {
			return 0, false
		}
		headers, _, _ := strings.Cut(string(commit.Data), "\n\n")
		_, parents, _ := strings.Cut(headers, "\nparent ")
		parent, others, _ := strings.Cut(parents, "\n")
		if parent == before && !strings.HasPrefix(others, "parent ") {
			return n, true
		}
		if len(parent) != hex.EncodedLen(r.IDSize()) || strings.HasPrefix(others, "parent ") {
			return 0, false
		}
		after = parent
	}
	return 0, false
}
