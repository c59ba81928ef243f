//go:build unix

package parser

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"git-ralph/internal/workplan"
)

// script puts a program of that name into a directory.
func script(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, Name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// What the program returns is checked: one of another version, a crash and a truncated reply are errors, not workplans.
func TestReplies(t *testing.T) {
	dir := t.TempDir()
	p := Parser{Beside: filepath.Join(dir, "git-ralph"), Environ: os.Environ()}
	for _, tt := range []struct{ name, program, want string }{
		{"valid", `cat >/dev/null; echo '[{"File": {"ID": "W"}}]'`, ""},
		{"a problem", `cat >/dev/null; echo '[{"Problems": [{"Line": 3, "Column": 1, "Text": "no"}]}]'`, "w.md:3:1: no"},
		{"truncated", `cat >/dev/null; echo '[{"File": {"ID"'`, "is of another version than git-ralph"},
		{"nothing", `cat >/dev/null`, "is of another version than git-ralph"},
		{"too few", `cat >/dev/null; echo '[]'`, "is of another version than git-ralph"},
		{"neither file nor problem", `cat >/dev/null; echo '[{}]'`, "is of another version than git-ralph"},
		{"a failure", `echo broken >&2; exit 1`, "broken"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script(t, dir, tt.program)
			f, err := p.Parse(t.Context(), "w.md", []byte("x"))
			switch {
			case tt.want == "" && (err != nil || f.ID != "W"):
				t.Errorf("got %v, %v", f, err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, ok := errors.AsType[*workplan.InvalidError](err); ok != (tt.name == "a problem") {
				t.Errorf("%T", err)
			}
		})
	}
}

// A repository may contain links to devices and pipes, which have no end, and files of any size.
func TestReadEnds(t *testing.T) {
	dir := t.TempDir()
	large, pipe, zero := filepath.Join(dir, "large"), filepath.Join(dir, "pipe"), filepath.Join(dir, "zero")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, workplan.MaxSize+1), syscall.Mkfifo(pipe, 0o600), os.Symlink("/dev/zero", zero)); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		path string
		want error
	}{{large, errTooLarge}, {pipe, errNotRegular}, {zero, errNotRegular}} {
		if _, err := Read(row.path); !errors.Is(err, row.want) {
			t.Errorf("%s: %v", row.path, err)
		}
	}
	if _, _, err := (Parser{}).ReadFile(t.Context(), zero, "zero"); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
}
