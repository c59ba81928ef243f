package config

import (
	"context"
	"strings"
)

// Setting is one value of the configuration and where it was set.
type Setting struct {
	File  string // absolute; "" if it is not set in a file, as with `git -c`
	Key   string // section and name in lower case
	Value string
}

// Settings runs git for all settings whose key matches a regular expression, in all scopes, in order of increasing precedence.
func (f *Files) Settings(ctx context.Context, pattern string) ([]Setting, error) {
	out, err := f.Run(ctx, "config", "-z", "--includes", "--show-origin", "--get-regexp", pattern)
	if err != nil {
		return nil, err
	}
	var settings []Setting
	items := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(items); i += 2 {
		key, value, _ := strings.Cut(items[i+1], "\n")
		s := Setting{Key: key, Value: value}
		if file, ok := strings.CutPrefix(items[i], "file:"); ok {
			s.File = Resolve(f.Dir, file)
		}
		settings = append(settings, s)
	}
	return settings, nil
}
