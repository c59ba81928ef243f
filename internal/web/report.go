package web

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"git-ralph/internal/cli/term"
)

// reports counts what browsers report about the page's policy.
type reports struct {
	mu sync.Mutex
	n  int
}

// Limits of reports: anything on this machine can send them.
const (
	maxReports = 20
	maxReport  = 16 << 10 // bytes
	maxShown   = 200      // bytes of each part
)

// report shows the user what the policy kept the page from: that is a bug of the page, or an attack.
func (s *server) report(w http.ResponseWriter, r *http.Request) {
	var all struct {
		Report struct {
			Directive string `json:"violated-directive"`
			Blocked   string `json:"blocked-uri"`
			Source    string `json:"source-file"`
		} `json:"csp-report"`
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, maxReport))
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		reply(w, http.StatusBadRequest, failure{Error: "invalid report"})
		return
	}
	if s.reports.next() {
		shown := func(text string) string { return term.Printable(text[:min(len(text), maxShown)]) }
		s.env.Warn("the page's policy kept it from something: " + shown(all.Report.Directive) + " " + shown(all.Report.Blocked) + " " + shown(all.Report.Source))
	}
	w.WriteHeader(http.StatusNoContent)
}

func (r *reports) next() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return r.n <= maxReports
}
