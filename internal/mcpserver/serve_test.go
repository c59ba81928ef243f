package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/mcpserver"
	"git-ralph/internal/test/gittest"
)

// greeting begins a session; the server has answered nothing else before.
const greeting = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// plan is a plan of some tasks.
const plan = `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "Write the parser", "s": "p"}
{"t": "task", "id": "t-2", "spec": "s.md", "name": "Write the tests", "s": "p"}
`

// newRepo makes a repository with a plan.
func newRepo(t testing.TB, plan string) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.Commit("plan", map[string]string{"ralph/plan.jsonl": plan, "s.md": "spec\n"})
	return r
}

func envOf(r *gittest.Repo) *term.Env {
	return &term.Env{
		Dir: r.Dir, Environ: append(slices.Clone(r.Env), beProgram+"=1"), Now: time.Now, Random: func(n int) int { return int(time.Now().UnixNano()/1000) % n }, Version: "v1",
		Err: io.Discard,
	}
}

// A message is what the server writes on a line.
type message struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// A reply is the result of a tool.
type reply struct {
	Exit     int             `json:"exit"`
	Result   json.RawMessage `json:"result"`
	Cursor   string          `json:"cursor"`
	Error    string          `json:"error"`
	Hint     string          `json:"hint"`
	Warnings []string        `json:"warnings"`

	text    string
	isError bool
}

// converse has the server read a whole input, and returns its answers by id.
func converse(t *testing.T, r *gittest.Repo, lines ...string) map[string]message {
	t.Helper()
	var out strings.Builder
	env := envOf(r)
	env.In, env.Out, env.Tty = strings.NewReader(greeting+strings.Join(lines, "\n")), &out, &out
	if err := mcpserver.Serve(t.Context(), env, uicmd.MCPOptions{}); err != nil {
		t.Fatal(err)
	}
	answers := map[string]message{}
	for line := range strings.Lines(out.String()) {
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		answers[fmt.Sprint(m.ID)] = m
	}
	return answers
}

// call returns the line that calls a tool. The arguments are pairs of names and values, or one JSON object.
func call(id any, tool string, arguments string) string {
	data, _ := json.Marshal(id)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, data, tool, arguments)
}

// replyOf returns the result of a tool in a message.
func replyOf(t *testing.T, m message) reply {
	t.Helper()
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Content) != 1 {
		t.Fatalf("not the result of a tool: %+v", m)
	}
	r := reply{text: result.Content[0].Text, isError: result.IsError}
	if err := json.Unmarshal([]byte(r.text), &r); err != nil {
		t.Fatalf("%v: %s", err, r.text)
	}
	if r.isError != (r.Exit != 0) {
		t.Errorf("exit %d is an error: %t", r.Exit, r.isError)
	}
	return r
}

// one calls one tool.
func one(t *testing.T, r *gittest.Repo, tool, arguments string) reply {
	t.Helper()
	return replyOf(t, converse(t, r, call(1, tool, arguments))["1"])
}

// A line that is no message is answered, and the next ones too. The input ends in the middle of a line, and nothing is lost.
func TestBadLinesDoNotEndTheSession(t *testing.T) {
	r := newRepo(t, plan)
	lines := []string{
		"not JSON", "", "{}", "[1, 2]", "null", `"text"`, "\x00\xff", `{"jsonrpc":"2.0","id":7}`, strings.Repeat("x", 5<<20),
		`{"jsonrpc":"2.0","id":1,"method":"no/such/method"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[]}`,
		call(3, "no-such-tool", "{}"),
		call(4, "query", `{"what": "status"}`),
		call(5, "query", `{"what": 3}`),
		call(6, "query", `{"what": "next", "wrong": 1}`),
	}
	answers := converse(t, r, lines...)
	for _, id := range []string{"1", "2", "3"} {
		if answers[id].Error == nil {
			t.Errorf("request %s is answered with %+v", id, answers[id])
		}
	}
	if got := replyOf(t, answers["4"]); got.Exit != 0 {
		t.Errorf("after bad lines: %+v", got)
	}
	for _, id := range []string{"5", "6"} {
		if got := replyOf(t, answers[id]); got.Exit != 2 || got.Error == "" {
			t.Errorf("wrong arguments: %+v", got)
		}
	}
	if e := answers["<nil>"].Error; e == nil {
		t.Error("bad lines are not answered")
	}
}

// A client that closes its end at once gets the answers to everything that it had asked, and the changes are made.
func TestClosedInputLosesNoReply(t *testing.T) {
	r := newRepo(t, plan)
	var lines []string
	for i := range 20 {
		lines = append(lines, call(i, "task_change", fmt.Sprintf(`{"op": "add", "fields": {"name": "Task %d"}}`, i)))
	}
	answers := converse(t, r, lines...)
	for i := range lines {
		if got := replyOf(t, answers[fmt.Sprint(i)]); got.Exit != 0 {
			t.Errorf("call %d: %s", i, got.text)
		}
	}
	if n := strings.Count(r.ReadFile("ralph/plan.jsonl"), `"name": "Task `); n != len(lines) {
		t.Errorf("the plan has %d of %d tasks", n, len(lines))
	}
}

// When the client reads no more, the change under way is still committed, and the server ends.
func TestClosedOutputEndsTheServer(t *testing.T) {
	r := newRepo(t, plan)
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	env := envOf(r)
	env.In, env.Out, env.Tty = in, sink, sink
	served := make(chan error, 1)
	go func() { served <- mcpserver.Serve(context.Background(), env, uicmd.MCPOptions{}) }()
	go io.WriteString(feed, greeting+call(1, "task_change", `{"op": "done", "ids": ["t-1"]}`)+"\n") //nolint:errcheck // the server may be gone
	bufio.NewReader(out).ReadString('\n')                                                           //nolint:errcheck // the greeting
	out.Close()
	select {
	case <-served:
	case <-time.After(time.Minute):
		t.Fatal("the server goes on")
	}
	if n := strings.TrimSpace(r.Git("rev-list", "--count", "HEAD")); strings.Contains(r.ReadFile("ralph/plan.jsonl"), `"d"`) != (n != "1") {
		t.Errorf("the plan is not what is committed: %s", r.Git("status", "--short"))
	}
}

// TestSignalEndsTheServerOfAStuckClient guards: the server ends when it is to, also where the client has stopped reading its answers.
func TestSignalEndsTheServerOfAStuckClient(t *testing.T) {
	r := newRepo(t, plan)
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	env := envOf(r)
	env.In, env.Out, env.Tty = in, sink, sink
	ctx, cancel := context.WithCancelCause(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcpserver.Serve(ctx, env, uicmd.MCPOptions{}) }()
	go io.WriteString(feed, greeting+call(1, "query", `{"what": "next"}`)+"\n") //nolint:errcheck // the server may be gone
	bufio.NewReaderSize(out, 16).ReadByte()                                     //nolint:errcheck // the first bytes of the greeting
	why := errors.New("interrupted")
	cancel(why)
	select {
	case err := <-served:
		if !errors.Is(err, why) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server goes on")
	}
}

// TestBugDoesNotEndTheServer guards: a bug in one call is the error of that call; its locks are released, and the next ones are answered.
func TestBugDoesNotEndTheServer(t *testing.T) {
	r := newRepo(t, plan)
	var out strings.Builder
	env := envOf(r)
	bugs := make(chan string, 1)
	bugs <- "out of order"
	env.Now = func() time.Time {
		select {
		case bug := <-bugs:
			panic(bug)
		default:
			return time.Now()
		}
	}
	add := `{"op": "add", "fields": {"name": "Write it"}}`
	env.In = strings.NewReader(greeting + call(1, "task_change", add) + "\n" + call(2, "task_change", add))
	env.Out, env.Tty = &out, &out
	if err := mcpserver.Serve(t.Context(), env, uicmd.MCPOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "bug: out of order"); n != 1 || strings.Count(r.ReadFile("ralph/plan.jsonl"), "Write it") != 1 {
		t.Errorf("%d bugs, and not one change: %s", n, &out)
	}
}

// TestIDsAreAnsweredAsTheyAre guards: no request is answered with another id than its own, which its client would wait for.
func TestIDsAreAnsweredAsTheyAre(t *testing.T) {
	var lines []string
	ids := []string{"9007199254740992", "9007199254740993", "-9007199254740993", "1763943600123456789", "1.5", `"9007199254740993"`}
	for _, id := range ids {
		lines = append(lines, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
	}
	var out strings.Builder
	env := envOf(newRepo(t, plan))
	env.In, env.Out, env.Tty = strings.NewReader(greeting+strings.Join(lines, "\n")), &out, &out
	if err := mcpserver.Serve(t.Context(), env, uicmd.MCPOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if n := strings.Count(out.String(), `"id":`+id+`,`); n != 1 {
			t.Errorf("%s has %d answers in %s", id, n, &out)
		}
	}
}
