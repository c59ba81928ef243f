package agent

import (
	"errors"
	"slices"
	"testing"
)

// docs/loop.md, "Trust": an agent that cannot ignore what a repository has for it is refused: one whose command was
// replaced, too, since it may be another program. A setting says how one's own agent does it.
func TestUntrusted(t *testing.T) {
	for _, c := range []struct {
		name   string
		config settings
		want   []string // the last arguments; nil where it is refused
	}{
		{"claude", settings{"ralph.agent.claude.args": "--model x"}, []string{"--model", "x", "--setting-sources", "user", "--strict-mcp-config"}},
		{"claude", settings{"ralph.agent.claude.command": "wrapper"}, nil},
		{"codex", nil, []string{"-c", `projects={"/a \"b\""={trust_level="untrusted"},"/c"={trust_level="untrusted"}}`, "-"}},
		{"gemini", nil, nil},
		{"opencode", nil, nil},
		{"my agent", nil, nil},
		{"mine", settings{"ralph.agent.mine.command": "run -", "ralph.agent.mine.untrustedArgs": "--bare"}, []string{"run", "--bare", "-"}},
	} {
		profile, err := Choose(c.name, c.config, Directories{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := profile.Untrusted([]string{`/a "b"`, "/c"})
		if c.want == nil {
			if !errors.Is(err, ErrNoUntrustedArgs) {
				t.Errorf("%s: %v, %v", c.name, got.Command, err)
			}
			continue
		}
		if n := len(got.Command) - len(c.want); err != nil || n < 0 || !slices.Equal(got.Command[n:], c.want) {
			t.Errorf("%s: %v, %v", c.name, got.Command, err)
		}
	}
}
