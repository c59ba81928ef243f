package web

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"sync/atomic"
	"time"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loopback"
)

//go:embed page
var pageFiles embed.FS

// server answers the requests of one start.
type server struct {
	env      *term.Env
	write    bool // actions are allowed
	guard    *loopback.Guard
	runner   *inprocess.Runner
	places   *places
	overview *overview
	streams  chan struct{}
	reports  reports
	busy     atomic.Bool // a view was sent since memory was given back
}

// Limits of requests.
const (
	readTimeout  = 15 * time.Second // of a request's body
	writeTimeout = 30 * time.Second // of a reply; a stream has its own
	maxBody      = 1 << 20          // bytes
)

// handler returns what answers all requests.
func (s *server) handler(listeners *loopback.Listeners) http.Handler {
	data := http.NewServeMux()
	data.HandleFunc("GET /data/about", s.about)
	data.HandleFunc("GET /data/live", s.live)
	data.HandleFunc("GET /data/worktrees", s.worktrees)
	data.HandleFunc("POST /data/act", s.act)
	for name, v := range views() {
		data.Handle("GET /data/"+name, s.view(v))
	}
	all := http.NewServeMux()
	all.Handle("/data/", s.guard.Handler(data))
	all.HandleFunc("POST /csp-report", s.report)
	all.HandleFunc("/", file)
	return withHeaders(bounded(listeners.Local(all)))
}

// policy is what the page may do: load its own files, and talk to its own server. Text becomes markup nowhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; " +
	"base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /csp-report"

// withHeaders sets the headers that every reply has.
func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy":      policy,
			"X-Content-Type-Options":       "nosniff",
			"X-Frame-Options":              "DENY",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Embedder-Policy": "require-corp",
			"Permissions-Policy":           "camera=(), microphone=(), geolocation=()",
			"Cache-Control":                "no-store",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// bounded limits how long a request takes, and how large it is.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setDeadlines(w, readTimeout, writeTimeout)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// setDeadlines sets from now on how long reading and writing may take; 0: for ever.
func setDeadlines(w http.ResponseWriter, read, write time.Duration) {
	at := func(d time.Duration) (t time.Time) {
		if d > 0 {
			t = time.Now().Add(d)
		}
		return t
	}
	c := http.NewResponseController(w)
	c.SetReadDeadline(at(read))   //nolint:errcheck // connections of the server have deadlines
	c.SetWriteDeadline(at(write)) //nolint:errcheck // likewise
}

// typeOf returns the media type of a file of the page.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return "image/svg+xml"
}

// file answers with a file of the page. They hold nothing of the plan, and need no token.
func file(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "want GET", http.StatusMethodNotAllowed)
		return
	}
	name := path.Base(r.URL.Path)
	if r.URL.Path == "/" {
		name = "index.html"
	}
	text, err := fs.ReadFile(pageFiles, "page/"+name)
	if err != nil || r.URL.Path != "/" && r.URL.Path != "/"+name {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", typeOf(name))
	w.Write(text) //nolint:errcheck // the browser has gone
}

// failure is the JSON of an error.
type failure struct {
	Error string `json:"error"`
	Hint  string `json:"hint,omitempty"`
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	p := newPieces(w)
	p.value(value)
	p.Flush() //nolint:errcheck // the browser has gone
}
