package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"git-ralph/internal/jsonl"
)

// WriteEvent adds an event. One that cannot be written is missing from the journal only: the work is in git.
func (r *Run) WriteEvent(event jsonl.Object) {
	r.file.WriteString(event.Text() + "\n") //nolint:errcheck // see above
}

// WriteLive records the progress of the agent.
func (r *Run) WriteLive(live jsonl.Object) { r.journal.live(r.Name).write(live) }

// Events returns what happened in a run. An incomplete last line, as a crash leaves it, is left out.
func (j Journal) Events(run string) ([]jsonl.Object, error) {
	data, err := os.ReadFile(j.path(run, eventLog))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNoRun, run)
	}
	if err != nil {
		return nil, err
	}
	var events []jsonl.Object
	for line := range jsonl.Lines(string(data)) {
		if object, err := jsonl.ParseObject(line.Text); err == nil {
			events = append(events, object)
		}
	}
	return events, nil
}
