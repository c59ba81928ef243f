package runcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"git-ralph/internal/journal"
)

// openLog opens a log. The log of an iteration that has just begun may not exist yet: its prompt is made first.
func (o logsOptions) openLog(ctx context.Context, j journal.Journal, it iterationLog, path string) (*os.File, error) {
	for {
		over := isOver(j, o.run, it.n) // before opening: a log that does not exist after the end is never written
		f, err := os.Open(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
		if over || ctx.Err() != nil {
			return nil, fmt.Errorf("%w: its agent was not started, or its log is gone", errNoLog)
		}
		time.Sleep(pollTime)
	}
}

// isOver reports whether an iteration, or the run that it is part of, has ended.
func isOver(j journal.Journal, run string, n int) bool {
	all, err := iterations(j, run)
	if err != nil {
		return true
	}
	for _, it := range all {
		if it.n > n || it.n == n && it.over {
			return true
		}
	}
	_, running := j.Running()
	return !running
}

// pollTime is the pause between two reads of a log that is followed.
const pollTime = 100 * time.Millisecond

// awaitNext waits for an iteration after n, and reports whether there is one before the run ends.
func (o logsOptions) awaitNext(ctx context.Context, j journal.Journal, n int) bool {
	for ctx.Err() == nil {
		_, running := j.Running() // before the list: it has all of a run that has ended
		all, err := iterations(j, o.run)
		if err != nil {
			return false
		}
		if len(all) > 0 && all[len(all)-1].n > n {
			return true
		}
		if !running {
			return false
		}
		time.Sleep(pollTime)
	}
	return false
}

// A followReader waits at the end of a file for more, until it is over.
type followReader struct {
	ctx  context.Context
	file *os.File
	over func() bool
	idle func() // called before it waits
}

func (r *followReader) Read(p []byte) (int, error) {
	for {
		over := r.over() // before reading: what was written before the end is read
		n, err := r.file.Read(p)
		if n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if over || r.ctx.Err() != nil {
			return 0, io.EOF
		}
		r.idle()
		time.Sleep(pollTime)
	}
}
