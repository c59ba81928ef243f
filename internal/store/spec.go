package store

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/safefile"
)

// DefaultSpecs is the default directory of specs.
const DefaultSpecs = "ralph/specs"

// specDir returns the directory of specs: slash-separated, relative to the root.
func (s *Store) specDir() string {
	if configured, ok := s.config.Get("ralph.specs"); ok {
		return path.Clean(filepath.ToSlash(configured))
	}
	return DefaultSpecs
}

// SpecPath finds a spec relative to ralph.specs, else to the root. The path is
// slash-separated and relative to the root; found is false if there is no file.
func (s *Store) SpecPath(spec string) (place string, found bool) {
	dir := s.specDir()
	for _, place := range []string{path.Join(dir, spec), path.Clean(spec)} {
		if s.isFile(place) {
			return place, true
		}
	}
	if clean := path.Clean(spec); strings.HasPrefix(clean, dir+"/") {
		return clean, false
	}
	return path.Join(dir, spec), false
}

// CheckSpec returns an error where an agent cannot be given a spec: ErrSpecOutside, ErrSpecLink or ErrNoSpec, with the path.
// A file in a git directory counts as outside.
func (s *Store) CheckSpec(spec string) error {
	place, found := s.SpecPath(spec)
	isGits := slices.ContainsFunc(strings.Split(place, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
	if isGits || filepath.IsAbs(spec) || !filepath.IsLocal(filepath.FromSlash(place)) {
		return fmt.Errorf("%w: %s", ErrSpecOutside, spec)
	}
	if err := safefile.Check(s.repo.Root(), place); errors.Is(err, safefile.ErrSymlink) {
		return fmt.Errorf("%w: %s", ErrSpecLink, place)
	}
	if !found {
		return fmt.Errorf("%w: %s", ErrNoSpec, place)
	}
	return nil
}

// ReadSpec returns the text of a spec. The errors are those of CheckSpec, and of reading the file.
func (s *Store) ReadSpec(spec string) (string, error) {
	if err := s.CheckSpec(spec); err != nil {
		return "", err
	}
	place, _ := s.SpecPath(spec)
	data, err := os.ReadFile(filepath.Join(s.repo.Root(), filepath.FromSlash(place)))
	return strings.ToValidUTF8(string(data), "\ufffd"), err
}

// SpecFromInput returns the name in the plan of a spec that a user names: the same, or a path relative to the root if it is
// absolute or begins with "..". A missing file is no error. The errors are ErrSpecOutside and ErrSpecLink.
func (s *Store) SpecFromInput(input string) (string, error) {
	name := input
	if !filepath.IsLocal(input) {
		inside, err := s.belowRoot(input)
		if err != nil {
			return "", err
		}
		name = inside
	}
	if err := s.CheckSpec(name); err != nil && !errors.Is(err, ErrNoSpec) {
		return "", err
	}
	return name, nil
}

// isFile reports whether a path below the root is that of a file.
func (s *Store) isFile(place string) bool {
	if !filepath.IsLocal(filepath.FromSlash(place)) {
		return false
	}
	info, err := os.Stat(filepath.Join(s.repo.Root(), filepath.FromSlash(place)))
	return err == nil && info.Mode().IsRegular()
}

// SpecName returns the name of the spec that a user means by a path: one of known, where it is the same file, else the path
// as it was given, cleaned, where SpecPath finds the file by it, else relative to the root. A path that begins with "./" or
// "../" is looked for in the user's directory first, any other last. A missing file is no error. The errors are
// ErrSpecOutside, and ErrSpecHidden where SpecPath would find another file by that name.
func (s *Store) SpecName(input string, known ...string) (string, error) {
	name, err := s.specName(input)
	if err != nil {
		return "", err
	}
	place, found := s.SpecPath(name)
	for _, other := range known {
		if at, there := s.SpecPath(other); found && there && at == place {
			return other, nil
		}
	}
	return name, nil
}

func (s *Store) specName(input string) (string, error) {
	clean := path.Clean(filepath.ToSlash(input))
	if _, found := s.SpecPath(clean); found && filepath.IsLocal(input) && !isExplicit(input) {
		return clean, nil
	}
	inside, err := s.belowRoot(input)
	switch {
	case err == nil && s.isFile(inside):
		if place, _ := s.SpecPath(inside); place != inside {
			return "", fmt.Errorf("%w: %s by %s, which has the same name", ErrSpecHidden, inside, place)
		}
		return inside, nil
	case filepath.IsLocal(input): // it may be another spec's directory that it is relative to
		return clean, nil
	}
	return inside, err
}

// isExplicit reports whether a path begins with "./" or "../".
func isExplicit(input string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(input), "/")
	return first == "." || first == ".."
}

// belowRoot is Below for a spec. The error is ErrSpecOutside.
func (s *Store) belowRoot(input string) (string, error) {
	if inside, ok := s.Below(input); ok {
		return inside, nil
	}
	return "", fmt.Errorf("%w: %s", ErrSpecOutside, input)
}

// Below returns a path of the user's relative to the root, slash-separated, and reports whether it is below the root.
func (s *Store) Below(input string) (string, bool) {
	full := input
	if !filepath.IsAbs(full) {
		full = filepath.Join(s.opts.Dir, full)
	}
	physical := full // the root has no symbolic links in its path, the user's directory may have
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		physical = filepath.Join(dir, filepath.Base(full))
	}
	for _, full := range []string{full, physical} {
		if inside, err := filepath.Rel(s.repo.Root(), full); err == nil && filepath.IsLocal(inside) {
			return filepath.ToSlash(inside), true
		}
	}
	return "", false
}
