package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/pty"
)

// A terminal is a pseudo-terminal with a program on it.
type terminal struct {
	t      *testing.T
	ours   *os.File
	cmd    *exec.Cmd
	before unix.Termios

	mu     sync.Mutex
	output bytes.Buffer
}

// startBoard starts `git ralph board` on a terminal that is opened for it.
func startBoard(t *testing.T, r *gittest.Repo) *terminal {
	t.Helper()
	return startOnTerminal(t, r, "git-ralph", "board")
}

// startOnTerminal starts a command on a terminal of 100 columns and 30 lines.
func startOnTerminal(t *testing.T, r *gittest.Repo, command ...string) *terminal {
	t.Helper()
	ours, theirs, err := pty.Open(100, 30)
	if err != nil {
		t.Skipf("there are no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	defer theirs.Close()
	b := &terminal{t: t, ours: ours, cmd: exec.Command(command[0], command[1:]...), before: termios(t, ours)}
	b.cmd.Dir, b.cmd.Env = r.Dir, append(r.Env, "TERM=xterm-256color", "NO_COLOR=", "COLORTERM=")
	b.cmd.Stdin, b.cmd.Stdout, b.cmd.Stderr = theirs, theirs, theirs
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		data := make([]byte, 32<<10)
		for {
			n, err := ours.Read(data)
			b.mu.Lock()
			b.output.Write(data[:n])
			b.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return b
}

func termios(t *testing.T, f *os.File) unix.Termios {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *state
}

func (b *terminal) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.output.String()
}

// waits until the board has written all of the texts.
func (b *terminal) waits(texts ...string) {
	b.t.Helper()
	gittest.Await(b.t, strings.Join(texts, ", "), func() bool {
		output := b.text()
		for _, text := range texts {
			if !strings.Contains(output, text) {
				return false
			}
		}
		return true
	})
}

func (b *terminal) press(keys string) { b.ours.WriteString(keys) }

// ends waits for the end, and checks that the terminal is as it was, and that nothing but our own sequences was sent to it.
func (b *terminal) ends(code int) {
	b.t.Helper()
	done := make(chan error, 1)
	go func() { done <- b.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		b.cmd.Process.Kill() //nolint:errcheck // it hangs
		b.t.Fatalf("the board does not end:\n%q", b.text())
	}
	if got := b.cmd.ProcessState.ExitCode(); got != code {
		b.t.Errorf("the exit code is %d, want %d:\n%q", got, code, b.text())
	}
	b.waits("\x1b[?1049l") // what was written last is read last
	if got := termios(b.t, b.ours); got != b.before {
		b.t.Errorf("the terminal's settings are %v, and were %v", got, b.before)
	}
	output := b.text()
	for _, mode := range []string{"1049", "2004", "1002", "1006"} {
		if on, off := strings.LastIndex(output, "\x1b[?"+mode+"h"), strings.LastIndex(output, "\x1b[?"+mode+"l"); on > off {
			b.t.Errorf("mode %s is left on", mode)
		}
	}
	if strings.LastIndex(output, "\x1b[?25l") > strings.LastIndex(output, "\x1b[?25h") {
		b.t.Error("the cursor is left hidden")
	}
	if all := regexp.MustCompile(`\x1b\[([0-6]) q`).FindAllStringSubmatch(output, -1); all != nil && all[len(all)-1][1] != "0" {
		b.t.Errorf("the shape of the cursor is left as %s", all[len(all)-1][1])
	}
	b.checkSequences(output)
}

// ownSequences are what the board may send: styles, cursor, erasing, scrolling, its modes, and questions to the terminal.
var ownSequences = regexp.MustCompile(`^\x1b(\[[0-9;:]*[mABCDGHJKPXLM@STdrbIZfgE]|\[\?(1049|2004|1002|1003|1006|25|2026|2027|7|1004)[hl]|\[\?(2026|2027)\$p|\[[>=<]?[0-9;]*u|\[\?u|\[>4;?[0-9]*m|\]11;\?(\x07|\x1b\\)|\[\?5W|\[[0-6] q|[78M=>])`)

// checkSequences reads the output as a terminal does.
func (b *terminal) checkSequences(output string) {
	b.t.Helper()
	for i := 0; i < len(output); i++ {
		switch c := output[i]; {
		case c == 0x1b:
			own := ownSequences.FindString(output[i:])
			if own == "" {
				b.t.Fatalf("the terminal is sent %q", output[i:min(i+40, len(output))])
			}
			i += len(own) - 1
		case c < ' ' && !strings.ContainsRune("\r\n\b\t", rune(c)), c == 0x7f:
			b.t.Fatalf("the terminal is sent %q", output[max(i-20, 0):min(i+20, len(output))])
		case c == 0xc2 && i+1 < len(output) && output[i+1] < 0xa0: // C1
			b.t.Fatalf("the terminal is sent %q", output[max(i-20, 0):min(i+20, len(output))])
		}
	}
	for _, mark := range []string{"\u202e", "\u2066", "\u2028"} {
		if strings.Contains(output, mark) {
			b.t.Errorf("the terminal is sent the mark %q", mark)
		}
	}
}

// hostilePlan is a plan that would take a terminal over.
const hostilePlan = `{"t": "spec", "spec": "a.md\u001b]0;TITLE\u0007"}
{"t": "task", "id": "t-1a2b", "spec": "a.md", "name": "First \u001b[2J\u001b]52;c;aGk=\u0007\u009b31m\u202eend", "s": "p", "notes": "\u001bP+q544e\u001b\\\u2028", "priority": "high"}
{"t": "task", "id": "t-2c3d", "spec": "a.md", "name": "Second", "s": "p", "labels": ["\u001b_Gf=100;AAAA\u001b\\"]}
`

func boardRepo(t *testing.T) *gittest.Repo {
	r := gittest.NewRepo(t)
	r.Commit("plan", map[string]string{"ralph/plan.jsonl": hostilePlan})
	r.Git("config", "ralph.warnInstall", "false")
	return r
}

// TestBoardOnTerminal: the board on a real terminal, with a plan that would take it over: it shows what others do at once, does what keys
// say, and leaves the terminal as it was.
func TestBoardOnTerminal(t *testing.T) {
	r := boardRepo(t)
	b := startBoard(t, r)
	b.waits("First \\x1b[2J", "t-2c3d", "History")
	if out, err := r.Run("git-ralph", "task", "add", "From elsewhere"); err != nil {
		t.Fatal(out, err)
	}
	b.waits("From elsewhere")
	b.press("j")
	b.waits("AAAA")
	b.press("d")
	gittest.Await(t, "the commit of the key", func() bool {
		return strings.HasPrefix(r.Git("log", "-1", "--format=%s"), "ralph: done t-2c3d")
	})
	b.press("q")
	b.ends(0)
}

// TestBoardEnds: the terminal is as it was after a signal, and after Ctrl-C.
func TestBoardEnds(t *testing.T) {
	r := boardRepo(t)
	for _, s := range []struct {
		name string
		end  func(b *terminal)
		code int
	}{
		{"SIGTERM", func(b *terminal) { b.cmd.Process.Signal(syscall.SIGTERM) }, 128 + int(syscall.SIGTERM)},
		{"Ctrl-C", func(b *terminal) { b.press("\x03") }, 0},
		{"SIGTERM in a prompt", func(b *terminal) { b.press("a"); b.waits("New task"); b.cmd.Process.Signal(syscall.SIGTERM) }, 128 + int(syscall.SIGTERM)},
	} {
		b := startBoard(t, r)
		b.waits("t-2c3d")
		s.end(b)
		t.Log(s.name)
		b.ends(s.code)
	}
}

// TestSuspend: Ctrl-Z gives the terminal back to the shell as it was, and fg brings the board back. Where the terminal was opened for the
// board there is no shell, and it goes on.
func TestSuspend(t *testing.T) {
	r := boardRepo(t)
	b := startOnTerminal(t, r, "sh", "-m", "-c", `git-ralph board; echo "now $(stty -a | grep -o -- '-\?icanon')"; fg; echo over`)
	b.waits("t-2c3d", "History")
	b.press("\x1a")
	b.waits("\x1b[?1049l", "now icanon")
	b.press("j")
	b.waits("AAAA") // the board again, with the key
	b.press("q")
	b.waits("over")
	b.ends(0)

	b = startBoard(t, r)
	b.waits("t-2c3d", "History")
	b.press("\x1a")
	b.waits("there is no shell")
	b.press("j")
	b.waits("AAAA")
	b.press("q")
	b.ends(0)
}
