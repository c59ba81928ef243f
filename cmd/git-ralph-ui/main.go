// Git-ralph-ui does what those commands of git ralph do that need heavy packages, such as `git ralph mcp`. Git-ralph runs it in its
// own place, so that no other command pays for them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"git-ralph/internal/board"
	"git-ralph/internal/cli"
	"git-ralph/internal/cli/githubcmd"
	"git-ralph/internal/cli/hubcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/mcpserver"
	"git-ralph/internal/uiprogram"
	"git-ralph/internal/web"
)

// version is set by the linker.
var version string

func main() { os.Exit(run()) }

func run() int {
	env, err := term.NewEnv(version)
	if err == nil {
		env.Environ, err = uiprogram.Check(env.Environ, env.BuildVersion())
	}
	if err != nil {
		return cli.Report(env, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		cancel(&term.Interrupt{Signal: <-signals})
		signal.Stop(signals) // a second one ends the process
	}()
	// Whoever stops reading our output makes writing fail: a change under way is then finished, and not ended by the signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return cli.MainOf(ctx, os.Args, env, uicmd.Interfaces{
		Board: board.Run,
		MCP:   mcpserver.Serve, Web: web.Serve, HubSync: hubcmd.Sync, HubCheck: hubcmd.Check,
		GitHubPull: githubcmd.Pull, GitHubPush: githubcmd.Push, GitHubSync: githubcmd.Sync, GitHubCollate: githubcmd.Collate, GitHubIntegrate: githubcmd.Integrate,
		PullRequestCreate: githubcmd.CreatePull, PullRequestMerge: githubcmd.MergePull, PullRequestAdvance: githubcmd.AdvancePulls,
	})
}
