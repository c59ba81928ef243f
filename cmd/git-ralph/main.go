// Git-ralph keeps the plan of a coding agent in a git repository: what is to
// be done, what is done, and what was rejected. Run it as `git ralph`.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/term"
)

// version is set by the linker.
var version string

func main() { os.Exit(run()) }

// memoryLimit is where the garbage collector begins to work, in bytes.
const memoryLimit = 512 << 20

func run() int {
	// A run is short: collecting garbage would cost more than all else that a
	// query does.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	env, err := term.NewEnv(version)
	if err != nil {
		return cli.Report(env, err)
	}
	env.Interruptible = interruptible
	env.NotifyStop = stops
	env.IgnoreInterrupts = func() func() { return without(os.Interrupt) }
	env.IgnoreBrokenPipe = func() func() { return without(syscall.SIGPIPE) }
	return cli.Main(context.Background(), os.Args, env)
}

// interruptible returns a context that the first interrupt or termination
// cancels. The second one ends the process.
func interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&term.Interrupt{Signal: s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// without lets a signal pass by until rest is called. It is caught, not ignored:
// programs that we start would inherit that.
func without(s os.Signal) (rest func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, s)
	return func() { signal.Stop(signals) }
}

// sameKey is how close two interrupts are that one Ctrl-C made: the terminal sends one to us and one to git, which passes
// its own on.
const sameKey = 50 * time.Millisecond

// stops returns a channel that the first interrupt closes, and a context that the second one cancels. Termination, quitting
// and hanging up cancel it at once, unless hanging up was ignored from the start, as under nohup. Who reads our output may
// have ended by the same Ctrl-C, as in `git ralph build | tee log`: a pipe that breaks counts as a first interrupt. Stop returns
// the signal that closed the channel.
func stops(ctx context.Context) (_ context.Context, soft <-chan struct{}, stop func() os.Signal) {
	ctx, cancel := context.WithCancelCause(ctx)
	asked := make(chan struct{})
	var first os.Signal
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		ask := func(s os.Signal) {
			first = s
			close(asked)
		}
		if s := lastSignal(ctx, signals, ask); s != nil {
			cancel(&term.Interrupt{Signal: s})
		}
	}()
	return ctx, asked, func() os.Signal {
		signal.Stop(signals)
		cancel(nil)
		select {
		case <-asked:
			return first
		default:
			return nil
		}
	}
}

// lastSignal waits for a signal that ends a run at once, and calls ask with the one that comes before it, if any. It is nil
// where ctx ends first.
func lastSignal(ctx context.Context, signals <-chan os.Signal, ask func(os.Signal)) os.Signal {
	var first time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-signals:
			switch {
			case s != os.Interrupt && s != syscall.SIGPIPE:
				return s
			case first.IsZero():
				first = time.Now()
				ask(s)
			case s == os.Interrupt && time.Since(first) >= sameKey:
				return s
			}
		}
	}
}
