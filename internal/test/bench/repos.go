package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	planPath = "ralph/plan.jsonl"
	history  = 40 // commits of a generated repository
	baseTag  = "bench-base"
)

// repo returns a repository with that many files in nested directories, all packed, some history, and a plan of that many
// tasks. It is generated once; every session starts from the same commit and the same objects.
func (l *lab) repo(ctx context.Context, files, tasks int) (string, error) {
	dir := filepath.Join(l.dir, fmt.Sprintf("repo-%d-%d", files, tasks))
	_, err := os.Stat(filepath.Join(dir, ".git", "ready"))
	if errors.Is(err, fs.ErrNotExist) {
		return dir, l.makeRepo(ctx, dir, files, tasks)
	}
	if err != nil {
		return "", err
	}
	return dir, l.rewind(ctx, dir)
}

// makeRepo generates the repository and marks it as ready when it is whole.
func (l *lab) makeRepo(ctx context.Context, dir string, files, tasks int) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	steps := []struct {
		in    string
		input []byte
		args  []string
	}{
		{l.dir, nil, []string{"init", "-q", dir}},
		{dir, importStream(files, tasks), []string{"fast-import", "--quiet"}},
		{dir, nil, []string{"reset", "-q", "--hard", "main"}},
		{dir, nil, []string{"tag", baseTag}},
		{dir, nil, []string{"gc", "-q"}},
	}
	for _, s := range steps {
		if _, err := l.git(ctx, s.in, s.input, s.args...); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, ".git", "ready"), nil, 0o600)
}

// rewind takes back what an earlier session committed.
func (l *lab) rewind(ctx context.Context, dir string) error {
	for _, args := range [][]string{
		{"reset", "-q", "--hard", baseTag},
		{"reflog", "expire", "--expire=now", "--all"},
		{"prune", "--expire=now"},
	} {
		if _, err := l.git(ctx, dir, nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// importStream is the repository as git fast-import reads it: everything in the first commit, then edits spread over
// the tree.
func importStream(files, tasks int) []byte {
	var b bytes.Buffer
	for i := range history {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\n", 1700000000+i*600)
		writeData(&b, fmt.Sprintf("commit %d\n", i))
		if i == 0 {
			writeFile(&b, planPath, planText(tasks))
			for n := range files {
				writeFile(&b, fileName(n), fmt.Sprintf("file %d\n", n))
			}
			continue
		}
		for n := i; n < files; n += files/5 + 1 {
			writeFile(&b, fileName(n), fmt.Sprintf("file %d, version %d\n", n, i))
		}
	}
	return b.Bytes()
}

// fileName spreads the files over directories of 40, three levels deep.
func fileName(n int) string {
	return fmt.Sprintf("src/part%02d/module%02d/file%02d.txt", n/1600, n/40%40, n%40)
}

func writeFile(b *bytes.Buffer, path, text string) {
	fmt.Fprintf(b, "M 100644 inline %s\n", path)
	writeData(b, text)
}

func writeData(b *bytes.Buffer, text string) { fmt.Fprintf(b, "data %d\n%s\n", len(text), text) }
