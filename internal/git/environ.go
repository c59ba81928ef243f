package git

import (
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git/config"
)

// Variables that move the repository or change how it is found. With one of them set, git is run to find it.
var relocatingVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_IMPLICIT_WORK_TREE",
}

// relocates reports whether an environment moves the repository or changes how it is found.
func relocates(environ []string) bool {
	if config.HasAny(environ, relocatingVariables) {
		return true
	}
	settings, ok := config.CommandSettings(environ)
	return !ok || slices.ContainsFunc(settings, func(e config.Entry) bool {
		section, _, _ := strings.Cut(e.Key, ".")
		return section == "extensions" ||
			slices.Contains([]string{"core.bare", "core.worktree", "core.repositoryformatversion"}, e.Key)
	})
}

// Variables with paths, which may be relative: those that locate the repository to the caller's directory, the others to the
// root of the worktree, because git changes to it before it reads them.
var pathVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
}

// Variables that change how git reads paths in arguments. Ours are literal.
var pathspecVariables = []string{
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

// Variables that are added for plumbing: paths are literal, and a partial clone does not fetch missing objects.
var plumbingVariables = []string{"GIT_LITERAL_PATHSPECS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// childEnviron returns the environment for plumbing: the caller's, with absolute paths and plumbingVariables. Plumbing must
// not use the network.
func childEnviron(r *Repo, environ []string, dir string) []string {
	env := userEnviron(r, environ, dir)
	return append(env, plumbingVariables...)
}

// userEnviron returns the environment for commands of the user's, such as a commit with hooks.
func userEnviron(r *Repo, environ []string, dir string) []string {
	env := make([]string, 0, len(environ)+4)
	for _, kv := range environ {
		key, value, _ := strings.Cut(kv, "=")
		switch {
		case slices.Contains(pathspecVariables, key):
			continue
		case value != "" && slices.Contains(pathVariables, key):
			kv = key + "=" + absolute(r, key, value, dir)
		}
		env = append(env, kv)
	}
	return env
}

func absolute(r *Repo, key, value, dir string) string {
	switch {
	case key == "GIT_DIR":
		return r.gitDir
	case key == "GIT_WORK_TREE" && r.root != "":
		return r.root
	case filepath.IsAbs(value):
		return value
	}
	if r.root != "" && (key == "GIT_INDEX_FILE" || key == "GIT_OBJECT_DIRECTORY") {
		dir = r.root
	}
	return filepath.Join(dir, value)
}
