package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan/markdown"
	"git-ralph/internal/workplan/parser"
)

// TestMain lets the test binary be the parser of workplans.
func TestMain(m *testing.M) {
	if strings.HasPrefix(filepath.Base(os.Args[0]), parser.Name) {
		os.Exit(markdown.Main(os.Args[1:], "test", os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// withParser puts the parser of workplans on the PATH.
func withParser(t *testing.T, env *term.Env) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, parser.Name)); err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + dir + string(os.PathListSeparator) + env.Getenv("PATH")
	env.Environ = append([]string{path}, slices.DeleteFunc(slices.Clone(env.Environ), func(pair string) bool {
		return strings.HasPrefix(pair, "PATH=")
	})...)
}
