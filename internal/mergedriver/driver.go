package mergedriver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"git-ralph/internal/merge"
	"git-ralph/internal/safefile"
)

// An Env is what the driver takes from outside.
type Env struct {
	Dir     string    // the directory that file names are relative to; "": the process's
	Environ []string  // KEY=value, for git; nil: the process's
	Out     io.Writer // standard output: help and version, and a result that is to go there
	Err     io.Writer // standard error: what a person is to know of the merge
	Version string

	Large func() // called before a large merge, to make room for it; may be nil
}

// large is the size of three files together, in bytes, from which a merge is.
const large = 1 << 20

// The exit statuses. Git takes others for a driver that failed.
const (
	exitMerged   = 0
	exitConflict = 1 // the user is to look at the file
)

// stopHint says what to do where a recorded conflict stops the merge.
const stopHint = "git-ralph: hint: `git ralph resolve --all` stages the plan as it stands, " +
	"then `git ralph resolve` settles what is recorded in it\n"

// errCrash: the engine met a mistake of its own.
var errCrash = errors.New("the merge of plans crashed")

// A driver does one job.
type driver struct {
	Job
	env   Env
	merge func(base, ours, theirs []byte) (merge.Result, error)
}

// Run does the job and returns the exit status: 0 for a merge, 1 where the user
// is to look at the file. What happened is reported on standard error, one line each.
func Run(ctx context.Context, job Job, env Env) int {
	return (&driver{job, env, merge.MergeInPieces}).run(ctx)
}

func (d *driver) run(ctx context.Context) int {
	var in [3][]byte
	read := readPrivate
	if d.Output != "" {
		read = os.ReadFile // somebody's own files, which an editor may be changing
	}
	for i, name := range [...]string{d.Base, d.Ours, d.Theirs} {
		data, err := read(d.path(name))
		if err != nil {
			d.report("cannot read what is to be merged: %v", err)
			return exitConflict
		}
		in[i] = data
	}
	if d.env.Large != nil && len(in[0])+len(in[1])+len(in[2]) >= large {
		d.env.Large()
	}
	result, err := d.mergePlans(in[0], in[1], in[2])
	if err != nil {
		d.reportInvalid(err)
		return d.mergeText(ctx, in[1], in[2])
	}
	if err := d.writeResult(result.Pieces...); err != nil {
		d.report("cannot write the merged plan: %v", err)
		return exitConflict
	}
	d.reportResult(result)
	if d.StopOnConflict && len(result.Conflicts) > 0 {
		fmt.Fprint(d.env.Err, stopHint)
		return exitConflict
	}
	return exitMerged
}

// mergePlans merges plans. A panic in the engine is returned as an error.
func (d *driver) mergePlans(base, ours, theirs []byte) (result merge.Result, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w: %v", errCrash, reason)
		}
	}()
	return d.merge(base, ours, theirs)
}

// writeResult replaces the content of the target atomically.
func (d *driver) writeResult(pieces ...[]byte) error {
	switch d.Output {
	case stdoutName:
		return writeAll(d.env.Out, pieces)
	case "":
		ours := d.path(d.Ours)
		if pending, err := openPending(ours + PendingSuffix); err == nil {
			// Git's own temporary file needs no sync: a machine that stops stops git too.
			if err := errors.Join(writePieces(pending, pieces), pending.Close()); err != nil {
				return err
			}
			return swap(ours+PendingSuffix, ours)
		}
	}
	dir, name := filepath.Split(d.path(d.target()))
	if dir == "" {
		dir = "."
	}
	return safefile.Write(dir, name, slices.Concat(pieces...), 0o666)
}

// writeAll writes pieces through a buffer that stays in the processor's cache.
func writeAll(w io.Writer, pieces [][]byte) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	for _, piece := range pieces {
		if _, err := buffered.Write(piece); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// errNotPending: what has the pending file's name is somebody's own.
var errNotPending = errors.New("is not the empty file that the registered command makes")

// openPending opens the pending file as the shell made it: regular and empty.
// Where the driver is called in another way there is none, or something of that
// name which has nothing to do with it.
func openPending(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() != 0) {
		err = errNotPending
	}
	if err != nil {
		return nil, err
	}
	return openPlain(name, os.O_WRONLY|noFollow)
}

// path is where a file is that the user named.
func (d *driver) path(name string) string {
	if d.env.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.env.Dir, name)
}
