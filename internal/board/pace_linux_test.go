package board

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/pty"
)

// TestPace: a board at rest hardly ever looks for a frame, and a key wakes it: the version of bubbletea has the ticker for that.
func TestPace(t *testing.T) {
	u := open(t, smallRepo(t), 80, 24)
	ours, theirs, err := pty.Open(80, 24)
	if err != nil {
		t.Skipf("there are no pseudo-terminals: %v", err)
	}
	defer ours.Close()
	go func() {
		for data := make([]byte, 32<<10); ; {
			if _, err := ours.Read(data); err != nil {
				return
			}
		}
	}()
	drawn := make(chan bool, 1)
	u.m.keys["1"] = &binding{do: func(m *model) tea.Cmd {
		m.pace.mu.Lock()
		defer m.pace.mu.Unlock()
		drawn <- m.pace.busy
		return tea.Quit
	}}
	ended := make(chan error, 1)
	go func() {
		_, err := runProgram(u.m, tea.WithInput(theirs), tea.WithOutput(theirs), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignalHandler())
		theirs.Close()
		ended <- err
	}()
	gittest.Await(t, "rest", func() bool {
		p := u.m.pace
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.ticker != nil && !p.busy && time.Since(p.last) >= restAfter
	})
	if _, err := ours.WriteString("1"); err != nil {
		t.Fatal(err)
	}
	if !<-drawn {
		t.Error("a key does not wake the board")
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
