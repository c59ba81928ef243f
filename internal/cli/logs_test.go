package cli

import (
	"bytes"
	"strings"
	"testing"
)

// A raw log comes as it is to a file or a program; a terminal is never steered by what an agent printed.
func TestRawLogDoesNotSteerTheTerminal(t *testing.T) {
	const log = "\x1b]0;title\x07 text\n\nend\n"
	for terminal, want := range map[bool]string{false: log, true: `\x1b]0;title\x07 text` + "\n\nend\n"} {
		var out bytes.Buffer
		if err := copyRaw(&Env{Out: &out, Terminal: terminal}, strings.NewReader(log)); err != nil || out.String() != want {
			t.Errorf("terminal %v: %q, %v", terminal, &out, err)
		}
	}
}
