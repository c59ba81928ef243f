//go:build agents

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

// hubState is what testdata/hub.mjs keeps.
type hubState struct {
	Newer  bool              `json:"newer"`
	Status map[string]string `json:"status"`
	Events []map[string]any  `json:"events"`
	Faults []string          `json:"faults"`
	Log    []string          `json:"log"`
}

// TestHub guards: a hub that was written with another SDK says what the file says in the end, over each transport and in both
// vocabularies, although it and git ralph are killed on the way.
func TestHub(t *testing.T) {
	modules, bin := os.Getenv("RALPH_AGENTS"), t.TempDir()
	if modules == "" {
		t.Skip("RALPH_AGENTS names no directory of npm: make test-agents")
	}
	for _, program := range []string{"../git-ralph", "../git-ralph-ui", "../git-ralph-workplan-parser"} {
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, program).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, over := range []string{"rest", "mcp", "sse", "stdio"} {
		for _, newer := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, newer %v", over, newer), func(t *testing.T) {
				newHubRun(t, modules, bin, newer).play(over)
			})
		}
	}
}

type hubRun struct {
	*testing.T
	repo            *gittest.Repo
	bin, dir, state string
	syncs           int // that were killed
}

func newHubRun(t *testing.T, modules, bin string, newer bool) *hubRun {
	h := &hubRun{T: t, bin: bin, dir: t.TempDir()}
	h.state = filepath.Join(h.dir, "state.json")
	source, err := os.ReadFile("testdata/hub.mjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(h.dir, "hub.mjs"), source, 0o644)
	}
	if err == nil {
		err = os.Symlink(filepath.Join(modules, "node_modules"), filepath.Join(h.dir, "node_modules"))
	}
	if err != nil {
		t.Fatal(err)
	}
	start := hubState{Newer: newer, Events: []map[string]any{}, Log: []string{}, Status: map[string]string{"ws-1": "active"}}
	text := "---\nid: WP-1\ntitle: All of it\nstatus: active\nstate_hub_workstream_id: ws-1\n---\n"
	for i := range 3 {
		text += fmt.Sprintf("## Part %d\n```task\nid: T-%[1]d\nstatus: todo\nstate_hub_task_id: h-%[1]d\n```\n", i)
		start.Status[fmt.Sprintf("h-%d", i)] = "todo"
	}
	start.Faults = []string{"", "error", "kill-after", "503", "", "kill-before", "429", "", "kill-after", "kill-after", "502", "kill-before", "", "kill-after"}
	data, err := json.Marshal(start)
	if err == nil {
		err = os.WriteFile(h.state, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.repo = gittest.NewRepo(t).Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	h.repo.Commit("plan", map[string]string{"w.md": text, "CLAUDE.md": "topic_id: t-1\n"})
	return h
}

// serve runs the hub at a port that stays the same, again whenever it was killed.
func (h *hubRun) serve() (port int) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.Fatal(err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			exec.CommandContext(ctx, "node", filepath.Join(h.dir, "hub.mjs"), h.state, fmt.Sprint(port)).Run() //nolint:errcheck // it is killed
		}
	}()
	h.Cleanup(func() { cancel(); <-ended })
	return port
}

func (h *hubRun) play(over string) {
	switch over {
	case "stdio":
		h.repo.Git("config", "ralph.hub.mcp", "node "+filepath.Join(h.dir, "hub.mjs")+" "+h.state+" stdio")
	case "rest":
		h.repo.Git("config", "ralph.hub.url", fmt.Sprintf("http://127.0.0.1:%d", h.serve()))
	default:
		h.repo.Git("config", "ralph.hub.mcp", fmt.Sprintf("http://127.0.0.1:%d/%s", h.serve(), over))
	}
	for i := range 3 {
		for _, verb := range []string{"start-task", "done-task"} {
			if out, err := h.repo.Run("git", "ralph", "workplan", verb, "w.md", fmt.Sprintf("T-%d", i)); err != nil {
				h.Fatalf("%v\n%s", err, out)
			}
			h.killedSync()
		}
	}
	if out, err := h.repo.Run("git", "ralph", "workplan", "close", "w.md"); err != nil || !strings.HasSuffix(strings.TrimSpace(out), "<promise>HEUREKA</promise>") {
		h.Fatalf("%v\n%s", err, out)
	}
	gittest.Await(h, "an empty queue", func() bool {
		_, err := h.repo.Run("git", "ralph", "hub", "sync")
		return err == nil
	})
	if out, err := h.repo.Run("git", "ralph", "hub", "check", "w.md"); err != nil {
		h.Errorf("%v\n%s", err, out)
	}
	h.verify()
}

// killedSync begins `hub sync` and kills it, each time a little later. It is started without git: else git would be killed, and it would go on.
func (h *hubRun) killedSync() {
	h.syncs++
	ctx, cancel := context.WithTimeout(h.Context(), time.Duration(h.syncs)*60*time.Millisecond)
	defer cancel()
	sync := exec.CommandContext(ctx, filepath.Join(h.bin, "git-ralph"), "hub", "sync")
	sync.Dir, sync.Env = h.repo.Dir, h.repo.Env
	sync.Run() //nolint:errcheck // it may come to its end
}

func (h *hubRun) read() (s hubState) {
	data, err := os.ReadFile(h.state)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		h.Fatal(err)
	}
	return s
}

func (h *hubRun) verify() {
	s := h.read()
	done := map[string]bool{}
	for _, change := range s.Log {
		id, status, _ := strings.Cut(change, " ")
		if done[id] && !slices.Contains([]string{"done", "finished"}, status) {
			h.Errorf("went backwards: %q", s.Log)
		}
		done[id] = done[id] || status == "done" || status == "finished"
	}
	if len(done) != 4 || len(s.Events) != 1 || s.Events[0]["topic_id"] != "t-1" {
		h.Errorf("%+v", s)
	}
}
