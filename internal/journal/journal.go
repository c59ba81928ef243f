package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/safefile"
)

// Errors of a Journal.
var (
	// ErrRunning: another loop works in this worktree. The error around it names its process.
	ErrRunning = errors.New("a loop is running in this worktree")
	// ErrNoRun: no loop ever ran here, or its journal is gone.
	ErrNoRun = errors.New("no run is in the journal")
)

// A Journal is the journal of one worktree.
type Journal struct{ dir string }

// Of returns the journal of the worktree with a git directory.
func Of(gitDir string) Journal { return Journal{filepath.Join(gitDir, "ralph")} }

const (
	lockFile = "loop.lock"
	runsDir  = "runs"
	eventLog = "run.jsonl"
)

// runTime is the layout of the time that the name of a run begins with: names
// sort in the order of the runs.
const runTime = "20060102T150405.000"

// RunName returns the name of a run that begins at a time; random distinguishes runs of the same moment. It sorts after the
// name of the last run, even if the clock was set back.
func (j Journal) RunName(at time.Time, random func(n int) int) string {
	if last, err := j.Last(); err == nil {
		if was, err := time.Parse(runTime, last[:strings.IndexByte(last, '-')]); err == nil && !at.UTC().Truncate(time.Millisecond).After(was) {
			at = was.Add(time.Millisecond)
		}
	}
	return fmt.Sprintf("%s-%04x", at.UTC().Format(runTime), random(1<<16))
}

// isRun reports whether a name has the form of RunName.
func isRun(name string) bool {
	at, rest, found := strings.Cut(name, "-")
	_, err := time.Parse(runTime, at)
	return found && err == nil && len(rest) == 4
}

// Runs lists the runs, the oldest first.
func (j Journal) Runs() []string {
	entries, _ := os.ReadDir(filepath.Join(j.dir, runsDir))
	var names []string
	for _, e := range entries {
		if e.IsDir() && isRun(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// Files returns the files and directories that change with the runs: of these, the last one alone does.
func (j Journal) Files() []string {
	files := []string{filepath.Join(j.dir, runsDir)}
	if last, err := j.Last(); err == nil {
		files = append(files, j.path(last, eventLog), string(j.live(last)))
	}
	return files
}

// Has reports whether there is a run of that name.
func (j Journal) Has(name string) bool { return slices.Contains(j.Runs(), name) }

// Last returns the name of the last run. The error is ErrNoRun.
func (j Journal) Last() (string, error) {
	runs := j.Runs()
	if len(runs) == 0 {
		return "", ErrNoRun
	}
	return runs[len(runs)-1], nil
}

// Live returns the progress of a run's agent; ok is false if none is recorded.
func (j Journal) Live(run string) (jsonl.Object, bool) {
	live, err := j.live(run).read()
	return live, err == nil
}

func (j Journal) live(run string) record { return record(j.path(run, "live.json")) }

// Running returns the process that runs a loop in this worktree; ok is false if there is none.
func (j Journal) Running() (holder safefile.Holder, ok bool) {
	return safefile.HolderOf(filepath.Join(j.dir, lockFile))
}

// Hold keeps runs from beginning until the lock is released. The error is ErrRunning, and names the process.
func (j Journal) Hold(what string) (*safefile.Held, error) {
	for end := time.Now().Add(lockTimeout); ; time.Sleep(5 * time.Millisecond) {
		held, err := j.lock(what)
		busy, ok := errors.AsType[*safefile.HeldError](err)
		switch {
		case !ok:
			return held, err
		case time.Now().After(end):
			return nil, fmt.Errorf("%w: %w", ErrRunning, busy)
		}
	}
}

// lockTimeout is how long a program that a killed run was about to start may still hold the run's lock.
const lockTimeout = time.Second

// lock takes the worktree's lock, or fails at once.
func (j Journal) lock(what string) (*safefile.Held, error) {
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		return nil, err
	}
	return safefile.TryLock(filepath.Join(j.dir, lockFile), what)
}

// LogPath returns the path of a log by its name, as LogName returns it. Other names are refused: a plan may contain any, and
// may come from a stranger.
func (j Journal) LogPath(name string) (string, error) {
	run, file, found := strings.Cut(name, "/")
	number, isLog := strings.CutSuffix(file, ".log")
	if !found || !isLog || !isRun(run) || strings.Trim(number, "0123456789") != "" || number == "" {
		return "", fmt.Errorf("%w: %q names no log", ErrNoRun, name)
	}
	return j.path(run, file), nil
}

// LogName returns the name of an iteration's log as a plan holds it: "RUN/N.log".
func LogName(run string, iteration int) string { return fmt.Sprintf("%s/%d.log", run, iteration) }

func (j Journal) path(run, file string) string { return filepath.Join(j.dir, runsDir, run, file) }
