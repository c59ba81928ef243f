package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"git-ralph/internal/mergedriver"
	"git-ralph/internal/workplan/markdown"
)

// mergeDriver is what the program git-ralph-merge-driver does.
func mergeDriver() {
	os.Exit(mergedriver.Main(context.Background(), os.Args[1:], mergedriver.Env{Out: os.Stdout, Err: os.Stderr, Version: "test"}))
}

func workplanParser() {
	os.Exit(markdown.Main(os.Args[1:], "test", os.Stdin, os.Stdout, os.Stderr))
}

// TestMergeScripts runs the scripts in testdata/merge, about plans that git
// merges. Beside the commands of TestScripts there are:
//
//	install              type what docs/merge.md shows first
//	register             type the settings that it shows for doing so by hand
//	fork BASE OURS THEIRS  make a repository with these settings, where branch theirs holds
//	                     the plan THEIRS, main, checked out, the plan OURS
//	merged FILE          the plan in worktree and HEAD is FILE; all is committed
func TestMergeScripts(t *testing.T) {
	page, err := os.ReadFile("../../docs/merge.md")
	if err != nil {
		t.Fatal(err)
	}
	settings := settingsIn(string(page))
	if len(settings) != 3 {
		t.Fatalf("docs/merge.md has %d blocks of settings, not 3", len(settings))
	}
	install, byHand := settings[0], settings[1:]
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("testdata", "merge"),
		Setup: isolate,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "merged": merged,
			"install":  func(ts *testscript.TestScript, _ bool, _ []string) { typeIn(ts, install) },
			"register": func(ts *testscript.TestScript, _ bool, _ []string) { typeIn(ts, byHand[0]) },
			"fork":     func(ts *testscript.TestScript, _ bool, args []string) { fork(ts, args, byHand) },
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// settingsIn returns what a page shows for a shell.
func settingsIn(page string) []string {
	var blocks []string
	for _, part := range strings.Split(page, "\n```sh\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```\n")
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

func typeIn(ts *testscript.TestScript, text string) {
	ts.Check(ts.Exec("sh", "-e", "-c", text))
}

func fork(ts *testscript.TestScript, args, settings []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: fork BASE OURS THEIRS")
	}
	work := ts.Getenv("WORK")
	ts.Check(ts.Chdir(work))
	ts.Check(os.RemoveAll(filepath.Join(work, "clone")))
	ts.Check(os.RemoveAll(filepath.Join(work, "r")))
	ts.Check(os.MkdirAll(filepath.Join(work, "r", "ralph"), 0o777))
	ts.Check(ts.Chdir(filepath.Join(work, "r")))
	ts.Check(ts.Exec("git", "init", "-q"))
	for _, block := range settings {
		typeIn(ts, block)
	}
	commitPlan(ts, args[0])
	ts.Check(ts.Exec("git", "checkout", "-q", "-b", "theirs"))
	commitPlan(ts, args[2])
	ts.Check(ts.Exec("git", "checkout", "-q", "main"))
	commitPlan(ts, args[1])
}

func commitPlan(ts *testscript.TestScript, file string) {
	data, err := os.ReadFile(filepath.Join(ts.Getenv("WORK"), file))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("ralph/plan.jsonl"), data, 0o666))
	ts.Check(ts.Exec("git", "add", "."))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", file))
}

func merged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: merged FILE")
	}
	want, err := os.ReadFile(filepath.Join(ts.Getenv("WORK"), args[0]))
	ts.Check(err)
	got := ts.ReadFile("ralph/plan.jsonl")
	if got != string(want) {
		ts.Fatalf("the plan is\n%swant\n%s", got, want)
	}
	ts.Check(ts.Exec("git", "status", "--porcelain"))
	if left := ts.ReadFile("stdout"); left != "" {
		ts.Fatalf("not all is committed, or something was left:\n%s", left)
	}
}
