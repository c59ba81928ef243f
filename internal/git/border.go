package git

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// ParseHash reads an object id in hex.
func ParseHash(text string) (Hash, error) {
	var h Hash
	if len(text) > hex.EncodedLen(len(h)) {
		return h, hex.ErrLength
	}
	_, err := hex.Decode(h[:], []byte(text))
	return h, err
}

// Border gives the commits at which a shallow clone ends: their parents are hidden. A clone that is whole has none.
func (r *Repo) Border() ([]Hash, error) {
	path := filepath.Join(r.commonDir, "shallow")
	if other, _ := getenv(r.environ, "GIT_SHALLOW_FILE"); other != "" {
		path = other
		if !filepath.IsAbs(path) {
			path = filepath.Join(cmp.Or(r.root, r.gitDir), path)
		}
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var border []Hash
	for id := range strings.FieldsSeq(string(data)) {
		if h, err := ParseHash(id); err == nil {
			border = append(border, h)
		}
	}
	return border, err
}

// MainBranch gives the name of the branch that the remote "origin" takes for its main one, "" where it does not say.
func (r *Repo) MainBranch(ctx context.Context) string {
	const name, prefix = "refs/remotes/origin/HEAD", "refs/remotes/origin/"
	var target string
	if r.reftable {
		target, _ = r.run(ctx, nil, "symbolic-ref", "-q", name)
	} else if data, err := os.ReadFile(filepath.Join(r.commonDir, filepath.FromSlash(name))); err == nil {
		target = strings.TrimSpace(strings.TrimPrefix(string(data), "ref:"))
	}
	branch, found := strings.CutPrefix(target, prefix)
	if !found {
		return ""
	}
	return branch
}

// DefaultBranch gives the name that the user's settings have for the first branch of a repository, "" for none.
func (r *Repo) DefaultBranch(ctx context.Context) string {
	config, err := r.Config(ctx)
	if err != nil {
		return ""
	}
	name, _ := config.Get("init.defaultBranch")
	return name
}

// A TreeFile is a file of a commit.
type TreeFile struct {
	Path string
	ID   Hash
}

// FilesBetween gives the files that a commit has and its parent has not, and the other way round. size is that of an id
// in bytes.
func (r *Repo) FilesBetween(ctx context.Context, parent, commit Hash, size int) (added, deleted []TreeFile, err error) {
	out, err := r.output(ctx, "diff-tree", "-r", "-z", "--no-renames", "--diff-filter=AD",
		hex.EncodeToString(parent[:size]), hex.EncodeToString(commit[:size]))
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(fields[i]) // ":<mode> <mode> <id> <id> <A or D>"
		if len(f) != 5 {
			continue
		}
		before, _ := ParseHash(f[2])
		after, _ := ParseHash(f[3])
		if f[4] == "A" {
			added = append(added, TreeFile{fields[i+1], after})
		} else {
			deleted = append(deleted, TreeFile{fields[i+1], before})
		}
	}
	return added, deleted, err
}

// Pager returns the command that git shows long texts with, "" where git says none. dir need not be in a repository.
func Pager(ctx context.Context, dir string, environ []string) string {
	return variable(ctx, dir, environ, "GIT_PAGER")
}

// Editor returns the command that git lets users edit a text with, "" where git says none.
func Editor(ctx context.Context, dir string, environ []string) string {
	return variable(ctx, dir, environ, "GIT_EDITOR")
}

// variable asks git for one of its logical variables.
func variable(ctx context.Context, dir string, environ []string, name string) string {
	res, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: []string{"var", name}, Dir: dir, Env: environ, Group: true})
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(res.Stdout), "\n")
}
