//go:build unix

package board

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"
)

// stopLimit is how long the system may take to stop the processes of the board. Nothing has stopped them then.
const stopLimit = time.Second

// suspend gives the terminal back to the shell that the board was started from, until that brings the board back (`fg`).
func (m *model) suspend() tea.Cmd {
	if session, err := unix.Getsid(0); err == nil && session == unix.Getpgrp() {
		// The system stops no process group that nobody could continue.
		m.note = note{text: "there is no shell to go back to: the terminal was opened for the board", bad: true}
		return nil
	}
	return tea.Exec(suspension{}, func(error) tea.Msg { return tea.ResumeMsg{} })
}

// A suspension is the time that the board is stopped. bubbletea's own would wait without end where nothing stops it.
type suspension struct{}

// Run stops the process group, as the terminal does with Ctrl-Z: git, which waits for the board, is a part of it.
func (suspension) Run() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-continued:
	case <-time.After(stopLimit):
	}
	return nil
}

func (suspension) SetStdin(io.Reader)  {}
func (suspension) SetStdout(io.Writer) {}
func (suspension) SetStderr(io.Writer) {}
