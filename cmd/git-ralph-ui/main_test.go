package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/term"
)

// TestMain lets the test binary be our programs when a script calls them.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"git-ralph": gitRalph, "git-ralph-ui": main})
}

// gitRalph is what the program git-ralph does with a command of git-ralph-ui.
func gitRalph() {
	env, err := term.NewEnv(version)
	if err != nil {
		os.Exit(cli.Report(env, err))
	}
	os.Exit(cli.Main(context.Background(), os.Args, env))
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true})
}
