package term

import (
	"context"
	"errors"
	"os"
)

// An Interrupt is the cause of a context that a signal cancelled, and the error
// of an operation that the signal interrupted.
type Interrupt struct{ Signal os.Signal }

func (i *Interrupt) Error() string { return i.Signal.String() }

// UntilSignal runs do with a context that a signal cancels, so that do can release its
// locks and remove its temporary files. Elsewhere a signal ends the process at once: there
// is nothing to release, and catching signals would slow down every query.
func (e *Env) UntilSignal(ctx context.Context, do func(context.Context) error) error {
	if e.Interruptible == nil {
		return do(ctx)
	}
	ctx, stop := e.Interruptible(ctx)
	defer stop()
	err := do(ctx)
	if interrupt, ok := errors.AsType[*Interrupt](context.Cause(ctx)); ok && err != nil {
		return interrupt
	}
	return err
}

// StopContext returns a context that is cancelled when the command must stop now, and a channel that is closed when it is to
// stop after the work under way.
func (e *Env) StopContext(ctx context.Context) (now context.Context, requested <-chan struct{}, stop func() os.Signal) {
	if e.NotifyStop == nil {
		return ctx, nil, func() os.Signal { return nil }
	}
	return e.NotifyStop(ctx)
}
