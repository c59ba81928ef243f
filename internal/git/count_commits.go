package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNotAncestor: a commit is not part of another one's history.
var ErrNotAncestor = errors.New("is not an ancestor")

// CountCommits counts the commits in before..after, or all ancestors of after if before is "". The error is ErrNotAncestor if
// before is not an ancestor of after.
func (r *Repo) CountCommits(ctx context.Context, before, after string) (int, error) {
	if before == "" {
		out, err := r.git.Run(ctx, nil, "rev-list", "--count", after)
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(out)
	}
	reader := r.Reader(ctx)
	defer reader.Close()
	if line, ok := reader.Line(before, after); ok {
		return len(line), nil
	}
	out, err := r.git.Run(ctx, nil, "rev-list", "--count", "--left-right", before+"..."+after)
	if err != nil {
		return 0, err
	}
	lost, added, _ := strings.Cut(out, "\t")
	if lost != "0" {
		return 0, fmt.Errorf("%s %w of %s", before, ErrNotAncestor, after)
	}
	return strconv.Atoi(added)
}
