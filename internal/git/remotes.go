package git

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Remotes returns the names of the configured remotes, the longest first: a name may have slashes, and begin with the name of
// another remote.
func (r *Repo) Remotes(ctx context.Context) []string {
	config, err := r.Config(ctx)
	if err != nil {
		return nil
	}
	var names []string
	for key := range config.Keys() {
		rest, found := strings.CutPrefix(key, "remote.")
		if dot := strings.LastIndexByte(rest, '.'); found && dot > 0 {
			names = append(names, rest[:dot])
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return slices.Compact(names)
}

// CutRemote removes the name of the remote from that of a remote branch, such as "origin/feature/x". remotes are the known
// ones, as Remotes returns them. If none of them matches, everything up to the first slash is removed.
func CutRemote(name string, remotes []string) (branch string, known bool) {
	for _, remote := range remotes {
		if branch, found := strings.CutPrefix(name, remote+"/"); found {
			return branch, true
		}
	}
	_, branch, _ = strings.Cut(name, "/")
	return branch, false
}
