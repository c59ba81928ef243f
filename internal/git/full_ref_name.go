package git

import (
	"context"
	"strings"
)

// FullRefName returns the full name of the reference that a word stands for in git's syntax, such as "@{-1}"; that
// of the branch for one that points to a branch, as HEAD does. It is "HEAD" for a detached one and "" where a word
// names none.
func (r *Repo) FullRefName(ctx context.Context, word string) string {
	if strings.HasPrefix(word, "-") {
		return ""
	}
	name, _ := r.git.Run(ctx, nil, "rev-parse", "--symbolic-full-name", "--verify", "-q", word) // it fails where there is none
	return name
}
