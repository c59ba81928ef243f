package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"git-ralph/internal/proc"
)

// ErrTimeLimit: a git command, or a hook that it ran, took too long and was ended.
var ErrTimeLimit = errors.New("took too long and was ended")

// ErrStopped: a git command was ended because the user stopped the run.
var ErrStopped = errors.New("was ended on request")

// Supervision limits and records the git commands of a run. Each command has a process group of its own, so that its hooks end
// with it, and Ctrl-C in the terminal reaches neither.
type Supervision struct {
	Limit func() time.Duration // for a command that begins now, and its hooks; 0 for none
	Stop  <-chan struct{}      // closed when commands are to end soon; may be nil
	Mark  string               // KEY=value in the environment of every process that is started
	// Began records that a command was started. It returns a function that records its end.
	Began func(command string, id proc.ID) (ended func())
}

// Supervised returns the repository with its git commands under supervision.
func (r *Repo) Supervised(s Supervision) *Repo {
	other, program := *r, *r.git
	program.supervision = &s
	program.killed = func(began time.Time) { RemoveStaleLocks(&other, EndedProcess{Began: began}) }
	other.git = &program
	return &other
}

// stopTime is how long a command may run after Stop was closed: without hooks it ends earlier by itself.
const stopTime = 2 * time.Second

// supervise prepares a command for supervision, and returns the context to run it in.
func (p *Program) supervise(ctx context.Context, c *proc.Cmd) context.Context {
	s := p.supervision
	if s == nil {
		return ctx
	}
	ctx, cancel := s.bound(ctx)
	c.Group = true
	if s.Mark != "" {
		c.Env = append(slices.Clip(c.Env), s.Mark)
	}
	ended, began := func() {}, time.Now()
	c.Started = func(id proc.ID) { ended = s.Began(command(c.Args), id) }
	c.Ended = func(err error) {
		cancel()
		if proc.Signaled(err) || isEnded(err) {
			p.killed(began)
		}
		ended() // last: if this process is killed before, the next command removes the locks
	}
	return ctx
}

// bound returns a context that ends at the time limit, or stopTime after Stop was closed.
func (s *Supervision) bound(ctx context.Context) (_ context.Context, cancel func()) {
	ctx, end := context.WithCancelCause(ctx)
	over := make(chan struct{})
	var limit time.Duration
	if s.Limit != nil {
		limit = s.Limit()
	}
	go s.watch(limit, over, end)
	return ctx, func() {
		close(over)
		end(nil)
	}
}

func (s *Supervision) watch(limit time.Duration, over <-chan struct{}, end context.CancelCauseFunc) {
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	cause := fmt.Errorf("%w, after %s", ErrTimeLimit, limit)
	select {
	case <-over:
		return
	case <-late:
	case <-s.Stop:
		cause = ErrStopped
		select {
		case <-over:
			return
		case <-time.After(stopTime):
		}
	}
	end(cause)
}

// whyEnded returns the cause of a command's end if supervision ended it: the last output of a hook is not the reason.
func whyEnded(err error) error {
	pe, ok := errors.AsType[*proc.Error](err)
	if !ok || !isEnded(pe) {
		return err
	}
	return fmt.Errorf("git %s %w", command(pe.Args), pe.Err)
}

func isEnded(err error) bool { return errors.Is(err, ErrTimeLimit) || errors.Is(err, ErrStopped) }

// command returns the name of a git command, without the options before it.
func command(args []string) string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-c" || arg == "-C":
			i++
		case arg[:1] != "-":
			return arg
		}
	}
	return ""
}
