package walk

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"git-ralph/internal/git"
)

// ErrBadDate: the text is not a date that git reads.
var ErrBadDate = errors.New(`want a date, such as 2026-01-31 or "2 weeks ago", or a commit`)

// ParseDate reads a date as `git log --since` does, and returns it in seconds since 1970, 0 for one before. A text of which git would make
// another date, such as a mistyped branch or a day that does not exist, is ErrBadDate. Units may be short, as in 24h or "5 min ago".
func ParseDate(ctx context.Context, r *git.Repo, date string) (int64, error) {
	known, wrong := checkDate(date)
	if wrong != "" {
		return 0, fmt.Errorf("invalid date %q: %w (%s)", date, ErrBadDate, wrong)
	}
	out, err := r.Git().Run(ctx, nil, "rev-parse", "--since="+known)
	if err != nil {
		return 0, err
	}
	seconds, err := strconv.ParseUint(strings.TrimPrefix(out, "--max-age="), 10, 64)
	if seconds > math.MaxInt64 { // git writes what is negative so
		seconds = 0
	}
	return int64(seconds), err
}
