package agentsession

import (
	"context"
	"strings"
)

// gateKind is the kind of file that says when role gates blocked a session: a line for each agent in it, with a mark.
const gateKind = "gate"

// Repeated reports whether a role gate has already blocked an agent of the session in the state that mark stands for, and keeps the
// mark. A gate blocks once: after that the agent may stop, unless it has claimed or committed something meanwhile. A session
// without an id, and one whose mark cannot be kept, counts as blocked before, since nothing would ever end its blocks.
func (d Directory) Repeated(ctx context.Context, session, agent, mark string) bool {
	if session == "" {
		return true
	}
	held, err := d.Lock(ctx)
	if err != nil {
		return true
	}
	defer held.Release() //nolint:errcheck // it ends with the process at the latest
	was, _, err := d.read(session, gateKind)
	if err != nil {
		return true
	}
	own, now := agent+"\t", ""
	for line := range strings.Lines(was) {
		if line == own+mark+"\n" {
			return true
		}
		if !strings.HasPrefix(line, own) {
			now += line
		}
	}
	return d.write(session, gateKind, now+own+mark+"\n") != nil
}

// EndSession deletes what was kept for the gates of a session.
func (d Directory) EndSession(session string) { d.remove(session, gateKind) } //nolint:errcheck // it is only clutter
