package hubgate

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/hub"
	"git-ralph/internal/hub/target"
	"git-ralph/internal/safefile"
	"git-ralph/internal/workplan"
)

// A Gate updates the State Hub together with the file. What it cannot send waits in the queue: work on the file goes on, with a
// warning.
type Gate struct{ env *term.Env }

// New returns the gate of a process.
func New(env *term.Env) Gate { return Gate{env} }

// TaskChanged queues and sends what the file says now. It is called after the commit: should this process be killed before, the next
// command queues it.
func (g Gate) TaskChanged(ctx context.Context, f *workplan.File, t workplan.Task) error {
	return g.update(ctx, f, func(_ target.Target, s *hub.State) {
		s.Reconcile(f, false)
		s.Unblock(f, t)
	})
}

// Send queues and sends what the file says and the hub was not sent.
func (g Gate) Send(ctx context.Context, f *workplan.File) error {
	return g.update(ctx, f, func(_ target.Target, s *hub.State) { s.Reconcile(f, false) })
}

// Closing queues and sends the sequence that closes a workplan. It is called before the commit.
func (g Gate) Closing(ctx context.Context, f *workplan.File, summary string) error {
	return g.update(ctx, f, func(t target.Target, s *hub.State) { s.Close(f, summary, g.topic(t)) })
}

// update changes the queue and sends it. Only the file's own change can fail.
func (g Gate) update(ctx context.Context, f *workplan.File, change func(target.Target, *hub.State)) error {
	if f.Workstream == "" {
		return nil
	}
	st, err := planio.Open(ctx, g.env)
	if errors.Is(err, git.ErrNotRepository) {
		return nil // there is no place for a queue, and no setting of a repository
	}
	if err != nil {
		return err
	}
	to, ok, err := target.Of(ctx, st.Repo())
	if !ok || err != nil {
		return err
	}
	if err := to.Change(func(s *hub.State) { change(to, s) }); err != nil {
		g.env.Warn("the change is not in the queue for the State Hub: " + err.Error())
		return nil
	}
	g.send(ctx, to)
	return nil
}

// topic returns the topic of milestones, and warns where there is none.
func (g Gate) topic(t target.Target) string {
	if t.Topic != "" {
		return t.Topic
	}
	text, _ := safefile.Read(filepath.Join(t.Root, "CLAUDE.md")) //nolint:errcheck // then it names none
	topic := hub.TopicIn(strings.ToValidUTF8(string(text), ""))
	if topic == "" {
		g.env.Warn("the milestone has no topic: neither ralph.hub.topic nor CLAUDE.md names one")
	}
	return topic
}
