package board

import (
	"context"
	"io"
	"slices"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/term"
)

// openEditor edits a record, as `git ralph task edit` does on a terminal, which the command is given meanwhile.
func (m *model) openEditor(a action) tea.Cmd {
	e := m.edit(slices.Concat([]string{string(a.what.Record), "edit"}, a.values.Allowed, []string{"--", a.values.ID}))
	return tea.Exec(e, func(error) tea.Msg { return doneMsg{a, e.outcome} })
}

// An editing is a command that runs on the terminal, in the place of the board.
type editing struct {
	ctx     context.Context
	env     term.Env
	words   []string
	outcome inprocess.Outcome
}

// Run runs the command. Its messages are kept for the board, since its screen hides them.
func (e *editing) Run() error {
	e.outcome.Messages = map[string][]string{}
	e.env.Message = func(sort, text string) { e.outcome.Messages[sort] = append(e.outcome.Messages[sort], text) }
	e.outcome.Exit = cli.Main(e.ctx, append([]string{"git-ralph"}, e.words...), &e.env)
	return nil
}

// The terminal is the one that the board was started on.
func (e *editing) SetStdin(io.Reader)  {}
func (e *editing) SetStdout(io.Writer) {}
func (e *editing) SetStderr(io.Writer) {}
