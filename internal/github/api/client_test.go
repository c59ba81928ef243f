package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/github"
	"git-ralph/internal/github/api"
	"git-ralph/internal/test/githubserver"
)

// A bench is a client of a server, with a clock that only waiting moves.
type bench struct {
	*testing.T
	server  *githubserver.Server
	options api.Options
	clock   time.Time
	waited  []time.Duration
	calls   []api.Call
}

func newBench(t *testing.T) *bench {
	b := &bench{T: t, server: githubserver.New(t), clock: time.Unix(0, 0)}
	b.options = api.Options{
		Target: targetAt(t, b.server.URL), Dir: t.TempDir(), Environ: []string{"GH_TOKEN=" + githubserver.Token}, Cache: t.TempDir(), Version: "1",
		Now: func() time.Time { return b.clock },
		Sleep: func(_ context.Context, d time.Duration) error {
			b.clock = b.clock.Add(d)
			b.waited = append(b.waited, d)
			return nil
		},
		Called: func(c api.Call) { b.calls = append(b.calls, c) },
	}
	return b
}

func targetAt(t *testing.T, url string) github.Target {
	target, _, err := github.TargetOf(func(key string) (string, bool) {
		v, ok := map[string]string{"ralph.github.host": url, "ralph.github.owner": githubserver.Owner, "ralph.github.repo": githubserver.Repo}[key]
		return v, ok
	}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// once has the first request meet a fault.
func once(fault githubserver.Fault) func(*http.Request) githubserver.Fault {
	return func(*http.Request) githubserver.Fault {
		defer func() { fault = githubserver.None }()
		return fault
	}
}

// TestQueriesAreRepeated guards: no fault keeps a query from its answer, and what GitHub asks for is waited.
func TestQueriesAreRepeated(t *testing.T) {
	for fault, want := range map[githubserver.Fault]string{
		githubserver.None: "[]", githubserver.DropBefore: "[1s]", githubserver.DropAfter: "[1s]", githubserver.HalfBody: "[1s]", githubserver.BadGateway: "[1s]",
		githubserver.BadGatewayOf: "[1s]", githubserver.TooMany: "[2s]", githubserver.Secondary: "[3s]",
		githubserver.SecondaryBare: "[10s 10s 10s 10s 10s 10s]", githubserver.Primary: "[6s]",
	} {
		b := newBench(t)
		b.server.Fail(once(fault))
		var repo struct {
			Branch string `json:"default_branch"`
		}
		if err := api.New(b.options).Get(t.Context(), b.options.Target.Path(""), &repo); err != nil || repo.Branch != "main" || fmt.Sprint(b.waited) != want {
			t.Errorf("fault %d: %v, %q, waited %v, want %s", fault, err, repo.Branch, b.waited, want)
		}
		b.waited, b.clock = nil, time.Unix(0, 0)
		b.server.Fail(once(fault))
		var data struct{ Repository map[string]any }
		err := api.New(b.options).Query(t.Context(), "RalphIssues", "query RalphIssues { }", map[string]any{"size": 1}, &data)
		if err != nil || data.Repository["issues"] == nil || fmt.Sprint(b.waited) != want {
			t.Errorf("fault %d of a query: %v, %v, waited %v, want %s", fault, err, data, b.waited, want)
		}
	}
}

// TestCreatesAreNotRepeated guards: a create whose reply was lost is not sent again, and its error says that it may have happened. One
// that GitHub refused for now is sent again.
func TestCreatesAreNotRepeated(t *testing.T) {
	for fault, want := range map[githubserver.Fault]struct {
		created   int
		uncertain bool
	}{
		githubserver.DropBefore: {0, true}, githubserver.DropAfter: {1, true}, githubserver.HalfBody: {1, true}, githubserver.BadGateway: {0, true},
		githubserver.BadGatewayOf: {1, true}, githubserver.TooMany: {1, false}, githubserver.Secondary: {1, false}, githubserver.Primary: {1, false},
	} {
		b := newBench(t)
		b.server.Fail(once(fault))
		var issue struct{ Number int }
		err := api.New(b.options).Send(t.Context(), http.MethodPost, b.options.Target.Path("/issues"), map[string]any{"title": "One"}, &issue)
		_, uncertain := errors.AsType[*api.UncertainError](err)
		if uncertain != want.uncertain || len(b.server.Issues) != want.created || !uncertain && (err != nil || issue.Number != 1) {
			t.Errorf("fault %d: %v, %d issues", fault, err, len(b.server.Issues))
		}
	}
}

// TestLimitsAreCapped guards: a limit that lasts long ends the command, and a change waits a second after the one before.
func TestLimitsAreCapped(t *testing.T) {
	b := newBench(t)
	b.server.Fail(func(*http.Request) githubserver.Fault { return githubserver.SecondaryBare })
	err := api.New(b.options).Get(t.Context(), b.options.Target.Path(""), nil)
	if _, ok := errors.AsType[*api.LimitError](err); !ok || b.clock.Sub(time.Unix(0, 0)) != 15*time.Minute {
		t.Errorf("%v after %v", err, b.clock.Sub(time.Unix(0, 0)))
	}
	b.server.Fail(nil)
	b.waited = nil
	client := api.New(b.options)
	for range 2 {
		if err := client.Send(t.Context(), http.MethodPost, b.options.Target.Path("/issues"), map[string]any{"title": "One"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(b.waited) != "[1s]" {
		t.Errorf("waited %v", b.waited)
	}
}

// TestPages guards: all pages are read, 100 elements each, and those that did not change are not sent again, or counted.
func TestPages(t *testing.T) {
	b := newBench(t)
	for n := range 250 {
		b.server.Add(&githubserver.Issue{Title: fmt.Sprint(n)})
	}
	for _, want := range []string{"200 200 200", "304 304 304", "304 200 304"} {
		b.calls = nil
		var all []json.RawMessage
		err := api.New(b.options).Pages(t.Context(), b.options.Target.Path("/issues?per_page=100"), func(page []json.RawMessage) error {
			all = append(all, page...)
			return nil
		})
		got := ""
		for _, c := range b.calls {
			got += fmt.Sprint(c.Status, " ")
		}
		if err != nil || len(all) != 250 || strings.TrimSpace(got) != want {
			t.Errorf("%v, %d issues, %s", err, len(all), got)
		}
		if strings.HasPrefix(want, "304 304") {
			b.server.Issues[150].Title = "changed"
		}
	}
}

// TestErrorsOfQueries guards: data that comes with errors is there, as are the errors.
func TestErrorsOfQueries(t *testing.T) {
	b := newBench(t)
	b.server.Add(&githubserver.Issue{Title: "One"})
	var data struct{ Repository map[string]any }
	err := api.New(b.options).Query(t.Context(), "RalphNumbers", "query RalphNumbers { i1: issue(number: 1) i7: issue(number: 7) }", nil, &data)
	failed, ok := errors.AsType[*api.QueryError](err)
	if !ok || !failed.Only("NOT_FOUND") || data.Repository["i1"] == nil {
		t.Errorf("%v, %v", err, data)
	}
}

// TestNoData guards: a reply that is JSON, but has neither data nor errors, is an error that says so.
func TestNoData(t *testing.T) {
	b := newBench(t)
	b.server.Handle["POST /api/graphql"] = func(w http.ResponseWriter, r *http.Request) { githubserver.Reply(w, r, http.StatusOK, nil) }
	var data json.RawMessage
	if err := api.New(b.options).Query(t.Context(), "RalphIssues", "query RalphIssues {}", nil, &data); err == nil || err.Error() != "GitHub answered RalphIssues without data" {
		t.Error(err)
	}
}

// TestFarReset guards: a limit that ends in thousands of years is an error at once, and not asked for again and again.
func TestFarReset(t *testing.T) {
	b := newBench(t)
	b.server.Handle["GET /repos/octo/demo"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", "99999999999")
		githubserver.Refuse(w, http.StatusForbidden, "API rate limit exceeded")
	}
	err := api.New(b.options).Get(t.Context(), b.options.Target.Path(""), nil)
	if _, ok := errors.AsType[*api.LimitError](err); !ok || len(b.server.Requests()) != 1 {
		t.Error(err)
	}
}

// TestRedirects guards: the token is sent to no other host, and a change is not made a query.
func TestRedirects(t *testing.T) {
	b := newBench(t)
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	for key, to := range map[string]string{"GET /repos/octo/demo/away": other.URL, "POST /repos/octo/demo/moved": b.server.URL + "/api/v3/repos/octo/demo"} {
		b.server.Handle[key] = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusMovedPermanently) }
	}
	client := api.New(b.options)
	if err := client.Get(t.Context(), b.options.Target.Path("/away"), nil); !api.IsStatus(err, http.StatusMovedPermanently) || asked {
		t.Error(err, asked)
	}
	if err := client.Send(t.Context(), http.MethodPost, b.options.Target.Path("/moved"), nil, nil); !api.IsStatus(err, http.StatusMovedPermanently) {
		t.Error(err)
	}
	b.server.Handle["GET /repos/octo/demo/pages"] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<"+other.URL+`/2>; rel="next"`)
		githubserver.Reply(w, r, http.StatusOK, []int{})
	}
	if err := client.Pages(t.Context(), b.options.Target.Path("/pages"), func([]json.RawMessage) error { return nil }); err == nil || asked {
		t.Error(err, asked)
	}
}

// TestToken guards where the token comes from, that it is in no process's arguments, and that without one nothing is sent.
func TestToken(t *testing.T) {
	bin := t.TempDir()
	for name, script := range map[string]string{
		"gh":     "#!/bin/sh\necho \"$@\" >> \"$LOG\"\n[ -n \"$GH_SAYS\" ] && echo \"$GH_SAYS\"\n",
		"helper": "#!/bin/sh\necho \"$@\" >> \"$LOG\"\ncat >> \"$LOG.input\"\n[ \"$1\" = get ] && [ -n \"$HELPER_SAYS\" ] && echo username=u && echo password=$HELPER_SAYS\nexit 0\n",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		environ, want string // the requests to gh and the helper, and the error
	}{
		{"GH_TOKEN=" + githubserver.Token + " GITHUB_TOKEN=other", ""},
		{"GITHUB_TOKEN=" + githubserver.Token, ""},
		{"GH_SAYS=" + githubserver.Token, "auth token"},
		{"HELPER_SAYS=" + githubserver.Token, "auth token get store"},
		{"HELPER_SAYS=wrong", "auth token get erase: Bad credentials"},
		{"", "auth token get: there is no token"},
	} {
		b := newBench(t)
		log := filepath.Join(t.TempDir(), "log")
		b.options.Environ = append(
			strings.Fields(row.environ), "LOG="+log, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=credential.helper", "GIT_CONFIG_VALUE_0="+filepath.Join(bin, "helper"), "GIT_CONFIG_NOSYSTEM=1",
		)
		err := api.New(b.options).Get(t.Context(), b.options.Target.Path(""), nil)
		asked, _ := os.ReadFile(log) //nolint:errcheck // without a request it is not there
		got := strings.Join(strings.Fields(strings.ReplaceAll(string(asked), "--hostname "+b.options.Target.Host, "")), " ")
		want, text, _ := strings.Cut(row.want, ": ")
		if got != want || (err != nil) != (text != "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("%s: asked %q, %v", row.environ, got, err)
		}
		if sent := b.server.Requests(); (len(sent) > 0) == strings.Contains(text, "no token") {
			t.Errorf("%s: %v", row.environ, sent)
		}
	}
}

// TestTokenIsNotShown guards: what GitHub, or a proxy, repeats of a token or of other secrets is in no error and in no call, and the
// cache has none.
func TestTokenIsNotShown(t *testing.T) {
	b := newBench(t)
	path := b.options.Target.Path("/echo")
	for _, method := range []string{"GET", "POST"} {
		b.server.Handle[method+" "+path] = func(w http.ResponseWriter, r *http.Request) {
			githubserver.Refuse(w, http.StatusUnprocessableEntity, r.Header.Get("Authorization")+"\n\x1b[2J of postgres://u:s3cret-pass@db/x")
		}
	}
	client := api.New(b.options)
	var texts []string
	for _, err := range []error{
		client.Get(t.Context(), path, nil), client.Send(t.Context(), http.MethodPost, path, nil, nil), client.Get(t.Context(), b.options.Target.Path(""), nil),
	} {
		texts = append(texts, fmt.Sprintf("%v %#v", err, err))
	}
	texts = append(texts, fmt.Sprintf("%+v", b.calls))
	files, _ := filepath.Glob(filepath.Join(b.options.Cache, "*")) //nolint:errcheck // the pattern is valid
	for _, file := range files {
		text, _ := os.ReadFile(file) //nolint:errcheck // it was listed
		texts = append(texts, string(text))
	}
	if len(files) != 1 {
		t.Errorf("kept: %v", files)
	}
	for _, secret := range []string{githubserver.Token, "s3cret-pass", "\x1b", "\n"} {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, secret) }) {
			t.Errorf("%q is in %q", secret, texts)
		}
	}
}
