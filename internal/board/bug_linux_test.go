package board

import (
	"context"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/test/pty"
)

// A brokenRunner runs nothing: it has a bug.
type brokenRunner struct{}

func (brokenRunner) Run(context.Context, inprocess.Line) inprocess.Outcome { panic("broken command") }

// A brokenBox cannot be drawn.
type brokenBox struct{ menu }

func (*brokenBox) box(*model, int) box { panic("broken frame") }

// TestBug: whatever part of the board has a bug, the terminal is as it was, and a message says where what is known of it was written.
func TestBug(t *testing.T) {
	r := smallRepo(t)
	for key, what := range map[string]string{"1": "broken key", "2": "broken command", "3": "broken frame"} {
		u := open(t, r, 80, 24)
		u.m.run = brokenRunner{}
		u.m.keys["1"] = &binding{do: func(*model) tea.Cmd { panic("broken key") }}
		u.m.keys["2"] = &binding{do: func(m *model) tea.Cmd { return tea.Batch(m.do(action{}), m.do(action{})) }}
		u.m.keys["3"] = &binding{do: func(m *model) tea.Cmd { m.over = &brokenBox{}; return nil }}
		ours, theirs, err := pty.Open(80, 24)
		if err != nil {
			t.Skipf("there are no pseudo-terminals: %v", err)
		}
		before := settings(t, theirs)
		written := make(chan string, 1)
		go func() {
			var text strings.Builder
			for data, pressed := make([]byte, 32<<10), false; ; {
				n, err := ours.Read(data)
				text.Write(data[:n])
				if !pressed && strings.Contains(text.String(), "keys") { // the last line of the frame
					ours.WriteString(key)
					pressed = true
				}
				if err != nil { // the program has closed its end
					written <- text.String()
					return
				}
			}
		}()
		found, err := runProgram(u.m, tea.WithInput(theirs), tea.WithOutput(theirs), tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignalHandler())
		if found == nil || found.what != what {
			t.Fatalf("%s: found %v, %v", what, found, err)
		}
		if got := settings(t, theirs); got != before {
			t.Errorf("%s: the terminal's settings are %v, and were %v", what, got, before)
		}
		theirs.Close()
		if text := <-written; strings.LastIndex(text, "\x1b[?1049h") > strings.LastIndex(text, "\x1b[?1049l") || !strings.Contains(text, "\x1b[?1006l") || strings.Contains(text, "goroutine") {
			t.Errorf("%s: the terminal was sent %q", what, text)
		}
		ours.Close()
		message := found.report(r.Path(".git"), "test", []byte("of a command"))
		if text := message.Error(); !strings.Contains(text, what) || strings.Contains(text, "goroutine") {
			t.Errorf("%s: the message is %q", what, text)
		}
		if text := r.ReadFile(".git/" + bugFile); !strings.Contains(text, what) || !strings.Contains(text, "bug_linux_test.go") || !strings.Contains(text, "of a command") {
			t.Errorf("%s: what is written down is %s", what, text)
		}
	}
}

func settings(t *testing.T, f *os.File) unix.Termios {
	t.Helper()
	got, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *got
}
