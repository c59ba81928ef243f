//go:build linux

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// A terminal is a pseudo-terminal and what was read from it.
type terminal struct {
	t      *testing.T
	master *os.File
	shown  strings.Builder
}

// onTerminal starts a command whose terminal is a new one, with input, output and error on it, and Ctrl-C for it.
func (b *build) onTerminal(t *testing.T) *terminal {
	t.Helper()
	master, slave := openTerminal(t, 80)
	t.Cleanup(func() { master.Close() })
	defer slave.Close()
	b.Stdin, b.Stdout, b.Stderr = slave, slave, slave
	b.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Process.Kill() })
	return &terminal{t: t, master: master}
}

// await reads until the text is shown, or to the end where it is "".
func (term *terminal) await(text string) {
	term.t.Helper()
	buffer := make([]byte, 4096)
	for text == "" || !strings.Contains(term.shown.String(), text) {
		n, err := term.master.Read(buffer)
		term.shown.Write(buffer[:n])
		if err != nil { // nobody has the terminal open any more
			if text != "" {
				term.t.Fatalf("%q was never shown:\n%s", text, &term.shown)
			}
			return
		}
	}
}

// TestBuildAsksAboutChangedFiles guards: on a terminal the question about files that the user has changed names them. After Yes the
// run begins, and they are never committed, even where the agent names them; No, the end of input and Ctrl-C start nothing and
// change nothing.
func TestBuildAsksAboutChangedFiles(t *testing.T) {
	t.Parallel()
	const scenario = "BUILD\n  run echo 3 >mine; echo 2 >code\n  report {\"verdict\": \"done\", \"files\": [\"mine\", \"staged\", \"code\"]}\n"
	for name, answer := range map[string]struct {
		typed string
		code  int
	}{
		"yes": {"Yes\n", 0}, "no": {"No\n", 1}, "enter": {"\n", 1}, "end of input": {"\x04", 1}, "ctrl-c": {"\x03", 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, scenario, "one")
			for _, file := range []string{"code", "mine", "staged"} {
				w.WriteFile(file, "1\n")
			}
			w.Git("add", ".")
			w.Git("commit", "-q", "-m", "files")
			w.WriteFile("mine", "2\n")
			w.WriteFile("staged", "2\n")
			w.Git("add", "staged")
			head, before := w.Git("rev-parse", "HEAD"), w.Git("status", "--porcelain")

			b := &build{Cmd: w.command("build", "--once")}
			term := b.onTerminal(t)
			term.await("Begin, and never commit these files? [y/N] ")
			if _, err := term.master.WriteString(answer.typed); err != nil {
				t.Fatal(err)
			}
			term.await("")
			code := b.code()
			if status, ok := b.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
				code = 128 + int(status.Signal()) // as shells say it
			}
			if code != answer.code {
				t.Errorf("exit code %d, want %d\n%s", code, answer.code, &term.shown)
			}
			if shown := term.shown.String(); !strings.Contains(shown, "These files have uncommitted changes that no run left: mine, staged\r\n") {
				t.Errorf("asks:\n%s", shown)
			}
			if answer.code != 0 {
				if w.Git("rev-parse", "HEAD") != head || w.Git("status", "--porcelain") != before || w.ReadFile("mine") != "2\n" {
					t.Errorf("something changed\n%s", &term.shown)
				}
				return
			}
			if files := w.Git("diff", "--name-only", head, "HEAD"); files != "code\nralph/plan.jsonl" {
				t.Errorf("committed %q\n%s", files, &term.shown)
			}
			if status := w.Git("status", "--porcelain"); status != before {
				t.Errorf("the user's files are %q, were %q", status, before)
			}
			if w.ReadFile("mine") != "3\n" || w.ReadFile("staged") != "2\n" {
				t.Error("the user's files were changed")
			}
		})
	}
}
