package config

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// TestCommandSettingsOracle guards: the settings that an environment passes on are read as git reads them, or are left to git.
func TestCommandSettingsOracle(t *testing.T) {
	r := gittest.NewRepo(t)
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	const rounds = 300
	for range rounds {
		settings := drawSettings(random)
		environ := append(slices.Clone(r.Env), settings...)
		got, ok := CommandSettings(environ)
		if ok {
			read++
		}
		want, err := listed(t, r, environ)
		if ok && (err != nil || !slices.Equal(got, want)) {
			t.Errorf("%q\ngot  %+v\nwant %+v, %v", settings, got, want, err)
		}
	}
	if read < rounds/3 {
		t.Errorf("%d of %d were read", read, rounds)
	}
}

// listed returns what git lists for the command line.
func listed(t *testing.T, r *gittest.Repo, environ []string) (entries []Entry, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "config", "--list", "-z", "--show-scope", "--includes")
	cmd.Dir, cmd.Env = r.Dir, environ
	out, err := cmd.Output()
	files := Files{Run: func(context.Context, ...string) ([]byte, error) { return out, err }}
	all, err := files.list(t.Context())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all.entries, func(e Entry) bool { return e.scope != "command" }), nil
}

// drawSettings draws the variables of an environment: mostly as git would write them, some with a byte changed.
func drawSettings(random *rand.Rand) (environ []string) {
	texts := []string{"a.b", "A.b.C", "ralph.plan", "url.x=y.insteadOf", "a.it's.b", "a.b-1", "nodot", "a.1b", ".b", "a.", "a.x\ny.b", " a.b ", "include.path"}
	values := []string{"", "x", "it's", "a=b", "!'!", "\\'", " two  words ", "line\nbreak", "'", "ä\t", "=", "\\!"}
	quote := func(s string) string { return "'" + strings.NewReplacer("'", `'\''`, "!", `'\!'`).Replace(s) + "'" }
	pick := func(from []string) string {
		if random.IntN(4) > 0 {
			return from[random.IntN(6)] // the first are plain
		}
		return from[random.IntN(len(from))]
	}
	var words []string
	for range random.IntN(4) {
		key, value := pick(texts), pick(values)
		words = append(words, []string{quote(key + "=" + value), quote(key) + "=" + quote(value), quote(key), quote(key) + "="}[random.IntN(4)])
	}
	passed := strings.Join(words, []string{" ", "  ", "\t", "\n"}[random.IntN(4)])
	if n := len(passed); n > 0 && random.IntN(4) == 0 {
		i := random.IntN(n)
		passed = passed[:i] + []string{"", "'", "\\", " ", "=", "!", "."}[random.IntN(7)] + passed[i+random.IntN(2):]
	}
	if random.IntN(4) > 0 {
		environ = append(environ, "GIT_CONFIG_PARAMETERS="+passed)
	}
	if n := random.IntN(4); n > 0 {
		environ = append(environ, "GIT_CONFIG_COUNT="+[]string{fmt.Sprint(n), fmt.Sprint(n), fmt.Sprint(n), "", "x", "-1", " 1", "+1", "0"}[random.IntN(9)])
		for i := range n - random.IntN(10)/9 {
			environ = append(environ, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, pick(texts)), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, pick(values)))
		}
	}
	return environ
}

// TestCommandSettingsNoProcess guards: in an environment with settings, as agents, hooks and aliases have it, no process is started.
func TestCommandSettingsNoProcess(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Git("config", "ralph.plan", "file")
	files := Files{
		Environ: append(slices.Clone(r.Env), "GIT_CONFIG_PARAMETERS='ralph.plan'='it'\\''s'", "GIT_CONFIG_NOSYSTEM=1"),
		GitDir:  r.Dir + "/.git", CommonDir: r.Dir + "/.git",
		Run: func(context.Context, ...string) ([]byte, error) { return nil, errors.New("a process was started") },
	}
	config, err := files.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := config.GetAll("ralph.plan"); !slices.Equal(got, []string{"file", "it's"}) || !slices.Equal(config.Strongest("ralph.plan"), []string{"it's"}) {
		t.Errorf("got %q", got)
	}
}
