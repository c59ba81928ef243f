package githubserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Owner and Repo name the repository of a server, and Token is the one that it accepts.
const (
	Owner = "octo"
	Repo  = "demo"
	Token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
)

// A Server is a GitHub with one repository.
type Server struct {
	URL    string // without a slash at its end
	Handle map[string]http.HandlerFunc

	mu       sync.Mutex
	fault    func(*http.Request) Fault
	requests []string
	failed   bool // the last git command
	*model
	pulls
}

// New returns a server that ends with the test.
func New(t testing.TB) *Server {
	s := &Server{Handle: map[string]http.HandlerFunc{}, model: newModel()}
	s.routes()
	s.pullRoutes()
	own := httptest.NewServer(http.HandlerFunc(s.serve))
	own.Config.ErrorLog = nil
	t.Cleanup(own.Close)
	s.URL = own.URL
	return s
}

// Fail sets which fault each request meets; nil: none.
func (s *Server) Fail(fault func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Do changes or reads what the server has while no request does.
func (s *Server) Do(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// Requests returns the requests so far, such as "GET /repos/octo/demo", and forgets them.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.requests
	s.requests = nil
	return all
}

// serve answers one request at a time.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, "/api/v3")
	s.requests = append(s.requests, r.Method+" "+path)
	if r.Header.Get("Authorization") != "Bearer "+Token {
		refuse(w, http.StatusUnauthorized, "Bad credentials")
		return
	}
	fault := None
	if s.fault != nil {
		fault = s.fault(r)
	}
	if fault.before(w) {
		return
	}
	answer := httptest.NewRecorder()
	s.dispatch(answer, r, path)
	fault.after(w, answer)
}

// dispatch finds who answers: a handler's key is a method and a path, the parts of which may be "*".
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, path string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-RateLimit-Limit", "5000")
	w.Header().Set("X-RateLimit-Remaining", "4987")
	w.Header().Set("X-RateLimit-Reset", "4102444800")
	for key, handle := range s.Handle {
		if matches(key, r.Method+" "+path) {
			handle(w, r)
			return
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
}

func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != got[i] {
			return false
		}
	}
	return true
}

// Part returns a part of a request's path below the repository, counted from 0.
func Part(r *http.Request, n int) string {
	_, rest, _ := strings.Cut(r.URL.Path, "/repos/"+Owner+"/"+Repo+"/")
	parts := strings.Split(rest, "/")
	if n >= len(parts) {
		return ""
	}
	return parts[n]
}

// Reply answers with JSON. A query is answered with "not modified" where the caller has the same reply.
func Reply(w http.ResponseWriter, r *http.Request, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	if r.Method == http.MethodGet {
		tag := etag(body)
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.WriteHeader(status)
	w.Write(body) //nolint:errcheck // it is a recorder
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"message": %q, "documentation_url": "https://docs.github.com/rest", "status": "%d"}`, message, status)
}

// Refuse answers with an error as GitHub writes one.
func Refuse(w http.ResponseWriter, status int, message string) { refuse(w, status, message) }
