package runcmd

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
)

// Who looks at an iteration as it begins waits for its log, and not for one that never comes.
func TestLogThatIsNotThereYet(t *testing.T) {
	j := journal.Of(t.TempDir())
	run, err := j.Begin(j.RunName(time.Unix(0, 0), func(int) int { return 0 }), "test", 1)
	if err != nil {
		t.Fatal(err)
	}
	event := func(text string) {
		object, err := jsonl.ParseObject(text)
		if err != nil {
			t.Fatal(err)
		}
		run.WriteEvent(object)
	}
	show := func() (string, error) {
		var out bytes.Buffer
		err := logsOptions{run: run.Name}.showRun(context.Background(), &term.Env{Out: &out}, j)
		return out.String(), err
	}
	event(`{"t": "iteration", "iteration": 1, "stage": "BUILD", "format": "plain"}`)
	time.AfterFunc(2*pollTime, func() {
		if log, err := run.OpenLog(1); err == nil {
			log.Write([]byte("said"))
			log.Close()
		}
	})
	if text, err := show(); err != nil || !strings.HasPrefix(text, "iteration 1: BUILD") {
		t.Errorf("%q, %v", text, err)
	}
	event(`{"t": "iteration", "iteration": 2, "stage": "BUILD", "format": "plain"}`)
	event(`{"t": "end"}`)
	run.Close()
	if _, err := show(); !errors.Is(err, errNoLog) {
		t.Errorf("%v, want that there is no log", err)
	}
}

// A raw log comes as it is to a file or a program; a terminal is never steered by what an agent printed.
func TestRawLogDoesNotSteerTheTerminal(t *testing.T) {
	const log = "\x1b]0;title\x07 text\n\nend\n"
	for terminal, want := range map[bool]string{false: log, true: `\x1b]0;title\x07 text` + "\n\nend\n"} {
		var out bytes.Buffer
		if err := copyRaw(&term.Env{Out: &out, Terminal: terminal}, strings.NewReader(log)); err != nil || out.String() != want {
			t.Errorf("terminal %v: %q, %v", terminal, &out, err)
		}
	}
}
