package mergedriver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"git-ralph/internal/merge"
	"git-ralph/internal/safefile"
)

// An Env is what the driver takes from outside.
type Env struct {
	Dir     string    // the folder that file names are relative to; "": the process's
	Environ []string  // KEY=value, for git; nil: the process's
	Out     io.Writer // standard output: help and version
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

// errCrash: the engine met a mistake of its own.
var errCrash = errors.New("the merge of plans crashed")

// A driver does one job.
type driver struct {
	Job
	env   Env
	merge func(base, ours, theirs []byte) (merge.Result, error)
}

// Run does the job and returns the exit status: 0 for a merge, 1 where the user
// is to look at the file. What happened is told on standard error, a line each.
func Run(ctx context.Context, job Job, env Env) int {
	return (&driver{job, env, merge.Merge}).run(ctx)
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
			d.tell("cannot read what is to be merged: %v", err)
			return exitConflict
		}
		in[i] = data
	}
	if d.env.Large != nil && len(in[0])+len(in[1])+len(in[2]) >= large {
		d.env.Large()
	}
	result, err := d.try(in[0], in[1], in[2])
	if err != nil {
		d.tellUnreadable(err)
		return d.mergeText(ctx, in[1], in[2])
	}
	if err := d.put(result.Data); err != nil {
		d.tell("cannot write the merged plan: %v", err)
		return exitConflict
	}
	d.tellResult(result)
	if d.Stop && len(result.Conflicts) > 0 {
		return exitConflict
	}
	return exitMerged
}

// try merges plans. A mistake in the engine is an error like any other.
func (d *driver) try(base, ours, theirs []byte) (result merge.Result, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%w: %v", errCrash, reason)
		}
	}()
	return d.merge(base, ours, theirs)
}

// put makes data the content of the target, whole or not at all.
func (d *driver) put(data []byte) error {
	if d.Output != "" {
		folder, name := filepath.Split(d.path(d.Output))
		if folder == "" {
			folder = "."
		}
		return safefile.Write(folder, name, data, 0o666)
	}
	ours := d.path(d.Ours)
	// Git's own temporary file needs no sync: a machine that stops stops git too.
	if err := overwrite(ours+Pending, data); err != nil {
		return err
	}
	return swap(ours+Pending, ours)
}

// overwrite is os.WriteFile, but for emptying the file first: that would make
// ext4 send it to the disk as soon as it is closed.
func overwrite(name string, data []byte) error {
	f, err := openPlain(name, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if info, statErr := f.Stat(); err == nil && statErr == nil && info.Size() > int64(len(data)) {
		err = f.Truncate(int64(len(data)))
	}
	return errors.Join(err, f.Close())
}

// path is where a file is that the user named.
func (d *driver) path(name string) string {
	if d.env.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(d.env.Dir, name)
}
