package git

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// Variables that move the repository or change how it is found: git is asked where it is.
var unusual = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_IMPLICIT_WORK_TREE", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
}

// Variables with paths, which may be relative: those of the repository's place to the folder of the caller, the others
// to the root, where git goes before it reads them.
var pathVariables = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
}

// Variables that say how paths in arguments are read. Ours are plain.
var pathspecVariables = []string{
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

// What plumbing gets on top: paths are literal, and a partial clone does not fetch what it misses.
var added = []string{"GIT_LITERAL_PATHSPECS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// childEnviron gives the environment for plumbing: the caller's, with absolute paths, literal path arguments, and no
// way for a partial clone to fetch what it misses, because nothing here may use the network.
func (r *Repo) childEnviron(dir string) []string {
	env := r.userEnviron(dir)
	return append(env, added...)
}

// userEnviron gives the environment for commands of the user's, such as a commit with hooks.
func (r *Repo) userEnviron(dir string) []string {
	env := make([]string, 0, len(r.environ)+4)
	for _, kv := range r.environ {
		key, value, _ := strings.Cut(kv, "=")
		switch {
		case slices.Contains(pathspecVariables, key):
			continue
		case value != "" && slices.Contains(pathVariables, key):
			kv = key + "=" + r.absolute(key, value, dir)
		}
		env = append(env, kv)
	}
	return env
}

func (r *Repo) absolute(key, value, dir string) string {
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

// getenv finds a variable the way a program does: the last one wins where a name stands twice.
func getenv(environ []string, key string) (string, bool) {
	for i := len(environ) - 1; i >= 0; i-- {
		kv := environ[i]
		if len(kv) > len(key) && kv[len(key)] == '=' && kv[:len(key)] == key {
			return kv[len(key)+1:], true
		}
	}
	return "", false
}

func hasAny(environ, keys []string) bool {
	for _, key := range keys {
		if _, ok := getenv(environ, key); ok {
			return true
		}
	}
	return false
}

// cmd describes one run of git's plumbing at the root of the worktree.
func (r *Repo) cmd(args ...string) proc.Cmd {
	dir := r.root
	if dir == "" {
		dir = r.gitDir
	}
	return proc.Cmd{Name: r.program, Args: args, Dir: dir, Env: r.env, Group: true}
}

// run runs plumbing and gives its output without the last line break.
func (r *Repo) run(ctx context.Context, stdin []byte, args ...string) (string, error) {
	c := r.cmd(args...)
	c.Stdin = stdin
	return r.runCmd(ctx, c)
}

func (r *Repo) runCmd(ctx context.Context, c proc.Cmd) (string, error) {
	res, err := r.exec(ctx, c)
	return strings.TrimSuffix(string(res.Stdout), "\n"), err
}

// output runs plumbing and gives exactly what it printed.
func (r *Repo) output(ctx context.Context, args ...string) ([]byte, error) {
	res, err := r.exec(ctx, r.cmd(args...))
	return res.Stdout, err
}
