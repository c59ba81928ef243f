package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/hub"
	"git-ralph/internal/hub/transport"
)

// stdioHub makes the test binary a hub on its standard streams.
const stdioHub = "GIT_RALPH_TEST_STDIO_HUB"

func TestMain(m *testing.M) {
	if os.Getenv(stdioHub) != "" {
		if err := newServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type taskArgs struct {
	TaskID string `json:"task_id"`
	Status string `json:"status,omitempty"`
}

// newServer returns a hub with the tools for one task.
func newServer() *mcp.Server {
	status := "todo"
	s := mcp.NewServer(&mcp.Implementation{Name: "hub", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "get_task"}, func(_ context.Context, _ *mcp.CallToolRequest, a taskArgs) (*mcp.CallToolResult, any, error) {
		return nil, map[string]string{"id": a.TaskID, "status": status}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "update_task_status"}, func(_ context.Context, _ *mcp.CallToolRequest, a taskArgs) (*mcp.CallToolResult, any, error) {
		if a.Status == "progress" {
			return nil, nil, fmt.Errorf("invalid status %q", a.Status)
		}
		status = a.Status
		return nil, map[string]string{"id": a.TaskID, "status": status}, nil
	})
	return s
}

// TestMCP guards: the tools of a hub are listed and called in the same way over all three transports.
func TestMCP(t *testing.T) {
	server := newServer()
	get := func(*http.Request) *mcp.Server { return server }
	streamable := httptest.NewServer(mcp.NewStreamableHTTPHandler(get, nil))
	sse := httptest.NewServer(mcp.NewSSEHandler(get, nil))
	t.Cleanup(streamable.Close)
	t.Cleanup(sse.CloseClientConnections)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"streamable HTTP": streamable.URL + "/mcp", "SSE": sse.URL + "/sse", "SSE under another name": sse.URL + "/hub", "stdio": self,
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, hub.Settings{MCP: target})
			text, tools, err := c.Describe(t.Context())
			if err != nil || strings.Join(tools, " ") != "get_task update_task_status" || !strings.Contains(text, "task_id") {
				t.Fatalf("%q %q %v", text, tools, err)
			}
			for _, row := range []struct {
				tool string
				body map[string]any
				want string
			}{
				{"update_task_status", map[string]any{"task_id": "1", "status": "done"}, `200 {"id":"1","status":"done"}`},
				{"get_task", map[string]any{"task_id": "1"}, `200 {"id":"1","status":"done"}`},
				{"update_task_status", map[string]any{"task_id": "1", "status": "progress"}, `200 {"error":"invalid status \"progress\""}`},
				{"get_workstream", map[string]any{}, `404 `},
			} {
				r, err := c.Send(t.Context(), hub.Request{Tool: row.tool, Body: row.body})
				if got := fmt.Sprintf("%d %s", r.Status, r.Body); err != nil || !strings.HasPrefix(got, row.want) {
					t.Errorf("%s: %s, %v", row.tool, got, err)
				}
			}
		})
	}
}

func connect(t *testing.T, s hub.Settings) transport.Connection {
	t.Helper()
	c, err := transport.Connect(t.Context(), transport.Options{
		Settings: s, Dir: t.TempDir(), Environ: append(os.Environ(), stdioHub+"=1"), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestUnreachable guards: what certainly was not sent is marked so, over each transport.
func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, s := range []hub.Settings{{URL: closed.URL}, {MCP: closed.URL}, {MCP: "git-ralph-no-such-program --mcp"}} {
		_, err := connect(t, s).Send(t.Context(), hub.Request{Method: "GET", Path: "/tasks/1", Tool: "get_task"})
		if !errors.Is(err, hub.ErrNotSent) || strings.Contains(err.Error(), closed.URL) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestSilentHub guards: a hub that accepts a call and never answers is not waited for without end, over each transport.
func TestSilentHub(t *testing.T) {
	done := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" && r.URL.Path == "/sse" {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "event: endpoint\ndata: /messages\n\n")
			w.(http.Flusher).Flush()
		}
		select {
		case <-done:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(silent.Close)
	t.Cleanup(func() { close(done) })
	for _, s := range []hub.Settings{{URL: silent.URL}, {MCP: silent.URL + "/mcp"}, {MCP: silent.URL + "/sse"}, {MCP: "sleep 1000"}} {
		t.Run(string(s.Protocol())+strings.TrimPrefix(s.Target(), silent.URL), func(t *testing.T) {
			t.Parallel() // the SDK takes seconds to end a connection that is silent
			c, err := transport.Connect(t.Context(), transport.Options{Settings: s, Dir: t.TempDir(), Environ: os.Environ(), Limit: 50 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_, err = c.Send(t.Context(), hub.Request{Method: "GET", Path: "/tasks/1", Tool: "get_task"})
			if err == nil || !strings.Contains(err.Error(), "it took more than 50ms") {
				t.Errorf("%+v: %v", s, err)
			}
		})
	}
}

// TestRedirects guards: a redirect to another host is not followed, so that no credentials go there, and neither is one that makes a
// query of a change, whose reply would look as if the change had been made. The reply says where it points.
func TestRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host got a request") }))
	defer other.Close()
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/near":
			http.Redirect(w, r, "/near/", http.StatusTemporaryRedirect)
		case "/moved":
			http.Redirect(w, r, "/near/", http.StatusMovedPermanently)
		default:
			fmt.Fprint(w, r.Method)
		}
	}))
	defer own.Close()
	c := connect(t, hub.Settings{URL: own.URL + "/"})
	if r, err := c.Send(t.Context(), hub.Request{Method: "POST", Path: "/away", Body: map[string]any{}}); err != nil || r.Status != http.StatusTemporaryRedirect || r.Reason != "Temporary Redirect" || r.Location != other.URL {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := c.Send(t.Context(), hub.Request{Method: "PATCH", Path: "/moved", Body: map[string]any{}}); err != nil || r.Status != http.StatusMovedPermanently {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := c.Send(t.Context(), hub.Request{Method: "GET", Path: "/moved"}); err != nil || r.Body != "GET" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := c.Send(t.Context(), hub.Request{Method: "POST", Path: "/near", Body: map[string]any{}}); err != nil || r.Body != "POST" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEndlessReply guards: a reply without end is not read without end, over each transport, and is not taken for an answer.
func TestEndlessReply(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := "application/json"
		if r.URL.Path == "/sse" {
			kind = "text/event-stream"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, "{}") // white space after it would still be JSON
		for blank := []byte(strings.Repeat(" ", 1<<16)); ; {
			if _, err := w.Write(blank); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	for target, want := range map[string]string{
		server.URL: "more than 16 MiB", server.URL + "/mcp": "more than 16 MiB", server.URL + "/sse": "terminated",
		`sh -c "printf '\"'; yes a | tr -d '\n'"`: "", // what it is depends on who notices first
	} {
		s := hub.Settings{MCP: target}
		if target == server.URL {
			s = hub.Settings{URL: target}
		}
		_, err := connect(t, s).Send(t.Context(), hub.Request{Method: "PATCH", Path: "/tasks/1", Tool: "get_task"})
		if err == nil || errors.Is(err, hub.ErrNotSent) == (s.URL != "") || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestForeignDescription guards: a page to log in is not taken for what the hub says of itself.
func TestForeignDescription(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!DOCTYPE html>in_progress")
	}))
	defer server.Close()
	if text, _, err := connect(t, hub.Settings{URL: server.URL}).Describe(t.Context()); !errors.Is(err, hub.ErrNoAnswer) {
		t.Errorf("%q, %v", text, err)
	}
}
