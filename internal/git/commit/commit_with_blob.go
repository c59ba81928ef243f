package commit

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"git-ralph/internal/git"
)

// BlobID returns the id of the blob as which content, in the form of the worktree, would be committed. Nothing is written.
func (t *Tx) BlobID(content []byte) (string, error) {
	if t.repo.ObjectFormat() == "sha1" && !t.attrs.Converts(content) {
		return plumbing.ComputeHash(plumbing.BlobObject, content).String(), nil
	}
	if content == nil {
		content = []byte{}
	}
	return t.repo.Git().Run(t.ctx, content, withoutSafeCRLF("hash-object", "--stdin", "--path="+t.path)...)
}

// CommitWithBlob returns a commit, reachable from a reference or from HEAD's reflog, that adds or removes blob at the
// transaction's path: the commit or its parent has the file with this content. It returns "" if there is none.
func (t *Tx) CommitWithBlob(blob string) (commit string, err error) {
	if _, err := t.reader.Ask(blob); errors.Is(err, git.ErrNoObject) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return commitWithBlob(t.ctx, t.repo, t.path, blob)
}

// commitWithBlob walks the commits that changed the path. If git cannot read them, as in a partial clone, it returns "".
func commitWithBlob(ctx context.Context, r *git.Repo, path, blob string) (string, error) {
	tips, err := r.Git().Run(ctx, nil, "log", "-g", "--format=%H", "HEAD", "--")
	if err != nil {
		tips = "" // there is no reflog, or no commit yet
	}
	found, err := r.Git().Run(ctx, []byte(tips+"\n"), "-c", "log.showRoot=true", "log", "-1", "--format=%H", "-s", "-m", "--full-history",
		"--no-renames", "--ignore-missing", "--find-object="+blob, "--all", "--stdin", "--", path)
	if err != nil && ctx.Err() == nil {
		return "", nil //nolint:nilerr // what can be read has been searched
	}
	commit, _, _ := strings.Cut(found, "\n")
	return commit, err
}
