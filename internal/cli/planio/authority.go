package planio

import (
	"context"
	"strings"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/git/config"
	"git-ralph/internal/store"
)

// OpenAuthority returns the claims of a repository: those of the remote that ralph.claims.remote names; else, where the plan says
// that its claims are shared, those of the remote that the target branch is pulled from; else its own.
func OpenAuthority(ctx context.Context, st *store.Store) (*authority.Claims, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	if _, isSet := settings.Get("ralph.claims.remote"); isSet || !st.SharesClaims() {
		return authority.Open(ctx, st.Repo())
	}
	target, err := TargetBranch(ctx, st, "")
	if err != nil {
		return nil, err
	}
	remote := remoteOf(settings, strings.TrimPrefix(target, "refs/heads/"))
	if remote == "" {
		return nil, &cmdline.UsageError{
			Text: "the plan says that its claims are shared, and the target branch has no upstream remote",
			Hint: "`git config ralph.claims.remote NAME` names the remote that holds the claims; --local claims for this clone alone",
		}
	}
	return authority.OpenAt(ctx, st.Repo(), remote)
}

// remoteOf returns the remote that a branch is pulled from or, for a branch that has none, the only remote; else "".
func remoteOf(settings *config.Config, branch string) string {
	if remote, _ := settings.Get("branch." + branch + ".remote"); remote != "" && remote != "." {
		return remote
	}
	only := ""
	for key := range settings.Keys() {
		name, isURL := strings.CutSuffix(key, ".url")
		name, isRemote := strings.CutPrefix(name, "remote.")
		switch {
		case !isURL || !isRemote || name == only:
		case only != "":
			return ""
		default:
			only = name
		}
	}
	return only
}
