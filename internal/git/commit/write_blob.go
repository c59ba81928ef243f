package commit

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
)

// WriteBlob stores data as a blob, byte for byte, and returns its id. Nothing refers to it yet.
func WriteBlob(ctx context.Context, r *git.Repo, data []byte) (string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return "", err
	}
	return writeObject(ctx, r, config, plumbing.BlobObject, data)
}
