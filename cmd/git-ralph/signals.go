package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"git-ralph/internal/cli/term"
)

// interruptible returns a context that the first interrupt or termination
// cancels. A second key press ends the process.
func interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go onePress(ctx, signals, cancel, func() { signal.Stop(signals) })
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// onePress cancels at the first signal, and lets the next one end the process only when it cannot be of the same key press: what is
// cleaned up until then would be left half done.
func onePress(ctx context.Context, signals <-chan os.Signal, cancel context.CancelCauseFunc, release func()) {
	select {
	case s := <-signals:
		cancel(&term.Interrupt{Signal: s})
		time.Sleep(oneKeyPress)
		release()
	case <-ctx.Done():
	}
}

// catch discards a signal until restore is called. The signal is caught rather than ignored, because programs that we
// start would inherit that it is ignored.
func catch(s os.Signal) (restore func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, s)
	return func() { signal.Stop(signals) }
}

// oneKeyPress is the longest time between two interrupts that come from one Ctrl-C: the terminal sends one to us and one to
// git, which forwards its own.
const oneKeyPress = 50 * time.Millisecond

// notifyStop returns a channel that the first interrupt closes, and a context that the second one cancels. SIGTERM, SIGQUIT
// and SIGHUP cancel it at once, except a SIGHUP that was ignored from the start, as under nohup. The same Ctrl-C may end the
// program that reads our output, as in `git ralph build | tee log`, so a SIGPIPE because of that counts as a first interrupt. Stop
// returns the signal that closed the channel.
func notifyStop(ctx context.Context) (_ context.Context, requested <-chan struct{}, stop func() os.Signal) {
	ctx, cancel := context.WithCancelCause(ctx)
	closing := make(chan struct{})
	var first os.Signal
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		request := func(s os.Signal) {
			first = s
			close(closing)
		}
		unread := func() bool { return outputBroken(os.Stdout) || outputBroken(os.Stderr) }
		if s := lastSignal(ctx, signals, unread, request); s != nil {
			cancel(&term.Interrupt{Signal: s})
		}
	}()
	return ctx, closing, func() os.Signal {
		signal.Stop(signals)
		cancel(nil)
		select {
		case <-closing:
			return first
		default:
			return nil
		}
	}
}

// lastSignal returns the first signal that ends a run at once, and calls request with the first interrupt before it. A SIGPIPE is
// one if our output is unread. It returns nil where ctx ends first.
func lastSignal(ctx context.Context, signals <-chan os.Signal, unread func() bool, request func(os.Signal)) os.Signal {
	var first time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-signals:
			switch {
			case s == syscall.SIGPIPE && !unread():
			case s != os.Interrupt && s != syscall.SIGPIPE:
				return s
			case first.IsZero():
				first = time.Now()
				request(s)
			case s == os.Interrupt && time.Since(first) >= oneKeyPress:
				return s
			}
		}
	}
}
