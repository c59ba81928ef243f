package config

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// AttributesPath returns the file of attributes outside of worktrees that goes with a scope; "" where there is none, as for
// a machine whose own files git does not read. Worktrees share the repository's. It need not exist.
func (f *Files) AttributesPath(ctx context.Context, scope Scope) (string, error) {
	switch scope {
	case ScopeSystem:
		return f.systemAttributes(ctx)
	case ScopeGlobal:
		return f.userAttributes(ctx)
	}
	return filepath.Join(f.CommonDir, "info", "attributes"), nil
}

// systemAttributes has git 2.41 or later print the name; before that the file is beside the machine's configuration. With
// GIT_CONFIG_SYSTEM it returns "", because the variable moves the configuration and not the attributes.
func (f *Files) systemAttributes(ctx context.Context) (string, error) {
	if HasAny(f.Environ, []string{"GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ATTR_NOSYSTEM"}) {
		return "", nil
	}
	if out, err := f.Run(ctx, "var", "GIT_ATTR_SYSTEM"); err == nil {
		return filepath.FromSlash(strings.TrimSuffix(string(out), "\n")), nil
	}
	config, err := f.systemFile(ctx)
	return filepath.Join(filepath.Dir(config), "gitattributes"), err
}

func (f *Files) userAttributes(ctx context.Context) (string, error) {
	config, err := f.Read(ctx)
	if err != nil {
		return "", err
	}
	if v, ok := config.Get("core.attributesFile"); ok {
		file := f.expandHome(v)
		if !filepath.IsAbs(file) {
			return "", fmt.Errorf("%w core.attributesFile %q: want an absolute path or one below ~/", ErrConfig, v)
		}
		return file, nil
	}
	if xdg := f.xdg(); xdg != "" {
		return filepath.Join(xdg, "git", "attributes"), nil
	}
	return "", ErrNoHome
}

// SharedAttributes lists the attribute files outside the worktree: of the repository, the user and the machine.
func (f *Files) SharedAttributes(config *Config) []string {
	files := []string{filepath.Join(f.CommonDir, "info", "attributes")}
	if v, ok := config.Get("core.attributesFile"); ok {
		files = append(files, f.expandHome(v))
	} else if xdg := f.xdg(); xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "attributes"))
	}
	if _, off := Getenv(f.Environ, "GIT_ATTR_NOSYSTEM"); !off && runtime.GOOS != "windows" {
		files = append(files, filepath.Join(filepath.Dir(f.Program), "..", "etc", "gitattributes"), "/etc/gitattributes")
	}
	return files
}

func (f *Files) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(f.home(), rest)
	}
	return path
}
