package agentsession

import (
	"os"
	"strings"
)

// loopKind is the kind of file that holds the workplan loop of a session.
const loopKind = "loop"

// Loop returns the text that was kept for the loop of a session, and whether there is one: a power cut may have left it empty.
func (d Directory) Loop(session string) (text string, found bool, err error) {
	return d.read(session, loopKind)
}

// KeepLoop keeps the text of a session's loop.
func (d Directory) KeepLoop(session, text string) error { return d.write(session, loopKind, text) }

// EndLoop deletes the loop of a session.
func (d Directory) EndLoop(session string) error { return d.remove(session, loopKind) }

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
