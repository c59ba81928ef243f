package agentsession

import (
	"context"
	"errors"
	"os"
	"strings"
)

// The kinds of files of a workplan loop: its text, and that it is to end.
const (
	loopKind = "loop"
	stopKind = "stop"
)

// Loop returns the text that was kept for the loop of a session, and whether there is one: a power cut may have left it empty.
func (d Directory) Loop(session string) (text string, found bool, err error) {
	return d.read(session, loopKind)
}

// KeepLoop keeps the text of a session's loop. Whoever read it before holds the lock since then.
func (d Directory) KeepLoop(session, text string) error { return d.write(session, loopKind, text) }

// StartLoop keeps the text of a session's new loop, which nobody has stopped.
func (d Directory) StartLoop(ctx context.Context, session, text string) error {
	held, err := d.Lock(ctx)
	if err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // it ends with the process at the latest
	if err := d.remove(session, stopKind); err != nil {
		return err
	}
	return d.KeepLoop(session, text)
}

// StopLoop notes that the loop of a session is to end at its next stop. It has a file of its own: a hook may be about to keep the loop.
func (d Directory) StopLoop(session string) error { return d.write(session, stopKind, "stop\n") }

// IsStopped reports whether StopLoop was called for the loop of a session.
func (d Directory) IsStopped(session string) bool {
	_, found, _ := d.read(session, stopKind) //nolint:errcheck // whatever is there says so
	return found
}

// EndLoop deletes the loop of a session.
func (d Directory) EndLoop(session string) error {
	return errors.Join(d.remove(session, loopKind), d.remove(session, stopKind))
}

// Loops returns the texts of all loops of the repository.
func (d Directory) Loops() (texts []string) {
	entries, _ := os.ReadDir(d.path)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "."+loopKind) {
			continue
		}
		if text, found, err := d.readFile(e.Name()); found && err == nil {
			texts = append(texts, text)
		}
	}
	return texts
}
