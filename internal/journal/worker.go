package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/safefile"
)

// A team's run has two files for each of its workers, which are processes of their own: the events that it prints, a line each, and
// its messages. They are files, so that a worker works on when the process of the team is gone.
const (
	workerEvents   = ".jsonl"
	workerMessages = ".err"
)

// OpenWorker opens the files of a worker to be added to.
func (r *Run) OpenWorker(name string) (events, messages *os.File, err error) {
	const how = os.O_CREATE | os.O_APPEND | os.O_WRONLY
	if events, err = os.OpenFile(r.journal.path(r.Name, name+workerEvents), how, private); err != nil {
		return nil, nil, err
	}
	if messages, err = os.OpenFile(r.journal.path(r.Name, name+workerMessages), how, private); err != nil {
		events.Close()
		return nil, nil, err
	}
	return events, messages, nil
}

// A WorkerLog reads what a worker prints while it runs.
type WorkerLog struct {
	run  *Run
	name string
	read int64 // bytes of whole lines
}

// WorkerLog returns the log of a worker, from its beginning.
func (r *Run) WorkerLog(name string) *WorkerLog { return &WorkerLog{run: r, name: name} }

// EarlierWorkerLog returns the log of a worker that an earlier run has started, and that may still run, from its end; nil where there is
// none.
func (r *Run) EarlierWorkerLog(name string) *WorkerLog {
	for _, run := range slices.Backward(r.journal.Runs()) {
		if info, err := os.Stat(r.journal.path(run, name+workerEvents)); err == nil && run != r.Name {
			return &WorkerLog{run: &Run{Name: run, journal: r.journal}, name: name, read: info.Size()}
		}
	}
	return nil
}

// Events returns the events that were added since the last call. A line that is not whole yet is left for the next one.
func (l *WorkerLog) Events() []jsonl.Object {
	f, err := os.Open(l.run.journal.path(l.run.Name, l.name+workerEvents))
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= l.read {
		return nil
	}
	data := make([]byte, info.Size()-l.read)
	n, _ := f.ReadAt(data, l.read) //nolint:errcheck // what was read counts
	whole := strings.LastIndexByte(string(data[:n]), '\n') + 1
	l.read += int64(whole)
	var events []jsonl.Object
	for line := range jsonl.Lines(string(data[:whole])) {
		if object, err := jsonl.ParseObject(line.Text); err == nil {
			events = append(events, object)
		}
	}
	return events
}

// LastMessage returns the last line of a worker's messages that is not empty.
func (l *WorkerLog) LastMessage() string {
	data, _ := os.ReadFile(l.run.journal.path(l.run.Name, l.name+workerMessages)) //nolint:errcheck // then it printed nothing
	last := ""
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			last = line
		}
	}
	return last
}

// WriteReport writes the report of the run for people, and returns its path.
func (r *Run) WriteReport(text string) (string, error) {
	const name = "report.md"
	return r.journal.path(r.Name, name), safefile.Write(r.journal.path(r.Name, ""), name, []byte(text), private)
}

// CheckRoom returns the error of writing a little beside the journal of the run, as where the disk is full: then nobody can work.
func (r *Run) CheckRoom() error {
	path := r.journal.path(r.Name, "room.tmp")
	err := os.WriteFile(path, make([]byte, room), private)
	os.Remove(path) //nolint:errcheck // there may be none
	if of, is := errors.AsType[*fs.PathError](err); is {
		err = of.Err
	}
	if err != nil {
		return fmt.Errorf("cannot write in %s: %w", filepath.Dir(path), err)
	}
	return nil
}

// room is how much an event or a small file needs, in bytes.
const room = 4 << 10
