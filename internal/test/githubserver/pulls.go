package githubserver

import (
	"fmt"
	"net/http"
	"strings"
)

// A Pull is a pull request. A test may change it within Do.
type Pull struct {
	Number      int
	Title, Body string
	Head, Base  string // branches of the repository
	State       string // "open" or "closed"
	Draft       bool
	Merged      bool
	HeadSHA     string // where it was merged or closed
	MergeCommit string
	Reviews     []Review
	checks      map[string]string
}

// A Review is one user's newest opinion.
type Review struct {
	User, State string // APPROVED, CHANGES_REQUESTED or DISMISSED
	Commit      string // that it is about
}

// Protection is what a branch asks of pull requests into it.
type Protection struct {
	Reviews int  // how many approvals
	Checks  bool // all have to pass
	Strict  bool // they have to contain the branch
}

// pulls are the pull requests of the repository. Its branches are those of a real one, which is bare.
type pulls struct {
	Origin    string // the directory of that repository
	Pulls     []*Pull
	Protected map[string]*Protection // by branch
	Methods   map[string]bool        // how pull requests may be merged; none: all ways
	Merging   func(*Pull)            // is called before a merge; nil: nothing is called
}

// firstPull is the number of the first pull request. GitHub counts them together with issues.
const firstPull = 5001

func (s *Server) pullRoutes() {
	const root = "/repos/" + Owner + "/" + Repo
	for key, handle := range map[string]http.HandlerFunc{
		"GET " + root + "/branches/*":    s.branch,
		"GET " + root + "/pulls":         s.listPulls,
		"POST " + root + "/pulls":        s.createPull,
		"GET " + root + "/pulls/*":       s.onPull(func(w http.ResponseWriter, r *http.Request, p *Pull) { Reply(w, r, http.StatusOK, s.restPull(p)) }),
		"PUT " + root + "/pulls/*/merge": s.onPull(s.mergePull),
	} {
		s.Handle[key] = handle
	}
}

// SetChecks sets how the checks of a commit went: SUCCESS, PENDING or FAILURE.
func (p *Pull) SetChecks(commit, state string) {
	if p.checks == nil {
		p.checks = map[string]string{}
	}
	p.checks[commit] = state
}

func (s *Server) branch(w http.ResponseWriter, r *http.Request) {
	name := Part(r, 1)
	commit := s.commitAt(name)
	if commit == "" {
		refuse(w, http.StatusNotFound, "Branch not found")
		return
	}
	Reply(w, r, http.StatusOK, map[string]any{"name": name, "commit": map[string]any{"sha": commit}, "protected": s.Protected[name] != nil})
}

// head returns the commit that a pull request is about.
func (s *Server) head(p *Pull) string {
	if p.State != "open" {
		return p.HeadSHA
	}
	return s.commitAt(p.Head)
}

func (s *Server) listPulls(w http.ResponseWriter, r *http.Request) {
	query, all := r.URL.Query(), []any{}
	for _, p := range s.Pulls {
		isState := query.Get("state") == "all" || p.State == "open" && query.Get("state") != "closed" || p.State == query.Get("state")
		isHead := query.Get("head") == "" || query.Get("head") == Owner+":"+p.Head
		if isState && isHead && (query.Get("base") == "" || query.Get("base") == p.Base) {
			all = append([]any{s.restPull(p)}, all...) // the newest first
		}
	}
	Reply(w, r, http.StatusOK, all)
}

func (s *Server) createPull(w http.ResponseWriter, r *http.Request) {
	f := bodyOf(r)
	head, base := f.text("head"), f.text("base")
	failed := func(message string) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintf(w, `{"message": "Validation Failed", "errors": [{"resource": "PullRequest", "code": "custom", "message": %q}], "status": "422"}`, message)
	}
	switch at := s.commitAt(head); {
	case at == "" || s.commitAt(base) == "":
		failed("head is invalid")
		return
	case s.isAncestor(at, s.commitAt(base)):
		failed("No commits between " + base + " and " + head)
		return
	}
	for _, p := range s.Pulls {
		if p.Head == head && p.Base == base && p.State == "open" {
			failed("A pull request already exists for " + Owner + ":" + head + ".")
			return
		}
	}
	p := &Pull{Number: firstPull + len(s.Pulls), Title: f.text("title"), Body: f.text("body"), Head: head, Base: base, State: "open"}
	s.Pulls = append(s.Pulls, p)
	Reply(w, r, http.StatusCreated, s.restPull(p))
}

// onPull finds the pull request of a path.
func (s *Server) onPull(do func(http.ResponseWriter, *http.Request, *Pull)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, p := range s.Pulls {
			if Part(r, 1) == fmt.Sprint(p.Number) {
				do(w, r, p)
				return
			}
		}
		refuse(w, http.StatusNotFound, "Not Found")
	}
}

// restPull is a pull request in the form of the REST interface.
func (s *Server) restPull(p *Pull) map[string]any {
	reference := func(branch, commit string) map[string]any {
		return map[string]any{
			"label": Owner + ":" + branch, "ref": branch, "sha": commit, "repo": map[string]any{"full_name": Owner + "/" + Repo},
		}
	}
	var mergedAt, mergeCommit any
	if p.Merged {
		mergedAt, mergeCommit = "2026-01-02T00:00:00Z", p.MergeCommit
	}
	return map[string]any{
		"number": p.Number, "title": p.Title, "body": p.Body, "state": p.State, "draft": p.Draft, "merged_at": mergedAt, "merge_commit_sha": mergeCommit,
		"html_url": s.webPull(p), "head": reference(p.Head, s.head(p)), "base": reference(p.Base, s.commitAt(p.Base)),
	}
}

func (s *Server) webPull(p *Pull) string {
	return fmt.Sprintf("%s/%s/%s/pull/%d", s.URL, Owner, Repo, p.Number)
}

// pullNode is a pull request in the form of the GraphQL interface.
func (s *Server) pullNode(number int) any {
	for _, p := range s.Pulls {
		if p.Number != number {
			continue
		}
		state, mergeCommit := strings.ToUpper(p.State), any(nil)
		if p.Merged {
			state, mergeCommit = "MERGED", map[string]any{"oid": p.MergeCommit}
		}
		mergeable := "MERGEABLE"
		if p.State == "open" && s.mergedTree(p) == "" {
			mergeable = "CONFLICTING"
		}
		decision, rollup, approvals := any(nil), any(nil), []any{}
		if d := s.decision(p); d != "" {
			decision = d
		}
		if c := p.checks[s.head(p)]; c != "" {
			rollup = map[string]any{"state": c}
		}
		for _, review := range p.Reviews {
			approvals = append(approvals, map[string]any{"state": review.State, "commit": map[string]any{"oid": review.Commit}})
		}
		return map[string]any{
			"number": p.Number, "url": s.webPull(p), "state": state, "isDraft": p.Draft, "headRefName": p.Head, "headRefOid": s.head(p),
			"baseRefName": p.Base, "mergeable": mergeable, "mergeStateStatus": s.mergeState(p), "reviewDecision": decision, "mergeCommit": mergeCommit,
			"commits":                  map[string]any{"nodes": []any{map[string]any{"commit": map[string]any{"oid": s.head(p), "statusCheckRollup": rollup}}}},
			"latestOpinionatedReviews": map[string]any{"nodes": approvals},
		}
	}
	return nil
}

// decision is what the reviews come to, "" where the branch asks for none.
func (s *Server) decision(p *Pull) string {
	rule := s.Protected[p.Base]
	if rule == nil || rule.Reviews == 0 {
		return ""
	}
	approved := 0
	for _, review := range p.Reviews {
		switch review.State {
		case "APPROVED":
			approved++
		case "CHANGES_REQUESTED":
			return "CHANGES_REQUESTED"
		}
	}
	if approved < rule.Reviews {
		return "REVIEW_REQUIRED"
	}
	return "APPROVED"
}

// mergeState is what GitHub makes of all that a pull request needs.
func (s *Server) mergeState(p *Pull) string {
	rule, checks := s.Protected[p.Base], p.checks[s.head(p)]
	decision := s.decision(p)
	switch {
	case p.State != "open":
		return "UNKNOWN"
	case s.mergedTree(p) == "":
		return "DIRTY"
	case p.Draft, decision != "" && decision != "APPROVED", rule != nil && rule.Checks && checks != "SUCCESS":
		return "BLOCKED"
	case rule != nil && rule.Strict && !s.isAncestor(s.commitAt(p.Base), s.head(p)):
		return "BEHIND"
	case checks != "" && checks != "SUCCESS":
		return "UNSTABLE"
	}
	return "CLEAN"
}
