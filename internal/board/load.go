package board

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/plan"
	"git-ralph/internal/view"
	"git-ralph/internal/watch"
)

// A changedMsg says that something has changed outside.
type changedMsg watch.Change

// await returns the next change.
func (m *model) await() tea.Msg {
	select {
	case c, open := <-m.changes:
		if open {
			return changedMsg(c)
		}
	case <-m.ctx.Done():
	}
	return nil
}

// changed reads what has changed.
func (m *model) changed(c changedMsg) tea.Cmd {
	if c.Plan || c.References || m.loading {
		return tea.Batch(m.await, m.reload())
	}
	m.loading = true
	ctx, read, data, cards := m.ctx, m.read, m.data, m.present
	return tea.Batch(m.await, func() tea.Msg {
		with, err := read.WithRuns(ctx, data)
		if err != nil {
			return readMsg{rest: true, err: err}
		}
		return readMsg{data: with, cards: cards, rest: true}
	})
}

// A readMsg is what was read of the worktree.
type readMsg struct {
	data    *view.Data
	cards   view.Board
	moments []moment // of the history; nil where it is as it was
	rest    bool     // all was read, and not only plan and claims
	err     error
	noPlan  bool // the error is why the plan cannot be read
}

// reload reads the worktree again. What changes meanwhile is read afterwards.
func (m *model) reload() tea.Cmd {
	if m.loading {
		m.stale = true
		return nil
	}
	m.loading, m.stale = true, false
	ctx, read, before := m.ctx, m.read, m.data
	return func() tea.Msg {
		data, err := read.Read(ctx)
		if err != nil {
			return readMsg{err: err, noPlan: true, rest: true}
		}
		data = data.With(before) // what is read next is shown as it was until then
		return readMsg{data: data, cards: data.Board()}
	}
}

// readRest reads what a board can be shown without: runs, history, and what has landed.
func (m *model) readRest(data *view.Data) tea.Cmd {
	ctx, read := m.ctx, m.read
	return func() tea.Msg {
		for _, more := range [...]func(context.Context, *view.Data) (*view.Data, error){read.WithRuns, read.WithHistory, read.WithLanded} {
			with, err := more(ctx, data)
			if err != nil {
				return readMsg{data: data, cards: data.Board(), rest: true, err: err}
			}
			data = with
		}
		return readMsg{data: data, cards: data.Board(), moments: momentsOf(data.History), rest: true}
	}
}

// wasRead shows what was read.
func (m *model) wasRead(msg readMsg) tea.Cmd {
	var cmds []tea.Cmd
	if msg.rest {
		m.loading = false
	}
	if msg.noPlan || !msg.rest {
		m.unread = msg.err
	}
	switch {
	case msg.noPlan:
		m.note = note{text: "cannot read the plan: " + msg.err.Error(), bad: true}
	case msg.err != nil:
		m.note = note{text: "not all could be read: " + msg.err.Error(), bad: true}
	}
	if msg.moments != nil {
		m.past.set(msg.moments)
		if d := m.past.data; m.inPast() && d != nil && d.Commit != m.past.moment().commit {
			cmds = append(cmds, m.readPast()) // that commit is no longer part of the history
		}
	}
	if msg.data != nil {
		m.data, m.present = msg.data, msg.cards
		if !m.inPast() {
			cmds = append(cmds, m.show(msg.cards))
		}
	}
	switch {
	case !msg.rest:
		cmds = append(cmds, m.readRest(msg.data))
	case m.stale:
		cmds = append(cmds, m.reload())
	}
	return tea.Batch(cmds...)
}

// A taskMsg is all about one task.
type taskMsg struct {
	id   string
	of   *view.Data
	task *view.Task
}

// readTask reads all about the task that is selected, where it was not read yet. Meanwhile the user may go on: the task that is selected
// then is read next, and those in between are not.
func (m *model) readTask() tea.Cmd {
	id, of := idOf(m.card()), m.shown()
	if id == "" || m.task.busy || m.task.id == id && m.task.of == of {
		return nil
	}
	m.task.busy = true
	ctx, read := m.ctx, m.read
	return func() tea.Msg {
		t, ok := of.Task(id)
		if !ok {
			return taskMsg{id: id, of: of}
		}
		for _, e := range t.Events {
			if e.Evidence && e.Name == plan.EventAccepted {
				read.AddReceipts(ctx, &t) //nolint:errcheck // they are an addition: a task is shown without them
				break
			}
		}
		return taskMsg{id: id, of: of, task: &t}
	}
}

// taskWasRead shows a task, unless the user is elsewhere by now.
func (m *model) taskWasRead(msg taskMsg) tea.Cmd {
	m.task.busy = false
	if msg.id == idOf(m.card()) {
		if msg.id != m.task.id {
			m.task.top, m.links = 0, linksPane{}
		}
		m.task.id, m.task.of, m.task.task, m.task.lines = msg.id, msg.of, msg.task, nil
		m.links.set(msg.task)
	}
	return m.readTask()
}
