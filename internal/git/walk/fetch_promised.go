package walk

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"git-ralph/internal/git"
)

// Errors of FetchPromised.
var (
	// ErrNoPromise: the repository is not a partial clone, so no remote has promised its missing objects.
	ErrNoPromise = errors.New("no remote has promised what is missing")
	// ErrFetch: the remote did not send the objects.
	ErrFetch = errors.New("cannot fetch what is missing")
)

// FetchPromised fetches the missing objects of a partial clone from the remotes that promised them: of a directory, all
// directories below it, but no files. size is that of an id in bytes. It uses the network, as Synchronize does, and never
// asks for a password. The errors are ErrNoPromise and ErrFetch.
func FetchPromised(ctx context.Context, r *git.Repo, objects []git.Hash, size int) error {
	config, err := r.Config(ctx)
	if err != nil {
		return err
	}
	err = ErrNoPromise
	for _, remote := range config.Promisors() {
		c := r.Git().RemoteCmd("-c", "fetch.negotiationAlgorithm=noop", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-gc",
			"--recurse-submodules=no", "--filter=blob:none", "--stdin", "--", remote)
		c.Stdin = HexLines(objects, size)
		if _, err = r.Git().Exec(ctx, c); err == nil {
			return nil
		}
		err = fmt.Errorf("%w: %w", ErrFetch, err)
	}
	return err
}

// IsPartialClone reports whether a remote has promised objects that are not here.
func IsPartialClone(ctx context.Context, r *git.Repo) bool {
	config, err := r.Config(ctx)
	return err == nil && len(config.Promisors()) > 0
}

// RootTrees returns the root directory of each commit, whether it is missing or not.
func RootTrees(ctx context.Context, r *git.Repo, commits []git.Hash, size int) ([]git.Hash, error) {
	c := r.Git().Cmd("log", "--no-walk=unsorted", "--format=%T", "--stdin")
	c.Stdin = HexLines(commits, size)
	res, err := r.Git().Exec(ctx, c)
	var roots []git.Hash
	for line := range bytes.Lines(res.Stdout) {
		if id, err := git.ParseHash(string(bytes.TrimSpace(line))); err == nil {
			roots = append(roots, id)
		}
	}
	return roots, err
}

// HexLines returns ids in hex, one a line.
func HexLines(ids []git.Hash, size int) []byte {
	var lines []byte
	for i := range ids {
		lines = append(hex.AppendEncode(lines, ids[i][:size]), '\n')
	}
	return lines
}
