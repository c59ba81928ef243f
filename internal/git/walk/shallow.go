package walk

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
)

// ShallowBoundary returns the commits at which a shallow clone ends: their parents are hidden. A complete clone has none.
func ShallowBoundary(r *git.Repo) ([]git.Hash, error) {
	path := filepath.Join(r.CommonDir(), "shallow")
	if other, _ := config.Getenv(r.Git().Environ, "GIT_SHALLOW_FILE"); other != "" {
		path = other
		if !filepath.IsAbs(path) {
			path = filepath.Join(cmp.Or(r.Root(), r.GitDir()), path)
		}
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var boundary []git.Hash
	for id := range strings.FieldsSeq(string(data)) {
		if h, err := git.ParseHash(id); err == nil {
			boundary = append(boundary, h)
		}
	}
	return boundary, err
}
