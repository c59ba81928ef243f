package git

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// attributes tells what git's attributes may do to the file of a transaction on its way into the repository.
type attributes struct{ filtered bool }

// converts tells whether git may store something else than content: a filter or an encoding applies, line ends could be
// changed, or `$Id$` could be expanded. The last two leave content alone that has no such thing in it.
func (a attributes) converts(content []byte) bool {
	return a.filtered || bytes.IndexByte(content, '\r') >= 0 || bytes.Contains(content, []byte("$Id"))
}

// readAttributes looks through all attribute files that git would look at for path. One that is in the index (entries)
// but not on disk counts as a filter, because git reads it from there; so does one in another tree.
func (r *Repo) readAttributes(ctx context.Context, path string, entries map[string][]indexEntry) (attributes, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return attributes{}, err
	}
	_, tree := config.Get("attr.tree")
	if tree || hasAny(r.environ, []string{"GIT_ATTR_SOURCE"}) {
		return attributes{filtered: true}, nil
	}
	for _, name := range attributeFiles(path) {
		data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil && len(entries[name]) > 0 || mayFilter(data, path) {
			return attributes{filtered: true}, nil
		}
	}
	for _, file := range r.globalAttributes(config) {
		if data, err := os.ReadFile(file); err == nil && mayFilter(data, path) {
			return attributes{filtered: true}, nil
		}
	}
	return attributes{}, nil
}

// attributeFiles lists the .gitattributes at the root and in each folder above path.
func attributeFiles(path string) []string {
	names := []string{".gitattributes"}
	for i, c := range path {
		if c == '/' {
			names = append(names, path[:i]+"/.gitattributes")
		}
	}
	return names
}

// globalAttributes lists the files outside the worktree.
func (r *Repo) globalAttributes(config *Config) []string {
	files := []string{filepath.Join(r.commonDir, "info", "attributes")}
	if v, ok := config.Get("core.attributesFile"); ok {
		files = append(files, expandHome(v, r.home()))
	} else if xdg := r.xdg(); xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "attributes"))
	}
	if _, off := getenv(r.environ, "GIT_ATTR_NOSYSTEM"); !off && runtime.GOOS != "windows" {
		files = append(files, filepath.Join(filepath.Dir(r.program), "..", "etc", "gitattributes"), "/etc/gitattributes")
	}
	return files
}

func expandHome(path, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return path
}

// mayFilter tells whether an attribute file may give path a filter or an encoding. Only patterns that surely do not
// match are passed over.
func mayFilter(data []byte, path string) bool {
	for line := range bytes.Lines(data) {
		fields := bytes.Fields(line)
		if len(fields) < 2 || fields[0][0] == '#' || !mayMatch(string(fields[0]), path) {
			continue
		}
		for _, f := range fields[1:] {
			if bytes.HasPrefix(f, []byte("filter")) || bytes.HasPrefix(f, []byte("working-tree-encoding")) {
				return true
			}
		}
	}
	return false
}

// mayMatch is sure of two kinds of pattern, `*.ext` and a plain name, and takes every other for a match; a macro
// definition too, since it may be used anywhere.
func mayMatch(pattern, path string) bool {
	_, base := splitPath(path)
	ending := strings.TrimPrefix(pattern, "*")
	if strings.ContainsAny(ending, `*?[\"/`) {
		return true
	}
	if ending != pattern {
		return strings.HasSuffix(strings.ToLower(base), strings.ToLower(ending))
	}
	return strings.EqualFold(base, pattern)
}
