package git

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"git-ralph/internal/git/config"
	"git-ralph/internal/safefile"
)

// Attributes are the effects that git's attributes may have on a file as it is committed.
type Attributes struct{ Filtered bool }

// Converts reports whether git may store something else than content: a filter or an encoding applies, line ends could
// be changed, or `$Id$` could be expanded. The last two change only content that has a
// carriage return or `$Id`.
func (a Attributes) Converts(content []byte) bool {
	return a.Filtered || bytes.IndexByte(content, '\r') >= 0 || bytes.Contains(content, []byte("$Id"))
}

// ReadAttributes reads all attribute files that git would read for path. One that is in the index (inIndex) but not on disk
// counts as a filter, because git reads it from there; so does a setting that names another tree for them.
func (r *Repo) ReadAttributes(ctx context.Context, path string, inIndex func(name string) bool) (Attributes, error) {
	settings, err := r.Config(ctx)
	if err != nil {
		return Attributes{}, err
	}
	_, tree := settings.Get("attr.tree")
	if tree || config.HasAny(r.git.Environ, []string{"GIT_ATTR_SOURCE"}) {
		return Attributes{Filtered: true}, nil
	}
	for _, name := range AttributeFiles(path) {
		data, err := safefile.Read(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil && inIndex(name) || mayFilter(data, path) {
			return Attributes{Filtered: true}, nil
		}
	}
	for _, file := range r.configFiles.SharedAttributes(settings) {
		if data, err := safefile.Read(file); err == nil && mayFilter(data, path) {
			return Attributes{Filtered: true}, nil
		}
	}
	return Attributes{}, nil
}

// AttributeFiles lists the .gitattributes at the root and in each directory above path.
func AttributeFiles(path string) []string {
	names := []string{".gitattributes"}
	for i, c := range path {
		if c == '/' {
			names = append(names, path[:i]+"/.gitattributes")
		}
	}
	return names
}

// mayFilter reports whether an attribute file may give path a filter or an encoding. Only patterns that certainly do not
// match are skipped.
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

// mayMatch reports whether a pattern may match path. It evaluates `*.ext` and plain names; every other pattern counts as a
// match, and so does a macro definition, since it may be used anywhere.
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
