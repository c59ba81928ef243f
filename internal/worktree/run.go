package worktree

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
	"git-ralph/internal/sha256"
)

// MaxOutput is how many bytes of a command's output are kept: half from its beginning, half from its end.
const MaxOutput = 1 << 20

// grace is how long a command may clean up when its time is over.
const grace = 5 * time.Second

// A Result is what a command did.
type Result struct {
	Exit     int    // status; -1 where a signal ended it
	TimedOut bool   // it was ended because its time was over
	Output   []byte // standard output and errors as they came, at most MaxOutput
	Cut      int64  // how many bytes are left out in the middle
	SHA256   string // of all of the output, in hex
	Took     time.Duration
}

// Passed reports whether the command ended by itself with status 0.
func (r Result) Passed() bool { return r.Exit == 0 && !r.TimedOut }

// Text returns the output, with a line where something was left out.
func (r Result) Text() string {
	if r.Cut == 0 {
		return string(r.Output)
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", r.Output[:MaxOutput/2], r.Cut, r.Output[MaxOutput/2:])
}

// Run runs a command in the worktree and waits until it and everything that it started have ended. line is the program and
// its arguments; no shell reads it. The command has no input. The error is that of a command that could not be started, or
// the context's.
func (c *Clean) Run(ctx context.Context, line, environ []string, limit time.Duration) (Result, error) {
	input, err := os.Open(os.DevNull)
	if err != nil {
		return Result{}, err
	}
	defer input.Close()
	began := time.Now()
	env := append(Environ(environ), git.NoReplacements, c.mark())
	job, err := proc.StartJob(proc.Cmd{Name: c.program(line[0]), Args: line[1:], Dir: c.dir, Env: env, Input: input})
	if err != nil {
		return Result{}, err
	}
	defer job.Close()
	c.write(note{c.dir, job.ID}) //nolint:errcheck // it is needed only after a SIGKILL
	out := newOutput()
	var copies sync.WaitGroup
	for _, stream := range []io.Reader{job.Stdout, job.Stderr} {
		copies.Go(func() { io.Copy(out, stream) }) //nolint:errcheck // its end is all that matters
	}
	result := Result{}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-job.Exited():
	case <-limited.Done():
		result.TimedOut = ctx.Err() == nil
	}
	job.End(grace)
	copies.Wait()
	result.Took, result.Exit = time.Since(began), job.Code()
	out.into(&result)
	return result, ctx.Err()
}

// program returns the name of a program as it is looked for: a path is one in the worktree, not in the user's directory.
func (c *Clean) program(name string) string {
	if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
		return filepath.Join(c.dir, name)
	}
	return name
}

// output keeps the beginning and the end of what is written to it, and the hash of all of it.
type output struct {
	mu         sync.Mutex
	hash       *sha256.Hash
	head, tail []byte
	total      int64
}

func newOutput() *output { return &output{hash: sha256.New()} }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hash.Write(p)
	o.total += int64(len(p))
	first := min(len(p), MaxOutput/2-len(o.head))
	o.head = append(o.head, p[:first]...)
	o.tail = append(o.tail, p[first:]...)
	if len(o.tail) > MaxOutput {
		o.tail = append([]byte(nil), o.tail[len(o.tail)-MaxOutput/2:]...)
	}
	return len(p), nil
}

func (o *output) into(r *Result) {
	tail := o.tail[max(0, len(o.tail)-MaxOutput/2):]
	r.Output = append(o.head, tail...)
	r.Cut = o.total - int64(len(r.Output))
	r.SHA256 = o.hash.Hex()
}
