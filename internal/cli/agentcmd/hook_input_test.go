package agentcmd

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// TestHookReadsOneValue guards: a hook reads one JSON value, after a byte-order mark if there is one, and waits for nothing behind it. What
// is no value lets the agent continue.
func TestHookReadsOneValue(t *testing.T) {
	r := gittest.NewRepo(t)
	answer := func(in io.Reader) string {
		h := &hook{agent: "claude", name: "TaskCompleted", env: &term.Env{Dir: r.Dir, Environ: r.Env, In: in, Err: io.Discard, Now: time.Now}}
		return h.answer(t.Context())
	}
	open, keep := io.Pipe() // a test that waits for its end does not end
	defer keep.Close()
	go io.WriteString(keep, `{"teammate_name": "ann", "task_subject": "x"}`) //nolint:errcheck // the test sees what was read
	if got := answer(open); !strings.Contains(got, "ann") {
		t.Errorf("while it is open: %q", got)
	}
	for input, want := range map[string]bool{
		"\ufeff{\"teammate_name\": \"ann\"}": true, " \r\n{\"teammate_name\": \"ann\"}\n": true, `{"teammate_name": "ann"} more`: true,
		"": false, "\ufeff": false, "\xef\xbb": false, `{"teammate_name": "ann"`: false, "[]": false, "null": false,
	} {
		if got := answer(strings.NewReader(input)); strings.Contains(got, "ann") != want || !want && got != "" {
			t.Errorf("%q: %q", input, got)
		}
	}
	if got := answer(io.MultiReader(strings.NewReader(`{"a": `), brokenReader{})); got != "" {
		t.Errorf("an input that cannot be read: %q", got)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("broken") }
