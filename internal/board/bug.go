package board

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/safefile"
)

// A bug is a panic of the board: what went wrong, and the calls that led there.
type bug struct {
	what  any
	stack []byte
}

// bugIn returns what recover has returned; nil for nothing.
func bugIn(recovered any) *bug {
	if recovered == nil {
		return nil
	}
	return &bug{recovered, debug.Stack()}
}

// caught returns a command whose bug is a message: bubbletea would print it over the screen.
func caught(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if b := bugIn(recover()); b != nil {
				msg = b
			}
		}()
		msg = cmd()
		if batch, isBatch := msg.(tea.BatchMsg); isBatch {
			for i, one := range batch {
				batch[i] = caught(one)
			}
		}
		return msg
	}
}

// runProgram runs the board on its terminal, which is as it was when it returns, also after a bug.
func runProgram(m *model, options ...tea.ProgramOption) (found *bug, err error) {
	p := tea.NewProgram(m, append(options, tea.WithoutCatchPanics())...)
	defer func() {
		if b := bugIn(recover()); b != nil {
			p.Kill()
			found = b
		}
	}()
	_, err = p.Run()
	return m.bug, err
}

// bugFile is where a bug is written down, below the git directory.
const bugFile = "ralph/board-bug.txt"

// report writes a bug down, with what commands wrote of theirs, and returns the error that the user sees; nil where there is no bug.
func (b *bug) report(gitDir, version string, written []byte) error {
	text := fmt.Appendf(nil, "git ralph board, version %s\n\n", version)
	err := errors.New("a change failed because of a bug")
	switch {
	case b != nil:
		err = fmt.Errorf("the board has a bug, and had to end: %v", b.what)
		text = fmt.Appendf(text, "%v\n%s\n", b.what, b.stack)
	case len(written) == 0:
		return nil
	}
	if failed := safefile.Write(gitDir, bugFile, append(text, written...), 0o600); failed != nil {
		return err
	}
	return &cmdline.HintedError{Err: err, Hint: "please report it with what is in " + filepath.Join(gitDir, filepath.FromSlash(bugFile))}
}
