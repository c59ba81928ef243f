package proc

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
)

// Conversation is a running program that answers requests: write a request, then read the reply from Out.
// It is not safe for use by several goroutines at once.
type Conversation struct {
	Out *bufio.Reader // what the program prints

	ctx    context.Context
	c      Cmd
	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr bytes.Buffer
	fed    chan struct{} // closed when Feed is done; nil without
	done   bool
	err    error
	cause  error // why the context ended before the program did
}

// Start starts c and leaves it running. Close must be called; when ctx ends the program is ended as by Run.
func Start(ctx context.Context, c Cmd) (*Conversation, error) {
	t := &Conversation{ctx: ctx, c: c, cmd: command(ctx, c)}
	t.cmd.Stderr = writerOr(c.Stderr, &t.stderr)
	var err error
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, t.unstarted(err)
	}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, t.unstarted(err)
	}
	if err := t.cmd.Start(); err != nil {
		return nil, t.unstarted(err)
	}
	c.started(t.cmd)
	t.Out = bufio.NewReaderSize(out, 32<<10)
	return t, nil
}

func (t *Conversation) unstarted(err error) error {
	return t.c.ended(wrap(context.Cause(t.ctx), t.c, "", err))
}

// Write sends a request. The error of a program that has ended is what it printed last.
func (t *Conversation) Write(p []byte) (int, error) {
	n, err := t.in.Write(p)
	if err != nil {
		return n, t.Fail(err)
	}
	return n, nil
}

// Feed sends everything from r while replies are read, and then closes the input. Nothing else may be sent.
func (t *Conversation) Feed(r io.Reader) {
	t.fed = make(chan struct{})
	go func() {
		defer close(t.fed)
		io.Copy(t.in, r) //nolint:errcheck // if the program has ended, reading its replies fails
		t.in.Close()
	}()
}

// CloseInput closes the program's input: there are no more requests.
func (t *Conversation) CloseInput() { t.in.Close() }

// Fail ends the program after a reply that could not be read or understood, and returns the error that explains it:
// the program's own if it failed, else cause.
func (t *Conversation) Fail(cause error) error {
	if err := t.Close(); err != nil {
		return err
	}
	return wrap(t.cause, t.c, t.stderr.String(), cause)
}

// Close ends the input, waits for the program and returns its error. Output that was not read is discarded.
// Further calls return the same result.
func (t *Conversation) Close() error {
	if t.done {
		return t.err
	}
	t.done = true
	if t.fed == nil { // else Feed closes it
		t.in.Close()
	}
	io.Copy(io.Discard, t.Out) //nolint:errcheck // the exit status reports whether the program succeeded
	err := t.cmd.Wait()
	if t.c.Group && err != nil {
		killGroup(t.cmd.Process) // processes that survived their leader
	}
	if t.fed != nil {
		<-t.fed
	}
	t.cause = context.Cause(t.ctx)
	t.err = t.c.ended(wrap(t.cause, t.c, t.stderr.String(), err))
	return t.err
}

// Kill ends the program at once and discards its exit status.
func (t *Conversation) Kill() {
	if t.done {
		return
	}
	t.done = true
	t.in.Close()
	t.cmd.Process.Kill() //nolint:errcheck // it may have ended by itself
	t.cmd.Wait()         //nolint:errcheck // killed on purpose
	t.c.ended(nil)       //nolint:errcheck // there is none
	if t.fed != nil {
		<-t.fed
	}
}
