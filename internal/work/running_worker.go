package work

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/safefile"
)

// A RunningWorker is a worker of this clone that runs.
type RunningWorker struct {
	Name   string
	Role   string
	Team   string // the run that started it, "" for none
	Holder safefile.Holder
}

// The lock of a worker that runs names its role and the run of a team that started it.
const (
	roleCommand = "git ralph work --role "
	ofRun       = " of run "
)

func (w *Worker) lockText() string {
	if w.TeamRun == "" {
		return roleCommand + w.Role
	}
	return roleCommand + w.Role + ofRun + w.TeamRun
}

// Runs returns the worker of that name, if it runs. Of one that does not, and was not killed, it reads nothing.
func (d Directory) Runs(name string) (RunningWorker, bool) {
	if _, err := os.Lstat(filepath.Join(d.notes, name+".running")); err != nil {
		return RunningWorker{}, false
	}
	held, err := safefile.TryLock(filepath.Join(d.notes, name+".lock"), "git ralph status")
	if err == nil {
		held.Release() //nolint:errcheck // it was only tried
	}
	busy, runs := errors.AsType[*safefile.HeldError](err)
	if !runs {
		return RunningWorker{}, false
	}
	role, run, _ := strings.Cut(strings.TrimPrefix(busy.Holder.What, roleCommand), ofRun)
	return RunningWorker{name, role, run, busy.Holder}, true
}

// Running lists the workers that run.
func (d Directory) Running() (all []RunningWorker) {
	names, _ := filepath.Glob(filepath.Join(d.notes, "*.running")) //nolint:errcheck // the pattern is good
	for _, path := range names {
		if w, runs := d.Runs(strings.TrimSuffix(filepath.Base(path), ".running")); runs {
			all = append(all, w)
		}
	}
	return all
}

// hasTeam reports whether a team has started this worker and goes on.
func (w *Worker) hasTeam() bool { return w.TeamRun != "" && w.HasTeam != nil && w.HasTeam() }
