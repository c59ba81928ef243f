//go:build unix

package proc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/proc"
)

func TestRunCapturesOutput(t *testing.T) {
	res, err := proc.Run(context.Background(), proc.Cmd{
		Name: "sh", Args: []string{"-c", "cat; echo $WORD; echo aside >&2"}, Stdin: []byte("in "), Env: []string{"WORD=data"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(res.Stdout); got != "in data\n" {
		t.Errorf("stdout %q", got)
	}
	if got := string(res.Stderr); got != "aside\n" {
		t.Errorf("stderr %q", got)
	}
}

// A failure is reported in the program's own words, with its status.
func TestRunReportsFailure(t *testing.T) {
	_, err := proc.Run(context.Background(), proc.Cmd{Name: "sh", Args: []string{"-c", "echo no such thing >&2; exit 7"}})
	var pe *proc.Error
	if !errors.As(err, &pe) || pe.Code != 7 || proc.ExitCode(err) != 7 {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), "no such thing") {
		t.Errorf("error %q hides the program's words", err)
	}
	if _, err := proc.Run(context.Background(), proc.Cmd{Name: "no-such-program-here"}); !errors.As(err, &pe) || pe.Code != -1 {
		t.Errorf("missing program: %v", err)
	}
}

// The end of the context ends the program and its children, and its own cleaning up is allowed to happen.
func TestRunEndsWholeGroup(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	started, cleaned := filepath.Join(dir, "started"), filepath.Join(dir, "cleaned")
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := proc.Run(ctx, proc.Cmd{
		Name: "sh", Group: true, Dir: dir,
		Args: []string{"-c", `trap 'touch cleaned; exit 1' TERM; sleep 1000 & touch started; wait`},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(cleaned); err != nil {
		t.Errorf("no chance to clean up: %v", err)
	}
}

func TestConversation(t *testing.T) {
	c, err := proc.Start(context.Background(), proc.Cmd{
		Name: "sh", Args: []string{"-c", `while read w; do echo "<$w>"; done; echo gone >&2; exit 3`},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"one", "two"} {
		if _, err := c.Write([]byte(w + "\n")); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Out.ReadString('\n'); err != nil || got != "<"+w+">\n" {
			t.Fatalf("reply %q, %v", got, err)
		}
	}
	err = c.Close()
	if proc.ExitCode(err) != 3 || !strings.Contains(err.Error(), "gone") {
		t.Errorf("close: %v", err)
	}
	if again := c.Close(); again != err {
		t.Errorf("second close: %v", again)
	}
}

// A program that is fed more than pipes hold answers all of it, and can be left at any time.
func TestFeed(t *testing.T) {
	text := strings.Repeat("line\n", 1<<18)
	for _, lines := range []int{0, 1, 1 << 18} {
		c, err := proc.Start(context.Background(), proc.Cmd{Name: "cat"})
		if err != nil {
			t.Fatal(err)
		}
		c.Feed(strings.NewReader(text))
		for range lines {
			if got, err := c.Out.ReadString('\n'); err != nil || got != "line\n" {
				t.Fatalf("reply %q, %v", got, err)
			}
		}
		if err := c.Close(); err != nil {
			t.Errorf("close after %d lines: %v", lines, err)
		}
	}
	c, err := proc.Start(context.Background(), proc.Cmd{Name: "sh", Args: []string{"-c", "exit 3"}})
	if err != nil {
		t.Fatal(err)
	}
	c.Feed(strings.NewReader(text))
	if err := c.Close(); proc.ExitCode(err) != 3 {
		t.Errorf("close: %v", err)
	}
}

// A program is found on the PATH that it will itself be given.
func TestLookPathUsesGivenPath(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\necho mine\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	res, err := proc.Run(context.Background(), proc.Cmd{Name: "tool", Env: []string{"PATH=/nonexistent:" + dir}})
	if err != nil || string(res.Stdout) != "mine\n" {
		t.Errorf("got %q, %v", res.Stdout, err)
	}
	if _, err := proc.LookPath("tool", []string{"PATH=/nonexistent"}); err == nil {
		t.Error("found a program that is not on PATH")
	}
}
