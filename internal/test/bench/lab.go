package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// lab is where the measuring is done: the program, the directory for what is generated, and an environment that knows
// nothing of the user's but PATH and how git is to reach the disk.
type lab struct {
	bin  string // git-ralph
	dir  string // generated repositories, kept between sessions
	runs int
	size crowdSize // of agents that land
	env  []string
	null *os.File
	out  io.Writer // for tables of a topic's own
}

// newLab makes the directories and the git configuration of the session.
func newLab(ctx context.Context, bin string, runs int) (*lab, error) {
	if _, err := os.Stat(bin); err != nil {
		return nil, fmt.Errorf("no program to measure: %w", err)
	}
	dir := os.Getenv("BENCH_DIR")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("git-ralph-bench-%d", os.Getuid()))
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	config := filepath.Join(home, "gitconfig")
	if err := os.WriteFile(config, []byte(gitConfig(ctx)), 0o600); err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_GLOBAL=" + config, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
	return &lab{bin: bin, dir: dir, runs: runs, env: env, null: null, out: os.Stdout}, nil
}

func (l *lab) close() { l.null.Close() }

// gitConfig is an identity, and the user's own settings of how carefully git writes: both sides are held to them.
func gitConfig(ctx context.Context) string {
	text := "[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n[core]\n"
	for _, key := range []string{"fsync", "fsyncMethod", "fsyncObjectFiles"} {
		res, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: []string{"config", "--get", "core." + key}})
		if value := strings.TrimSpace(string(res.Stdout)); err == nil && value != "" {
			text += fmt.Sprintf("\t%s = %q\n", key, value)
		}
	}
	return text
}

// git runs git in a directory and returns what it printed.
func (l *lab) git(ctx context.Context, dir string, input []byte, args ...string) (string, error) {
	res, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: args, Dir: dir, Env: l.env, Stdin: input})
	return strings.TrimSpace(string(res.Stdout)), err
}

// hello builds the rival of the start-up rows, a Go program that prints one line, with go's default flags.
func (l *lab) hello(ctx context.Context) (string, error) {
	dir := filepath.Join(l.dir, "hello")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	files := map[string]string{
		"go.mod":  "module hello\n\ngo 1.21\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello, world\") }\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	_, err := proc.Run(ctx, proc.Cmd{Name: "go", Args: []string{"build", "-o", "hello", "."}, Dir: dir, Env: env})
	return filepath.Join(dir, "hello"), err
}

// foreign builds a rival that is no part of ours, once, in a module of its own in the directory for what is generated: what it
// needs is none of our dependencies. files are its go.mod and what else it is made of.
func (l *lab) foreign(ctx context.Context, name, pkg string, files map[string]string) (string, error) {
	dir := filepath.Join(l.dir, name)
	bin := filepath.Join(dir, "rival-program")
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	_, err := proc.Run(ctx, proc.Cmd{Name: "go", Args: []string{"build", "-o", bin, pkg}, Dir: dir, Env: env})
	return bin, err
}
