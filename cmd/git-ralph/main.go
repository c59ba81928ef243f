// Git-ralph keeps the plan of a coding agent in a git repository: what is to
// be done, what is done, and what was rejected. Run it as `git ralph`.
package main

import (
	"context"
	"os"
	"runtime/debug"
	"syscall"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/term"
)

// version is set by the linker.
var version string

func main() { os.Exit(run()) }

// memoryLimit is the memory, in bytes, from which on garbage is collected.
const memoryLimit = 512 << 20

func run() int {
	// Most commands are short: collecting garbage would cost more than everything else
	// that a query does.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	env, err := term.NewEnv(version)
	if err != nil && !cli.NeedsNoDirectory(os.Args) {
		return cli.Report(env, err)
	}
	env.Interruptible = interruptible
	env.NotifyStop = notifyStop
	env.IgnoreInterrupts = func() func() { return catch(os.Interrupt) }
	env.IgnoreBrokenPipe = func() func() { return catch(syscall.SIGPIPE) }
	return cli.Main(context.Background(), os.Args, env)
}
