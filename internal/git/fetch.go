package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Errors of FetchPromised.
var (
	// ErrNoPromise: the repository is no partial clone, so that nobody is to be asked for what it misses.
	ErrNoPromise = errors.New("no remote has promised what is missing")
	// ErrFetch: the remote did not give it.
	ErrFetch = errors.New("cannot fetch what is missing")
)

// FetchPromised gets objects that a partial clone has not from the remotes that promised them: of a folder all that is
// below it, but no files; size is that of an id in bytes. It uses the network, as Synchronize does, and never asks for a
// password. The errors are ErrNoPromise and ErrFetch.
func (r *Repo) FetchPromised(ctx context.Context, objects []Hash, size int) error {
	config, err := r.Config(ctx)
	if err != nil {
		return err
	}
	err = ErrNoPromise
	for _, remote := range config.promisors() {
		c := r.remoteCmd("-c", "fetch.negotiationAlgorithm=noop", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-gc",
			"--recurse-submodules=no", "--filter=blob:none", "--stdin", "--", remote)
		c.Stdin = hexLines(objects, size)
		if _, err = r.exec(ctx, c); err == nil {
			return nil
		}
		err = fmt.Errorf("%w: %w", ErrFetch, err)
	}
	return err
}

// PartialClone tells whether a remote has promised objects that are not here.
func (r *Repo) PartialClone(ctx context.Context) bool {
	config, err := r.Config(ctx)
	return err == nil && len(config.promisors()) > 0
}

// promisors gives the remotes that have promised what is missing.
func (c *Config) promisors() []string {
	var names []string
	if name, ok := c.Get("extensions.partialClone"); ok && name != "" {
		names = append(names, name)
	}
	for _, e := range c.entries {
		name, found := strings.CutPrefix(e.key, "remote.")
		name, isPromise := strings.CutSuffix(name, ".promisor")
		if yes, err := e.bool(); found && isPromise && yes && err == nil && (len(names) == 0 || name != names[0]) {
			names = append(names, name)
		}
	}
	return names
}

// Folders gives the root folder of each commit, whether it is at hand or not.
func (r *Repo) Folders(ctx context.Context, commits []Hash, size int) ([]Hash, error) {
	c := r.cmd("log", "--no-walk=unsorted", "--format=%T", "--stdin")
	c.Stdin = hexLines(commits, size)
	res, err := r.exec(ctx, c)
	var folders []Hash
	for line := range bytes.Lines(res.Stdout) {
		if id, err := ParseHash(string(bytes.TrimSpace(line))); err == nil {
			folders = append(folders, id)
		}
	}
	return folders, err
}

func hexLines(ids []Hash, size int) []byte {
	var lines []byte
	for i := range ids {
		lines = append(hex.AppendEncode(lines, ids[i][:size]), '\n')
	}
	return lines
}
