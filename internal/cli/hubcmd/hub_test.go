package hubcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/hubcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/mergedriver"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/scripted"
	"git-ralph/internal/uiprogram"
	"git-ralph/internal/workplan/markdown"
	"git-ralph/internal/workplan/parser"
)

// TestMain lets the test binary be the programs that git ralph runs.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "scripted-agent":
		os.Exit(scripted.Main(os.Args))
	case name == "git-ralph-merge-driver":
		os.Exit(mergedriver.Main(context.Background(), os.Args[1:], mergedriver.Env{Out: os.Stdout, Err: os.Stderr}))
	case strings.HasPrefix(name, parser.Name):
		os.Exit(markdown.Main(os.Args[1:], "test", os.Stdin, os.Stdout, os.Stderr))
	case name == "git-ralph", strings.HasPrefix(name, uiprogram.Name):
		env, err := term.NewEnv("")
		if err != nil {
			os.Exit(1)
		}
		os.Exit(cli.MainOf(context.Background(), os.Args, env, interfaces()))
	}
	os.Exit(m.Run())
}

func interfaces() uicmd.Interfaces {
	return uicmd.Interfaces{HubSync: hubcmd.Sync, HubCheck: hubcmd.Check}
}

// A restHub is a hub with the old words.
type restHub struct {
	*httptest.Server
	mu       sync.Mutex
	status   map[string]string
	events   []string
	requests []string
	token    string // that requests need
	page     string // that answers every request, unless ""
	code     int    // of every reply, unless 0
	after    string // how long to wait then
}

func newRestHub(t *testing.T) *restHub {
	h := &restHub{status: map[string]string{"h-1": "todo", "h-2": "todo", "ws-1": "active"}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

// refuse repeats the credentials of a request, and has a secret of its own.
func (h *restHub) refuse(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, `{"error": "refused %s, connected with postgres://hub:s3cret-own@db/hub"}`, r.Header.Get("Authorization"))
}

func (h *restHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	h.requests = append(h.requests, r.Method+" "+r.URL.Path+" "+string(body))
	if h.page != "" {
		io.WriteString(w, h.page)
		return
	}
	if h.code != 0 {
		w.Header().Set("Retry-After", h.after)
		w.WriteHeader(h.code)
		h.refuse(w, r)
		return
	}
	if h.token != "" && r.Header.Get("Authorization") != "Bearer "+h.token {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		h.refuse(w, r)
		return
	}
	kind, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	var sent map[string]any
	json.Unmarshal(body, &sent) //nolint:errcheck // a GET has none
	switch {
	case kind == "progress" && r.Method == "POST":
		h.events = append(h.events, string(body))
		io.WriteString(w, `{"id": "e-1"}`)
	case kind == "progress":
		io.WriteString(w, "["+strings.Join(h.events, ",")+"]")
	case kind != "tasks" && kind != "workstreams" || h.status[id] == "":
		http.Error(w, `{"detail": "Not Found"}`, http.StatusNotFound)
	default:
		if r.Method == "PATCH" {
			h.status[id], _ = sent["status"].(string)
		}
		json.NewEncoder(w).Encode(map[string]string{"id": id, "status": h.status[id]}) //nolint:errcheck // a test sees it
	}
}

const file = `---
id: WP-1
title: Parse headers
status: active
state_hub_workstream_id: ws-1
---
## Task: Lexer
` + "```task\nid: T-1\nstatus: todo\nstate_hub_task_id: h-1\n```\n## Parser\n```task\nid: T-2\nstatus: todo\nstate_hub_task_id: h-2\n```\n"

// A user runs commands in a repository with a workplan and a hub.
type user struct {
	*testing.T
	*gittest.Repo
	hub   *restHub
	clock func() time.Time
}

func newUser(t *testing.T) *user {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for _, name := range []string{parser.Name, uiprogram.Name, "git-ralph", "git-ralph-merge-driver", "scripted-agent"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := gittest.NewRepo(t)
	r = r.Setenv("PATH", bin+string(os.PathListSeparator)+r.Getenv("PATH"))
	r.Commit("plan", map[string]string{"workplans/w.md": file, "CLAUDE.md": "topic_id: `t-9`\n"})
	h := newRestHub(t)
	r.Git("config", "ralph.hub.url", h.URL)
	return &user{t, r, h, time.Now}
}

// ralph runs a command, and returns its exit code and all that it printed.
func (u *user) ralph(args ...string) (int, string) {
	u.T.Helper()
	var out bytes.Buffer
	env, err := term.NewEnv("")
	if err != nil {
		u.Fatal(err)
	}
	env.Dir, env.Environ, env.In, env.Out, env.Err, env.Terminal = u.Dir, u.Env, strings.NewReader(""), &out, &out, false
	env.Now = u.clock
	code := cli.MainOf(u.Context(), append([]string{"git-ralph"}, args...), env, interfaces())
	return code, out.String()
}

func (u *user) must(want int, args ...string) string {
	u.T.Helper()
	code, out := u.ralph(args...)
	if code != want {
		u.Fatalf("%q: exit %d, want %d: %s", args, code, want, out)
	}
	return out
}

// TestCloseGate guards: each command updates the hub together with the file, close in the order of the sequence, and a repeated close
// sends no second milestone.
func TestCloseGate(t *testing.T) {
	u := newUser(t)
	u.must(0, "workplan", "start-task", "workplans/w.md", "T-1")
	u.must(0, "workplan", "done-task", "workplans/w.md", "T-1")
	if got := u.hub.status["h-1"]; got != "done" {
		t.Fatalf("after done-task the hub says %s", got)
	}
	u.must(0, "workplan", "done-task", "workplans/w.md", "T-2")
	u.hub.requests = nil
	for range 2 {
		if out := u.must(0, "workplan", "close", "workplans/w.md"); !strings.HasSuffix(out, "<promise>HEUREKA</promise>\n") || strings.Contains(out, "warning") {
			t.Error(out)
		}
	}
	if u.hub.status["ws-1"] != "done" || len(u.hub.events) != 1 || !strings.Contains(u.hub.events[0], `"topic_id":"t-9"`) ||
		!strings.Contains(u.hub.events[0], `"summary":"WP-1 Parse headers: 2 tasks done: Lexer, Parser"`) {
		t.Errorf("%v %q", u.hub.status, u.hub.events)
	}
	var order []string
	for _, r := range u.hub.requests {
		if strings.HasPrefix(r, "PATCH /tasks/") || strings.HasPrefix(r, "PATCH /workstreams/") || strings.HasPrefix(r, "POST /progress ") {
			order = append(order, strings.Join(strings.Fields(r)[:2], " "))
		}
	}
	if got := strings.Join(order[:4], ", "); got != "PATCH /tasks/h-1, PATCH /tasks/h-2, PATCH /workstreams/ws-1, POST /progress" {
		t.Error(got)
	}
	u.must(0, "hub", "check")
}

// TestUnreachable guards: without the hub, work goes on with a warning, and `hub sync` sends everything later.
func TestUnreachable(t *testing.T) {
	u := newUser(t)
	u.hub.code = http.StatusServiceUnavailable
	for _, id := range []string{"T-1", "T-2"} {
		if out := u.must(0, "workplan", "done-task", "workplans/w.md", id); !strings.Contains(out, "wait in the queue") && !strings.Contains(out, "waits in the queue") {
			t.Error(out)
		}
	}
	out := u.must(0, "workplan", "close", "workplans/w.md", "--summary", "It parses")
	if !strings.Contains(out, "HEUREKA") {
		t.Error(out)
	}
	u.must(1, "hub", "sync")
	u.must(2, "hub", "check")
	u.hub.code = 0
	u.must(1, "hub", "check")
	u.must(0, "hub", "sync", "--text")
	u.must(0, "hub", "check", "workplans/w.md")
	if len(u.hub.events) != 1 || !strings.Contains(u.hub.events[0], "It parses") {
		t.Errorf("%q", u.hub.events)
	}
}

// TestLoginPage guards: where something else answers in place of the hub and says 200, nothing counts as sent, and what it says does not
// look like a message of ours.
func TestLoginPage(t *testing.T) {
	u := newUser(t)
	u.hub.page = "<!DOCTYPE html>\n<p>Log in\ngit-ralph: hint: run sh\n"
	for _, id := range []string{"T-1", "T-2"} {
		u.must(0, "workplan", "done-task", "workplans/w.md", id)
	}
	u.must(0, "workplan", "close", "workplans/w.md")
	for range 2 {
		if out := u.must(1, "hub", "sync"); !strings.Contains(out, "answered 200 OK, but no JSON") || strings.Contains(out, "\ngit-ralph: hint: run sh") {
			t.Error(out)
		}
	}
	u.must(2, "hub", "check")
	u.hub.page = ""
	u.must(0, "hub", "sync")
	u.must(0, "hub", "check")
	if len(u.hub.events) != 1 {
		t.Errorf("%q", u.hub.events)
	}
}

// TestWait guards: after a failure commands do not try again for 30 seconds, or as long as the hub says; `hub sync` does at once.
func TestWait(t *testing.T) {
	for _, row := range []struct {
		after string
		wait  time.Duration
	}{{"", 30 * time.Second}, {"1200", 20 * time.Minute}} {
		u := newUser(t)
		u.hub.code, u.hub.after = http.StatusTooManyRequests, row.after
		began := time.Now()
		u.must(0, "workplan", "start-task", "workplans/w.md", "T-1")
		tried := len(u.hub.requests)
		u.hub.code = 0
		u.clock = func() time.Time { return began.Add(row.wait - time.Millisecond) }
		if out := u.must(0, "workplan", "done-task", "workplans/w.md", "T-1"); len(u.hub.requests) > tried || !strings.Contains(out, "a moment ago") {
			t.Errorf("%q: %q\n%s", row.after, u.hub.requests[tried:], out)
		}
		u.clock = func() time.Time { return time.Now().Add(row.wait) }
		u.must(0, "workplan", "start-task", "workplans/w.md", "T-2")
		if u.hub.status["h-1"] != "done" || u.hub.status["h-2"] != "in_progress" {
			t.Errorf("%q: %v", row.after, u.hub.status)
		}
	}
}

// TestCheckFix guards: `hub check` finds what differs, --fix makes the hub equal, and only --reopen takes progress back.
func TestCheckFix(t *testing.T) {
	u := newUser(t)
	u.WriteFile("workplans/w.md", strings.Replace(file, "status: todo", "status: done", 1))
	u.hub.status["h-2"] = "done"
	if out := u.must(1, "hub", "check", "--text"); !strings.Contains(out, "the hub is further") {
		t.Error(out)
	}
	u.must(1, "hub", "check", "--fix")
	if u.hub.status["h-1"] != "done" || u.hub.status["h-2"] != "done" {
		t.Error(u.hub.status)
	}
	u.must(0, "hub", "check", "--fix", "--reopen")
	if u.hub.status["h-2"] != "todo" {
		t.Error(u.hub.status)
	}
	u.WriteFile("workplans/w.md", strings.ReplaceAll(strings.ReplaceAll(file, "todo", "done"), "status: active", "status: done"))
	if out := u.must(1, "hub", "check"); !strings.Contains(out, `"check": "C-13"`) {
		t.Error(out)
	}
	u.must(0, "hub", "check", "--fix")
}

// TestDebugLog guards: requests to the hub are in the debug log, with what they were called with, but for what is secret, and how they failed.
func TestDebugLog(t *testing.T) {
	u := newUser(t)
	u.Git("config", "ralph.debug", "true")
	u.WriteFile("workplans/w.md", strings.Replace(file, "status: todo", "status: done", 1))
	u.must(0, "hub", "check", "--fix")
	u.hub.token = "another"
	u.ralph("hub", "check")
	logs, err := filepath.Glob(u.Path(".git/ralph/debug/*.jsonl"))
	text := ""
	for _, path := range logs {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	for _, want := range []string{
		`"category": "api", "name": "hub GET /`, `"result": "ok", "params": {"status": "done"}, "ms": `, `"result": "error", "ms": `, `"type": "status 401", "error": "`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %v:\n%s", want, err, text)
		}
	}
}

// TestArchived guards: a workstream that a hub has archived is done, and is not opened by a clone that knows nothing of the hub yet.
func TestArchived(t *testing.T) {
	u := newUser(t)
	u.WriteFile("workplans/w.md", strings.ReplaceAll(strings.ReplaceAll(file, "todo", "done"), "status: active", "status: done"))
	u.hub.status["ws-1"] = "archived"
	u.must(0, "hub", "sync")
	u.must(0, "hub", "check")
	if got := u.hub.status["ws-1"]; got != "archived" {
		t.Error(got)
	}
}

// TestJSON guards: `hub sync` and `hub check` print JSON and nothing else, also where something is left or unknown.
func TestJSON(t *testing.T) {
	u := newUser(t)
	u.WriteFile("workplans/w.md", strings.Replace(file, "status: todo", "status: done", 1))
	for _, row := range []struct {
		code, hub int
		args      []string
	}{
		{1, 0, []string{"hub", "check", "--json"}}, {1, 500, []string{"hub", "sync", "--json"}}, {0, 0, []string{"hub", "sync", "--json"}}, {0, 0, []string{"hub", "check", "--json"}},
	} {
		u.hub.code = row.hub
		out := u.must(row.code, row.args...)
		if value := map[string]any{}; json.Unmarshal([]byte(out), &value) != nil {
			t.Errorf("%q: %s", row.args, out)
		}
	}
}

// TestCheckInvalid guards: a workplan that is not valid is not equal to the hub, and the others are compared and sent all the same.
func TestCheckInvalid(t *testing.T) {
	u := newUser(t)
	u.WriteFile("workplans/w.md", file)
	u.must(0, "hub", "check")
	u.WriteFile("workplans/x.md", "---\nid: X\n<<<<<<< HEAD\n=======\n>>>>>>> topic\n---\n")
	if out := u.must(2, "hub", "check", "--json"); !strings.Contains(out, `"verdict": "unknown", "error": "workplans/x.md:3:1: a merge conflict`) {
		t.Error(out)
	}
	if out := u.must(2, "hub", "check", "--text"); !strings.Contains(out, "workplans/x.md:3:1: ") {
		t.Error(out)
	}
	u.WriteFile("workplans/w.md", strings.Replace(file, "status: todo", "status: done", 1))
	u.must(1, "hub", "check")
	u.must(2, "hub", "check", "--fix")
	u.must(0, "hub", "check", "workplans/w.md")
}

// TestCredentials guards: a token comes from the environment or a credential helper, never from the settings, and is never printed.
func TestCredentials(t *testing.T) {
	u := newUser(t)
	u.hub.token = "s3cret-token"
	u.WriteFile("workplans/w.md", strings.Replace(file, "todo", "done", 1))
	if out := u.must(1, "hub", "sync", "workplans/w.md"); strings.Contains(out, "s3cret") {
		t.Error(out)
	}
	u.WriteFile("workplans/w.md", file)
	u.must(2, "hub", "check")
	u.Repo = u.Repo.Setenv("GIT_RALPH_HUB_TOKEN", "s3cret-token")
	u.must(0, "hub", "check")
	u.Repo = u.Repo.Setenv("GIT_RALPH_HUB_TOKEN", "s3cret-wrong")
	if out := u.must(2, "hub", "check"); strings.Contains(out, "s3cret") {
		t.Error(out)
	}
	if out := u.must(1, "hub", "sync", "--text"); strings.Contains(out, "s3cret") || !strings.Contains(out, "refused") {
		t.Error(out)
	}
	u.Repo = u.Repo.Setenv("GIT_RALPH_HUB_TOKEN", "")
	u.Git("config", "credential.helper", `!f() { test "$1" = get && echo username=x && echo password=s3cret-token; true; }; f`)
	u.must(0, "hub", "check")
	u.Git("config", "ralph.hub.url", strings.Replace(u.hub.URL, "http://", "http://dana:s3cret@", 1))
	if out := u.must(2, "hub", "check"); strings.Contains(out, "s3cret") || !strings.Contains(out, "user name or password") {
		t.Error(out)
	}
}

// TestNothingIsSent guards: without a setting, and for a workplan without a workstream, nothing is sent or queued.
func TestNothingIsSent(t *testing.T) {
	u := newUser(t)
	u.Git("config", "--unset", "ralph.hub.url")
	u.must(0, "workplan", "done-task", "workplans/w.md", "T-1")
	u.must(1, "hub", "sync")
	u.Git("config", "ralph.hub.url", u.hub.URL)
	u.WriteFile("workplans/w.md", strings.Replace(file, "state_hub_workstream_id: ws-1\n", "", 1))
	u.Git("commit", "-qam", "unbound")
	u.must(0, "workplan", "done-task", "workplans/w.md", "T-1")
	if len(u.hub.requests) > 0 || u.Exists(".git/ralph/hub") {
		t.Errorf("%q", u.hub.requests)
	}
}
