package walk

import (
	"context"
	"encoding/hex"
	"strings"

	"git-ralph/internal/git"
)

// A TreeFile is a file of a commit.
type TreeFile struct {
	Path string
	ID   git.Hash
}

// FilesBetween returns the files that a commit adds to and deletes from its parent. size is that of an id in bytes.
func FilesBetween(ctx context.Context, r *git.Repo, parent, commit git.Hash, size int) (added, deleted []TreeFile, err error) {
	out, err := r.Git().Output(ctx, "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AD",
		hex.EncodeToString(parent[:size]), hex.EncodeToString(commit[:size]))
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(fields[i]) // ":<mode> <mode> <id> <id> <A or D>"
		if len(f) != 5 {
			continue
		}
		before, _ := git.ParseHash(f[2])
		after, _ := git.ParseHash(f[3])
		if f[4] == "A" {
			added = append(added, TreeFile{fields[i+1], after})
		} else {
			deleted = append(deleted, TreeFile{fields[i+1], before})
		}
	}
	return added, deleted, err
}
