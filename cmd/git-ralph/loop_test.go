package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"git-ralph/internal/test/scripted"
)

func scriptedAgent() { os.Exit(scripted.Main(os.Args)) }

// TestLoops runs the scripts in testdata/loop: real agents in real repositories, well behaved and not. Commands are those
// of TestScripts, and:
//
//	agent FILE      trust the repository, and let the scripted agent play the scenario in FILE of the script's archive
//	reported [EVENT…]   what `git ralph log` reports since the last reported is this, and nothing else
func TestLoops(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("testdata", "loop"),
		Setup: isolate,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo": makeRepo, "exits": exits, "commits": commits, "agent": useAgent, "reported": reported,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

func useAgent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: agent FILE")
	}
	ts.Check(ts.Exec("git", "config", "ralph.agent", "scripted-agent '"+filepath.Join(ts.Getenv("WORK"), args[0])+"'"))
	ts.Check(ts.Exec("git", "ralph", "trust", "--yes"))
}
