package agent

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// settings are a configuration for tests.
type settings map[string]string

func (s settings) Get(key string) (string, bool) {
	value, found := s[key]
	return value, found
}

// TestChoose guards: an agent is chosen by name, then by ralph.agent; a command of one's own is plain text; built-in ones
// can be changed by configuration.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name   string
		config settings
		want   Profile
	}{
		{"", nil, Profile{Name: "claude", Command: []string{"claude", "-p", "--output-format", "stream-json", "--verbose"}, Format: Claude, Window: 200_000}},
		{"", settings{"ralph.agent": "opencode"}, Profile{Name: "opencode", Command: []string{"opencode", "run", "--format", "json"}, Format: OpenCode, Window: 200_000}},
		{"my agent 'with words' {prompt_file}", settings{"ralph.agent": "codex"}, Profile{Name: "my", Command: []string{"my", "agent", "with words", "{prompt_file}"}, Format: Plain, Window: 0}},
		{"codex", settings{"ralph.agent.codex.args": "--model x"}, Profile{Name: "codex", Command: []string{"codex", "exec", "--json", "--model", "x", "-"}, Format: Codex, Window: 272_000}},
		{
			"mine",
			settings{"ralph.agent.mine.command": "run me", "ralph.agent.mine.format": "claude", "ralph.agent.mine.window": "1000"},
			Profile{Name: "mine", Command: []string{"run", "me"}, Format: Claude, Window: 1000},
		},
	} {
		got, err := Choose(c.name, c.config, Directories{})
		if err != nil {
			t.Errorf("%q: %v", c.name, err)
		}
		got.UntrustedArgs = nil // see TestUntrusted
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.name, diff)
		}
	}
}

func TestChooseRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		config settings
		want   error
	}{
		{"'open", nil, ErrUnknown},
		{" ", nil, ErrUnknown},
		{"claude", settings{"ralph.agent.claude.window": "many"}, ErrSetting},
		{"claude", settings{"ralph.agent.claude.format": "xml"}, ErrSetting},
		{"claude", settings{"ralph.agent.claude.command": ""}, ErrSetting},
		{"claude", settings{"ralph.agent.claude.args": `"`}, ErrSetting},
	} {
		if _, err := Choose(c.name, c.config, Directories{}); !errors.Is(err, c.want) {
			t.Errorf("%q: %v", c.name, err)
		}
	}
}
