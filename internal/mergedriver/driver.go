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

// An Env holds what the driver needs from its process.
type Env struct {
	Dir     string    // the directory that file names are relative to; "" for the process's
	Environ []string  // KEY=value, for git; nil for the process's
	Out     io.Writer // standard output: help and version, and the result with --output -
	Err     io.Writer // standard error: conflicts, discarded values and errors
	Version string

	BeforeLarge func() // called before a large merge; may be nil
}

// largeMerge is the total size of the three files, in bytes, from which a merge
// counts as large.
const largeMerge = 1 << 20

// The exit statuses. With any other, git assumes that the driver failed.
const (
	exitMerged   = 0
	exitConflict = 1 // the user is to look at the file
)

// stopHint says what to do where a recorded conflict stops the merge.
const stopHint = "git-ralph: hint: `git ralph resolve --all` stages the plan as it is, " +
	"then `git ralph resolve` resolves the recorded conflicts\n"

// errCrash: package merge panicked, which is a bug in it.
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
		read = os.ReadFile // the user's own files, which an editor may be changing
	}
	for i, name := range [...]string{d.Base, d.Ours, d.Theirs} {
		data, err := read(d.path(name))
		if err != nil {
			d.report("cannot read what is to be merged: %v", err)
			return exitConflict
		}
		in[i] = data
	}
	if d.env.BeforeLarge != nil && len(in[0])+len(in[1])+len(in[2]) >= largeMerge {
		d.env.BeforeLarge()
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

// mergePlans merges plans. It returns a panic of package merge as an error.
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
			// Git's own temporary file needs no sync: if the machine crashes, so does the merge.
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

// errNotPending: the file with the name of the pending file is not ours.
var errNotPending = errors.New("is not the empty file that the registered command makes")

// openPending opens the pending file as the shell made it: regular and empty.
// If the driver is called in another way, there is none, or an unrelated file
// of that name.
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

// path returns the path of a file that the command line names.
func (d *driver) path(name string) string {
	if d.env.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.env.Dir, name)
}
