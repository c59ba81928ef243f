package config_test

import (
	"testing"

	"git-ralph/internal/git/config"
	"git-ralph/internal/test/gittest"
)

// TestWithSettings guards: git reads settings from an environment as they were, whatever their text. They are stronger than files and
// GIT_CONFIG_COUNT, and what was or is passed with `git -c` is stronger than they are.
func TestWithSettings(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "merge.ralph.name", "file")
	r = r.Setenv("GIT_CONFIG_COUNT", "2").Setenv("GIT_CONFIG_KEY_0", "merge.ralph.name").Setenv("GIT_CONFIG_VALUE_0", "count")
	r = r.Setenv("GIT_CONFIG_KEY_1", "a.count").Setenv("GIT_CONFIG_VALUE_1", "kept")
	r = r.Setenv("GIT_CONFIG_PARAMETERS", "'a.new'='it'\\''s =' 'a.old=it'\\''s ='")
	odd := "it's \"one\" = two! \\ $HOME `x`\n\tthree "
	want := map[string]string{
		"merge.ralph.name": "ours", "merge.ralph.driver": odd, "a.count": "kept", "a.new": "it's =", "a.old": "it's =", "a.again": "added",
	}
	r.Env = config.WithSettings(r.Env, config.Setting{Key: "merge.ralph.name", Value: "ours"}, config.Setting{Key: "a.new", Value: "weaker"})
	r.Env = config.WithSettings(r.Env, config.Setting{Key: "merge.ralph.driver", Value: odd}, config.Setting{Key: "a.again", Value: "added"})
	for key, value := range want {
		if got := r.Git("config", key); got != value {
			t.Errorf("%s is %q, want %q", key, got, value)
		}
	}
	if got := r.Git("-c", "merge.ralph.name=later", "config", "merge.ralph.name"); got != "later" {
		t.Errorf("with git -c it is %q", got)
	}
}
