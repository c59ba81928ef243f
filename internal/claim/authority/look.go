package authority

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// look returns what references of the remote point to, by full name, with nothing to fetch, and perhaps more of them. Where the remote is a
// directory of this machine, it is read here: `git ls-remote` starts two more and reads all references that there are.
func (r *Remote) look(ctx context.Context, refs ...string) (map[string]string, error) {
	if hub := r.openHub(ctx); hub != nil {
		if ids, err := lookInto(ctx, hub, refs); err == nil && len(ids) > 0 {
			return ids, nil
		}
	}
	return r.published(ctx, append(slices.Clip(refs), Prefix+"*"))
}

func lookInto(ctx context.Context, hub *git.Repo, refs []string) (map[string]string, error) {
	ids := map[string]string{}
	for _, ref := range refs {
		id, err := git.ReferenceID(ctx, hub, ref)
		if err != nil {
			return nil, err
		}
		if id != "" {
			ids[ref] = id
		}
	}
	return ids, nil
}

// countClaims returns how many claims there are, after a look; 0 where that is not known.
func (r *Remote) countClaims(ctx context.Context, looked map[string]string) (n int) {
	if hub := r.openHub(ctx); hub != nil {
		all, _ := git.ReferencesBelow(ctx, hub, Prefix) //nolint:errcheck // nothing depends on it
		return len(all)
	}
	for name := range looked {
		if strings.HasPrefix(name, Prefix) {
			n++
		}
	}
	return n
}

// openHub opens the repository of a remote that is a directory of this machine; nil where it is elsewhere, or where git may be shown
// something else there than its files hold.
func (r *Remote) openHub(ctx context.Context) *git.Repo {
	r.hubOnce.Do(func() {
		environ := slices.DeleteFunc(slices.Clone(r.repo.Git().Environ), isOfRepository)
		hub, err := git.Open(ctx, r.directory, environ)
		if r.directory == "" || err != nil || config.HasAny(environ, []string{"GIT_NAMESPACE"}) {
			return
		}
		if dir := hub.CommonDir(); dir == r.directory || dir == filepath.Join(r.directory, ".git") {
			r.hub = hub
		}
	})
	return r.hub
}

// isOfRepository reports whether a variable says where the caller's repository is.
func isOfRepository(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS"}, name)
}

// directoryOf returns the directory that a remote is, "" where it is elsewhere, or where a setting makes git look elsewhere.
func directoryOf(settings *config.Config, name, url string) string {
	if urls := settings.GetAll("remote." + name + ".url"); url == name && len(urls) == 1 {
		url = urls[0]
	}
	for key := range settings.Keys() {
		if strings.HasPrefix(key, "url.") || key == "remote."+name+".uploadpack" || key == "remote."+name+".vcs" {
			return ""
		}
	}
	physical, err := filepath.EvalSymlinks(url)
	if err != nil || !filepath.IsAbs(url) {
		return ""
	}
	return physical
}

// published returns what references of the remote point to, by full name.
func (r *Remote) published(ctx context.Context, refs []string) (map[string]string, error) {
	result, err := r.git(ctx, slices.Concat([]string{"ls-remote", "--quiet", "--refs", "--", r.url}, refs)...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRemote, err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(result.Stdout)) {
		if id, name, found := strings.Cut(strings.TrimSpace(line), "\t"); found {
			all[name] = id
		}
	}
	return all, nil
}
