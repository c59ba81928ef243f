//go:build agents

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// maxTokens is what all tools together may cost an agent in each session.
const maxTokens = 2000

// inspector is the official client of the protocol, another implementation of it than ours.
type inspector struct {
	*testing.T
	repo    *gittest.Repo
	bin     string // our programs
	modules string // of npm
}

// newInspector builds our programs.
func newInspector(t *testing.T) *inspector {
	dir := os.Getenv("RALPH_AGENTS")
	if dir == "" {
		t.Skip("RALPH_AGENTS names no directory of npm: make test-agents")
	}
	bin := t.TempDir()
	for _, program := range []string{"git-ralph", "git-ralph-ui"} {
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, "../"+program).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return &inspector{T: t, bin: bin, modules: filepath.Join(dir, "node_modules")}
}

// run runs a test with a repository of its own, which has a plan.
func (i *inspector) run(t *testing.T, test func(*inspector)) {
	r := gittest.NewRepo(t).Setenv("PATH", i.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	r.Commit("plan", map[string]string{"s.md": "spec\n", "ralph/plan.jsonl": `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "First", "s": "p"}
{"t": "task", "id": "t-2", "spec": "s.md", "name": "Second", "s": "p"}
`})
	test(&inspector{t, r, i.bin, i.modules})
}

// ask sends one request in a session of its own.
func (i *inspector) ask(arguments ...string) string {
	i.Helper()
	out, err := i.repo.Run(filepath.Join(i.modules, ".bin", "mcp-inspector"), append([]string{"--cli", "git-ralph", "mcp"}, arguments...)...)
	if err != nil {
		i.Fatalf("%q: %v\n%s", arguments, err, out)
	}
	return out
}

func (i *inspector) call(tool string, arguments ...string) string {
	i.Helper()
	line := []string{"--method", "tools/call", "--tool-name", tool}
	for _, a := range arguments {
		line = append(line, "--tool-arg", a)
	}
	return i.ask(line...)
}

// TestInspector has the official inspector be the client.
func TestInspector(t *testing.T) {
	i := newInspector(t)
	for name, test := range map[string]func(*inspector){"every tool": everyTool, "tokens": tokens, "HTTP": overHTTP} {
		t.Run(name, func(t *testing.T) { i.run(t, test) })
	}
}

// everyTool calls every tool, and reads every resource.
func everyTool(t *inspector) {
	for _, c := range []struct {
		tool, want string
		arguments  []string
	}{
		{"query", `First`, []string{"what=next"}},
		{"task_change", `\"committed\":true`, []string{"op=add", `fields=[{"name": "Third"}]`}},
		{"task_change", `\"committed\":true`, []string{"op=done", `ids=["t-1"]`}},
		{"issue_change", `\"committed\":true`, []string{"op=add", `fields=[{"desc": "found"}]`}},
		{"claim", `\"token\"`, []string{"op=take", `ids=["t-2"]`, "lease=30m"}},
		{"log", `\"event\":\"done\"`, []string{"limit=3"}},
		{"show", `\"status\":\"done\"`, []string{"id=t-1"}},
		{"pipeline", `\"committed\":true`, []string{"op=add", `fields=[{"name": "Receipts"}]`}},
		{"verify", `\"exit\": 3`, []string{`ids=["t-1"]`, "dry_run=true"}},
	} {
		if got := t.call(c.tool, c.arguments...); !strings.Contains(got, c.want) {
			t.Errorf("%s %q: %s", c.tool, c.arguments, got)
		}
	}
	if got := t.ask("--method", "resources/list") + t.ask("--method", "resources/templates/list"); strings.Count(got, "ralph://") != 3 {
		t.Errorf("resources: %s", got)
	}
	for uri, want := range map[string]string{"ralph://plan": "stage", "ralph://next": "Third", "ralph://task/t-1": "First"} {
		if got := t.ask("--method", "resources/read", "--uri", uri); !strings.Contains(got, want) {
			t.Errorf("%s: %s", uri, got)
		}
	}
}

// tokens counts what all tools together cost, with the tokenizer of a vendor's models.
func tokens(t *inspector) {
	count := exec.Command("node", "-e", `
const { encode } = require('gpt-tokenizer')
const { tools } = JSON.parse(require('fs').readFileSync(0))
console.log(tools.length, encode(JSON.stringify(tools)).length)`)
	count.Env = append(os.Environ(), "NODE_PATH="+t.modules)
	tools := t.ask("--method", "tools/list")
	if !json.Valid([]byte(tools)) {
		t.Fatal(tools)
	}
	count.Stdin = strings.NewReader(tools)
	var errs bytes.Buffer
	count.Stderr = &errs
	out, err := count.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	words := strings.Fields(string(out))
	n, err := strconv.Atoi(words[len(words)-1])
	t.Logf("%s tools, %d tokens", words[0], n)
	if err != nil || n > maxTokens || len(words[0]) > 1 && words[0] != "10" {
		t.Errorf("%s: want at most 10 tools, of at most %d tokens", out, maxTokens)
	}
}

// overHTTP has the TypeScript SDK speak streamable HTTP, with the token that the server printed and with another one.
func overHTTP(t *inspector) {
	server := exec.Command(filepath.Join(t.bin, "git-ralph"), "mcp", "--http")
	server.Dir, server.Env = t.repo.Dir, t.repo.Env
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Wait()                       //nolint:errcheck // it was interrupted
	defer server.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
	var at struct{ URL, Token string }
	if err := json.NewDecoder(out).Decode(&at); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("node", "testdata/http-client.mjs", t.modules, at.URL, at.Token).CombinedOutput()
	if err != nil || string(got) != "10 20 BUILD refused\n" {
		t.Errorf("%s%v", got, err)
	}
}
