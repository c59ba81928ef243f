package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/web"
)

// hostile is a text that runs where it is read as markup, and disorders what stands beside it where it is not kept apart.
const hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202eabc\u0000\u001b[31m\"'&</style>"

// newRepo makes a repository with a plan.
func newRepo(t testing.TB) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	r.Commit("plan", map[string]string{"s.md": "spec\n", "ralph/plan.jsonl": `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "First", "s": "p"}
{"t": "task", "id": "t-2", "spec": "s.md", "name": ` + string(text) + `, "notes": ` + string(text) + `, "s": "p", "deps": ["t-1"]}
`})
	return r
}

// A page is a running server.
type page struct {
	testing.TB
	origin, token string
	messages      func() string
	stop          func() error
}

var errStopped = errors.New("stopped")

// serve runs a server until the test ends.
func serve(t testing.TB, r *gittest.Repo, o uicmd.WebOptions) *page {
	t.Helper()
	out, sink := io.Pipe()
	var mu sync.Mutex
	var said bytes.Buffer
	env := &term.Env{
		Dir: r.Dir, Environ: r.Env, In: strings.NewReader(""), Out: sink, Tty: sink, Err: io.Discard, Now: time.Now,
		Random: func(n int) int { return int(time.Now().UnixNano()/1000) % n }, Version: "v1",
		Message: func(sort, text string) { mu.Lock(); defer mu.Unlock(); fmt.Fprintf(&said, "%s: %s\n", sort, text) },
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	served := make(chan error, 1)
	go func() { served <- web.Serve(ctx, env, o); sink.Close() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	var at struct{ URL string }
	if err != nil || json.Unmarshal([]byte(line), &at) != nil {
		t.Fatalf("%q: %v %v", line, err, <-served)
	}
	origin, fragment, _ := strings.Cut(at.URL, "/#")
	values, err := url.ParseQuery(fragment)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{TB: t, origin: origin, token: values.Get("token"), messages: func() string { mu.Lock(); defer mu.Unlock(); return said.String() }}
	p.stop = sync.OnceValue(func() error { cancel(errStopped); return <-served })
	t.Cleanup(func() { p.stop() }) //nolint:errcheck // a test of its own looks at it
	return p
}

// do sends a request, with the token unless the headers say otherwise. An empty value leaves a header out.
func (p *page) do(method, path, body string, headers ...string) (*http.Response, string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, p.origin+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i+1] == "":
			request.Header.Del(headers[i])
		case headers[i] == "Host":
			request.Host = headers[i+1]
		default:
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.Fatal(err)
	}
	return response, string(text)
}

// Whoever has no token, or comes by another name or from another site, gets nothing of the plan and changes nothing. Every reply has the
// headers that keep the page to itself.
func TestWhoIsAnswered(t *testing.T) {
	p := serve(t, newRepo(t), uicmd.WebOptions{Write: true})
	port := p.origin[strings.LastIndex(p.origin, ":"):]
	action := `{"do": "task-done", "id": "t-1"}`
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
	}{
		{"the page", "GET", "/", "", []string{"Authorization", ""}, 200},
		{"a file of it", "GET", "/app.js", "", []string{"Authorization", ""}, 200},
		{"no such file", "GET", "/other.js", "", nil, 404},
		{"a file outside", "GET", "/../../serve.go", "", nil, 404},
		{"a file outside, escaped", "GET", "/..%2f..%2fserve.go", "", nil, 404},
		{"another method", "PUT", "/", "", nil, 405},
		{"data", "GET", "/data/board", "", nil, 200},
		{"localhost", "GET", "/data/board", "", []string{"Host", "localhost" + port}, 200},
		{"::1 by name", "GET", "/data/board", "", []string{"Host", "[::1]" + port}, 200},
		{"the page itself", "GET", "/data/board", "", []string{"Origin", p.origin, "Sec-Fetch-Site", "same-origin"}, 200},
		{"no token", "GET", "/data/board", "", []string{"Authorization", ""}, 401},
		{"a guessed token", "GET", "/data/board", "", []string{"Authorization", "Bearer " + strings.Repeat("A", 26)}, 401},
		{"a part of the token", "GET", "/data/board", "", []string{"Authorization", "Bearer " + p.token[:25]}, 401},
		{"a token that is no bearer's", "GET", "/data/board", "", []string{"Authorization", p.token}, 401},
		{"the token in the query", "GET", "/data/board?token=" + p.token, "", []string{"Authorization", ""}, 401},
		{"no token, no such view", "GET", "/data/none", "", []string{"Authorization", ""}, 401},
		{"another host", "GET", "/data/board", "", []string{"Host", "rebound.example" + port}, 403},
		{"another host, the page", "GET", "/", "", []string{"Host", "rebound.example" + port}, 403},
		{"no port", "GET", "/data/board", "", []string{"Host", "127.0.0.1"}, 403},
		{"another port", "GET", "/data/board", "", []string{"Host", "127.0.0.1:1"}, 403},
		{"another address of loopback", "GET", "/data/board", "", []string{"Host", "127.0.0.2" + port}, 403},
		{"an action from another site", "POST", "/data/act", action, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"an action from another origin", "POST", "/data/act", action, []string{"Origin", "https://example.com"}, 403},
		{"an action from another port", "POST", "/data/act", action, []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"an action without a token", "POST", "/data/act", action, []string{"Authorization", ""}, 401},
		{"a report from another site", "POST", "/csp-report", `{"csp-report": {}}`, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"an action by GET", "GET", "/data/act", "", nil, 405},
	} {
		response, body := p.do(c.method, c.path, c.body, c.headers...)
		if response.StatusCode != c.status {
			t.Errorf("%s: %d, want %d: %s", c.name, response.StatusCode, c.status, body)
		}
		if strings.Contains(body, "First") != (c.status == 200 && strings.HasPrefix(c.path, "/data/")) {
			t.Errorf("%s: data for the wrong one: %s", c.name, body)
		}
		for name, part := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
		} {
			if !strings.Contains(response.Header.Get(name), part) {
				t.Errorf("%s: %s: %q", c.name, name, response.Header.Get(name))
			}
		}
	}
	for _, rule := range []string{"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "connect-src 'self'", "require-trusted-types-for 'script'", "report-uri /csp-report"} {
		if response, _ := p.do("GET", "/", ""); !strings.Contains(response.Header.Get("Content-Security-Policy"), rule) {
			t.Errorf("the policy lacks %s", rule)
		}
	}
	if len(p.token) < 26 {
		t.Errorf("a token of %d characters", len(p.token))
	}
	if !strings.Contains(p.messages(), "wrong token") {
		t.Errorf("nobody is warned of guesses: %s", p.messages())
	}
}

// The server cannot be reached from another machine.
func TestOnlyLoopback(t *testing.T) {
	p := serve(t, newRepo(t), uicmd.WebOptions{})
	port := p.origin[strings.LastIndex(p.origin, ":")+1:]
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		network, ok := a.(*net.IPNet)
		if !ok || network.IP.IsLoopback() || network.IP.IsLinkLocalUnicast() {
			continue
		}
		if c, err := net.DialTimeout("tcp", net.JoinHostPort(network.IP.String(), port), time.Second); err == nil {
			c.Close()
			t.Errorf("reached at %s", network.IP)
		}
	}
}

// Without --write nothing is changed; with it, an action is the command, and values are never flags or further commands.
func TestActions(t *testing.T) {
	r := newRepo(t)
	if response, body := serve(t, r, uicmd.WebOptions{}).do("POST", "/data/act", `{"do": "task-done", "id": "t-1"}`); response.StatusCode != 403 || !strings.Contains(body, "--write") {
		t.Errorf("read-only: %d %s", response.StatusCode, body)
	}
	p := serve(t, r, uicmd.WebOptions{Write: true})
	head := r.Git("rev-parse", "HEAD")
	for body, want := range map[string]string{
		`{"do": "task-done", "id": "--force"}`:                                    `"error":"no such task in the plan: --force`,
		`{"do": "task-done", "id": ""}`:                                           "missing id",
		`{"do": "task-reject", "id": "t-1", "text": " "}`:                         "missing text",
		`{"do": "task-done", "id": "t-1", "text": "--force"}`:                     "takes no text",
		`{"do": "config", "id": "t-1"}`:                                           "there is no action",
		`{"do": "task-done", "id": "t-1", "words": ["x"]}`:                        "unknown field",
		`{"do": "task-done", "id": "t-1"} {}`:                                     "one JSON object",
		`{"do": "undo"}]`:                                                         "one JSON object",
		`{"do": "task-edit", "id": "t-1", "fields": {"check": ["rm -rf /"]}}`:     "invalid field",
		`{"do": "task-edit", "id": "t-1", "fields": {"name": {"a": 1}}}`:          "want a text",
		`{"do": "task-add", "fields": {}}`:                                        "missing fields",
		`{"do": "task-done", "id": "t-1", "allowed": ["--no-commit"]}`:            "no flag",
		`{"do": "task-kill", "id": "t-1", "choice": "--log=x"}`:                   "no choice",
		`{"do": "undo", "commit": "--force"}`:                                     "invalid commit",
		`{"do": "resolve", "id": "t-1"}`:                                          "missing field",
		`{"do": "task-done", "id": "t-1", "worktree": "/"}`:                       "no worktree",
		strings.Repeat(" ", 2<<20) + `{"do": "task-done", "id": "t-1"}`:           "too large",
		`{"do": "task-done", "id": "` + strings.Repeat("t-1\\n\\u0000", 3) + `"}`: `"exit":1`,
	} {
		if response, text := p.do("POST", "/data/act", body); !strings.Contains(text, want) {
			t.Errorf("%.80s: %d %s, want %s", body, response.StatusCode, text, want)
		}
	}
	if now := r.Git("rev-parse", "HEAD"); now != head {
		t.Fatalf("something was committed: %s", r.Git("log", "-1"))
	}
	for _, body := range []string{
		`{"do": "task-add", "fields": {"name": "--force -rf $(touch x)", "labels": ["a"]}}`, `{"do": "claim", "id": "t-1"}`, `{"do": "unclaim", "id": "t-1"}`,
		`{"do": "task-done", "id": "t-1"}`, `{"do": "task-reject", "id": "t-1", "text": "--supersede=x"}`, `{"do": "issue-add", "fields": {"desc": "Found"}}`,
	} {
		if response, text := p.do("POST", "/data/act", body); response.StatusCode != 200 || !strings.Contains(text, `"exit":0`) || strings.Contains(text, `"warnings":[""`) {
			t.Errorf("%s: %d %s", body, response.StatusCode, text)
		}
	}
	if plan := r.ReadFile("ralph/plan.jsonl"); !strings.Contains(plan, `"--force -rf $(touch x)"`) || !strings.Contains(plan, `"--supersede=x"`) || !strings.Contains(plan, "Found") {
		t.Errorf("the plan: %s", plan)
	}
}

// A worktree that is removed while the page is open is left alone, also where another repository is at its place by then.
func TestRemovedWorktree(t *testing.T) {
	r := newRepo(t)
	other := r.At("../other")
	r.Git("worktree", "add", "-q", other.Dir)
	p := serve(t, r, uicmd.WebOptions{Write: true})
	action := fmt.Sprintf(`{"do": "task-done", "id": "t-1", "worktree": %q}`, filepath.ToSlash(other.Dir))
	if _, text := p.do("POST", "/data/act", action); !strings.Contains(text, `"exit":0`) {
		t.Fatalf("while it is there: %s", text)
	}
	r.Git("worktree", "remove", other.Dir)
	r.Git("clone", "-q", ".", other.Dir)
	if response, text := p.do("POST", "/data/act", action); response.StatusCode != 404 || !strings.Contains(text, "there is no worktree") {
		t.Errorf("another repository: %d %s", response.StatusCode, text)
	}
	if r.Git("rev-parse", "HEAD") != other.Git("rev-parse", "HEAD") {
		t.Errorf("it was changed: %s", other.Git("log", "-1"))
	}
}

// Where the repository was deleted, the page says so, and does not speak of git.
func TestDeletedRepository(t *testing.T) {
	r := newRepo(t)
	p := serve(t, r, uicmd.WebOptions{})
	if err := os.RemoveAll(r.Dir); err != nil {
		t.Fatal(err)
	}
	if _, body := p.do("GET", "/data/about", ""); !strings.Contains(body, "the directory "+r.Dir+" does not exist any more") {
		t.Error(body)
	}
}

// The others are there where the worktree is removed that the server was started in, and where another repository took the place of one that git
// still lists, that is refused.
func TestOwnWorktreeRemoved(t *testing.T) {
	main := newRepo(t)
	own, other := main.At("../own"), main.At("../other")
	main.Git("worktree", "add", "-q", own.Dir)
	main.Git("worktree", "add", "-q", other.Dir)
	p := serve(t, own, uicmd.WebOptions{Write: true})
	at := url.QueryEscape(filepath.ToSlash(other.Dir))
	main.Git("worktree", "remove", own.Dir)
	for path, want := range map[string]string{"/data/about": `"name":"other"`, "/data/board?worktree=" + at: "First", "/data/worktrees": `"name":"other"`} {
		if response, body := p.do("GET", path, ""); response.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %s", path, response.StatusCode, body, want)
		}
	}
	if err := os.RemoveAll(other.Dir); err != nil {
		t.Fatal(err)
	}
	main.Git("clone", "-q", ".", other.Dir)
	action := fmt.Sprintf(`{"do": "task-done", "id": "t-1", "worktree": %q}`, filepath.ToSlash(other.Dir))
	if response, text := p.do("POST", "/data/act", action); response.StatusCode != 404 || !strings.Contains(text, "there is no worktree") {
		t.Errorf("another repository: %d %s", response.StatusCode, text)
	}
}

// All worktrees together: how many tasks each has by status, whether its plan has changes that are not committed, and in what the plans differ.
// One whose plan cannot be read says why.
func TestWorktreesTogether(t *testing.T) {
	r := newRepo(t)
	two, three := r.At("../two"), r.At("../three")
	r.Git("worktree", "add", "-q", two.Dir)
	r.Git("worktree", "add", "-q", three.Dir)
	p := serve(t, r, uicmd.WebOptions{Write: true})
	p.do("POST", "/data/act", fmt.Sprintf(`{"do": "task-done", "id": "t-1", "worktree": %q}`, filepath.ToSlash(two.Dir)))
	if err := os.WriteFile(three.Path("ralph/plan.jsonl"), []byte(r.ReadFile("ralph/plan.jsonl")+`{"t": "task", "id": "t-3", "spec": "s.md", "name": "Third", "s": "p"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	response, body := p.do("GET", "/data/worktrees", "")
	var got struct {
		View struct {
			Worktrees []struct {
				Name, Failure string
				Counts        map[string]int
				Uncommitted   bool
			}
			Rows []struct {
				ID    string
				Cells []struct {
					Status string
					Text   int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || response.StatusCode != 200 {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	shown := strings.NewReplacer(filepath.Base(r.Dir), "main").Replace(fmt.Sprint(got.View))
	if want := "{[{main  map[blocked:1 ready:1] false} {three  map[blocked:1 ready:2] true} {two  map[done:1 ready:1] false}]" +
		" [{t-1 [{ready 1} {ready 1} {done 2}]} {t-2 [{blocked 1} {blocked 1} {ready 1}]} {t-3 [{ 0} {ready 1} { 0}]}]}"; shown != want {
		t.Errorf("%s\nwant %s", shown, want)
	}
	if err := os.WriteFile(three.Path("ralph/plan.jsonl"), []byte("<<<<<<< x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, body := p.do("GET", "/data/worktrees", ""); !strings.Contains(body, `"failure":`) || strings.Count(body, `{"status":"unknown"}`) != 2 {
		t.Errorf("a plan that cannot be read: %s", body)
	}
}

// What a plan says arrives as it is, as JSON and nothing else.
func TestHostilePlan(t *testing.T) {
	p := serve(t, newRepo(t), uicmd.WebOptions{})
	for _, path := range []string{"/data/board", "/data/task?id=t-2", "/data/board?q=" + url.QueryEscape("<script>"), "/data/runs", "/data/moments", "/data/graph", "/data/timeline", "/data/timeline?by=person", "/data/burndown", "/data/worktrees"} {
		response, body := p.do("GET", path, "")
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/json" || !json.Valid([]byte(body)) {
			t.Errorf("%s: %d %s %s", path, response.StatusCode, response.Header.Get("Content-Type"), body)
		}
		if strings.ContainsAny(body, "<>\x00\x1b") {
			t.Errorf("%s: what a browser may take for markup: %s", path, body)
		}
	}
	var got struct{ View struct{ Name string } }
	if _, body := p.do("GET", "/data/task?id=t-2", ""); json.Unmarshal([]byte(body), &got) != nil || got.View.Name != hostile {
		t.Errorf("%q", got.View.Name)
	}
	if _, body := p.do("GET", "/data/task", ""); !strings.Contains(body, `"missing id: want that of a task, issue or item"`) {
		t.Error(body)
	}
	for _, path := range []string{"/data/task?id=" + url.QueryEscape(hostile), "/data/board?at=HEAD", "/data/board?at=--help", "/data/board?worktree=/"} {
		if response, body := p.do("GET", path, ""); response.StatusCode != 404 || !json.Valid([]byte(body)) {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
}

// A filter that asks for what there is not is answered with what there is.
func TestFilter(t *testing.T) {
	p := serve(t, newRepo(t), uicmd.WebOptions{})
	for q, want := range map[string]bool{"status%3Abogus": true, "kind%3Atask": false} {
		if _, text := p.do("GET", "/data/board?q="+q, ""); strings.Contains(text, `"filter":"invalid status \"bogus\": want ready, `) != want {
			t.Errorf("%s: %s", q, text)
		}
	}
}

// The stream says what the version is, and that there is another one; too many streams are refused, and all end with the server.
func TestStream(t *testing.T) {
	r := newRepo(t)
	p := serve(t, r, uicmd.WebOptions{Write: true})
	request, err := http.NewRequestWithContext(t.Context(), "GET", p.origin+"/data/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	open := func() *bufio.Reader {
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return bufio.NewReader(response.Body)
	}
	stream := open()
	next := func() (version string) {
		for {
			line, err := stream.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if data, found := strings.CutPrefix(line, "data: "); found {
				return data
			}
		}
	}
	first := next()
	p.do("POST", "/data/act", `{"do": "task-done", "id": "t-1"}`)
	for next() == first {
	}
	for range 31 {
		open()
	}
	if response, body := p.do("GET", "/data/live", ""); response.StatusCode != 503 || !strings.Contains(body, "streams") {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	if err := p.stop(); !errors.Is(err, errStopped) {
		t.Errorf("ends with %v", err)
	}
	if _, err := io.ReadAll(stream); err != nil && !strings.Contains(err.Error(), "EOF") {
		t.Errorf("the stream ends with %v", err)
	}
}

// What the policy kept a page from is shown to the user, without the characters that disturb a terminal, and not without end.
func TestReports(t *testing.T) {
	p := serve(t, newRepo(t), uicmd.WebOptions{})
	for range 30 {
		p.do("POST", "/csp-report", `{"csp-report": {"violated-directive": "script-src", "blocked-uri": "\u001b[31mx"}}`, "Authorization", "")
	}
	if said := p.messages(); strings.Count(said, "script-src") != 20 || strings.Contains(said, "\x1b") {
		t.Errorf("%q", said)
	}
}

// A port in use and a directory without a repository are reported, each with what to do.
func TestCannotServe(t *testing.T) {
	r := newRepo(t)
	p := serve(t, r, uicmd.WebOptions{})
	var port int
	if _, err := fmt.Sscanf(p.origin, "http://127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	env := &term.Env{Dir: r.Dir, Environ: r.Env, Tty: io.Discard, Out: io.Discard, Err: io.Discard, Now: time.Now, Random: func(int) int { return 0 }}
	if err := web.Serve(t.Context(), env, uicmd.WebOptions{Port: port}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a port in use: %v", err)
	}
	full := *env
	full.Tty = fullDisk{}
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
	defer end()
	if err := web.Serve(ctx, &full, uicmd.WebOptions{}); err == nil || !strings.Contains(err.Error(), "cannot write to standard output") {
		t.Errorf("an address that nobody gets: %v", err)
	}
	env.Dir = t.TempDir()
	if err := web.Serve(t.Context(), env, uicmd.WebOptions{}); err == nil || !strings.Contains(err.Error(), "repository") {
		t.Errorf("no repository: %v", err)
	}
}

// fullDisk is an output that nothing can be written to.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
