package changes

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"git-ralph/internal/jsonl"
)

// A signature shows whether a file changed since it was taken.
type signature struct{ size, time int64 }

func signatureOf(root, name string) signature {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return signature{size: -1}
	}
	return signature{info.Size(), info.ModTime().UnixNano()}
}

// Signatures maps the paths of files to their signatures at one moment.
type Signatures map[string]signature

// SignaturesOf returns the current signatures of files below a root.
func SignaturesOf(root string, paths []string) Signatures {
	all := Signatures{}
	for _, path := range paths {
		all[path] = signatureOf(root, path)
	}
	return all
}

// Unchanged lists the files whose signature is still the same.
func (s Signatures) Unchanged(root string) []string {
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(s)) {
		if s[path] == signatureOf(root, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// contains reports whether a file has a signature, or a directory above it: git lists a new directory as a whole.
func (s Signatures) contains(name string) bool {
	if _, found := s[name]; found {
		return true
	}
	for i, c := range name {
		if c == '/' {
			if _, found := s[name[:i+1]]; found {
				return true
			}
		}
	}
	return false
}

// JSON returns them as [{"path", "size", "time"}].
func (s Signatures) JSON() jsonl.Value {
	list := ""
	for i, path := range slices.Sorted(maps.Keys(s)) {
		if i > 0 {
			list += ", "
		}
		list += jsonl.Build([]jsonl.Member{
			{Name: "path", Value: jsonl.Quote(path)},
			{Name: "size", Value: jsonl.Value(strconv.FormatInt(s[path].size, 10))},
			{Name: "time", Value: jsonl.Value(strconv.FormatInt(s[path].time, 10))},
		}).Text()
	}
	return jsonl.Value("[" + list + "]")
}

// ReadSignatures parses a member that was written by JSON. Invalid elements are left out.
func ReadSignatures(from jsonl.Object, name string) Signatures {
	all := Signatures{}
	list, found := from.Get(name)
	if !found || list.Kind() != jsonl.Array {
		return all
	}
	for e := range list.All() {
		file, err := jsonl.ParseObject(string(e))
		if err != nil {
			continue
		}
		size, sizeErr := number(file, "size")
		time, timeErr := number(file, "time")
		path, _ := file.Get("path")
		if path, ok := path.Str(); ok && sizeErr == nil && timeErr == nil {
			all[path] = signature{size, time}
		}
	}
	return all
}

func number(file jsonl.Object, name string) (int64, error) {
	value, _ := file.Get(name)
	return strconv.ParseInt(string(value), 10, 64)
}
