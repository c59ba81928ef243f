package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/mcpserver"
	"git-ralph/internal/test/gittest"
)

// where is what the server prints about itself.
type where struct{ URL, Token string }

// serveHTTP starts a server. Stop ends it and returns the error of Serve.
func serveHTTP(t *testing.T, r *gittest.Repo) (at where, stop func() error) {
	t.Helper()
	out, sink := io.Pipe()
	env := envOf(r)
	env.In, env.Out, env.Tty = strings.NewReader(""), sink, sink
	ctx, cancel := context.WithCancelCause(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- mcpserver.Serve(ctx, env, uicmd.MCPOptions{HTTP: true})
		sink.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || json.Unmarshal([]byte(line), &at) != nil {
		t.Fatalf("%q: %v %v", line, err, <-served)
	}
	return at, func() error {
		cancel(errStopped)
		return <-served
	}
}

var errStopped = errors.New("stopped")

// post sends a message, and returns the status and body of the answer.
func post(t *testing.T, url, body string, headers ...string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if request.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// HTTP is on loopback alone, and for whoever has the token: neither another user of this machine nor a page in a browser is answered.
func TestHTTPNeedsTheToken(t *testing.T) {
	r := newRepo(t, plan)
	at, stop := serveHTTP(t, r)
	if !strings.HasPrefix(at.URL, "http://127.0.0.1:") || len(at.Token) < 20 {
		t.Fatalf("%+v", at)
	}
	next := call(1, "query", `{"what": "next"}`)
	bearer := "Bearer " + at.Token
	for _, c := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"the token", []string{"Authorization", bearer}, http.StatusOK},
		{"no token", nil, http.StatusUnauthorized},
		{"another token", []string{"Authorization", bearer + "x"}, http.StatusUnauthorized},
		{"a page of another site", []string{"Authorization", bearer, "Origin", "https://example.com", "Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"another name for this address", []string{"Authorization", bearer, "Host", "example.com"}, http.StatusForbidden},
	} {
		status, body := post(t, at.URL, next, c.headers...)
		if status != c.status || strings.Contains(body, "t-1") != (status == http.StatusOK) {
			t.Errorf("%s: %d %s", c.name, status, body)
		}
	}
	if status, _ := post(t, strings.TrimSuffix(at.URL, "/mcp")+"/", next, "Authorization", bearer); status != http.StatusNotFound {
		t.Errorf("another path: %d", status)
	}
	if err := stop(); !errors.Is(err, errStopped) {
		t.Errorf("ends with %v", err)
	}
}

// The user's own token is used, and not shown; one that can be guessed is refused. Commands and checks do not see it.
func TestHTTPTokenOfTheUser(t *testing.T) {
	own := strings.Repeat("s3cret-", 4)
	r := newRepo(t, plan)
	at, stop := serveHTTP(t, r.With(t).Setenv("GIT_RALPH_MCP_TOKEN", own))
	if at.Token != "" {
		t.Error("the token is printed")
	}
	if status, body := post(t, at.URL, call(1, "query", `{"what": "next"}`), "Authorization", "Bearer "+own); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	stop() //nolint:errcheck // see above
	env := envOf(r.With(t).Setenv("GIT_RALPH_MCP_TOKEN", "short"))
	env.Out, env.Tty = io.Discard, io.Discard
	if err := mcpserver.Serve(t.Context(), env, uicmd.MCPOptions{HTTP: true}); err == nil || !strings.Contains(err.Error(), "20 or more") {
		t.Errorf("a short token: %v", err)
	}
}
