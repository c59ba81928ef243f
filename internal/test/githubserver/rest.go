package githubserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// routes are the paths of the REST interface, and GraphQL.
func (s *Server) routes() {
	const root = "/repos/" + Owner + "/" + Repo
	for key, handle := range map[string]http.HandlerFunc{
		"GET " + root:                                        s.repository,
		"GET " + root + "/issues":                            s.list,
		"POST " + root + "/issues":                           s.create,
		"GET " + root + "/issues/*":                          s.one(func(*Issue, fields) {}),
		"PATCH " + root + "/issues/*":                        s.one(s.edit),
		"POST " + root + "/issues/*/labels":                  s.one(func(i *Issue, f fields) { addTo(&i.Labels, f.texts("labels")...) }),
		"DELETE " + root + "/issues/*/labels/*":              s.unlabel,
		"POST " + root + "/issues/*/assignees":               s.one(func(i *Issue, f fields) { addTo(&i.Assignees, f.texts("assignees")...) }),
		"GET " + root + "/issues/*/comments":                 s.comments,
		"POST " + root + "/issues/*/comments":                s.comment,
		"POST " + root + "/issues/*/dependencies/blocked_by": s.block,
		"POST " + root + "/issues/*/sub_issues":              s.adopt,
		"POST /api/graphql":                                  s.graphql,
	} {
		s.Handle[key] = handle
	}
}

// fields are the members of a request's body.
type fields map[string]any

func bodyOf(r *http.Request) fields {
	f := fields{}
	text, _ := io.ReadAll(r.Body)
	json.Unmarshal(text, &f) //nolint:errcheck // a query has no body
	return f
}

func (f fields) text(name string) string { v, _ := f[name].(string); return v }

func (f fields) number(name string) int { v, _ := f[name].(float64); return int(v) }

func (f fields) texts(name string) (all []string) {
	list, _ := f[name].([]any)
	for _, v := range list {
		if text, ok := v.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

func (s *Server) repository(w http.ResponseWriter, r *http.Request) {
	Reply(w, r, http.StatusOK, map[string]any{
		"id": 1296269, "name": Repo, "full_name": Owner + "/" + Repo, "owner": map[string]any{"login": Owner, "type": "User"}, "default_branch": "main",
	})
}

// list answers with a page of issues, and names the next one.
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	size, page := pageOf(r.URL.Query())
	from := min((page-1)*size, len(s.Issues))
	to := min(from+size, len(s.Issues))
	all := []any{}
	for _, i := range s.Issues[from:to] {
		switch one := s.rest(i); {
		case i.Gone != Stayed:
		case i.IsPull:
			one["pull_request"] = map[string]any{"url": s.URL + "/pulls"}
			fallthrough
		default:
			all = append(all, one)
		}
	}
	if to < len(s.Issues) {
		query := r.URL.Query()
		query.Set("page", strconv.Itoa(page+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next", <%[1]s%[2]s?page=99>; rel="last"`, s.URL, r.URL.Path, query.Encode()))
	}
	Reply(w, r, http.StatusOK, all)
}

func pageOf(query url.Values) (size, page int) {
	size, page = 30, 1
	if n, err := strconv.Atoi(query.Get("per_page")); err == nil {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(query.Get("page")); err == nil {
		page = n
	}
	return size, page
}

// rest is an issue in the form of the REST interface.
func (s *Server) rest(i *Issue) map[string]any {
	labels := []any{}
	for _, name := range i.Labels {
		labels = append(labels, map[string]any{"id": 208045946, "name": name, "color": "ededed", "default": false, "description": nil})
	}
	assignees := []any{}
	for _, login := range i.Assignees {
		assignees = append(assignees, map[string]any{"login": login, "type": "User"})
	}
	var reason any
	if i.Reason != "" {
		reason = i.Reason
	}
	return map[string]any{
		"id": i.databaseID(), "node_id": i.nodeID(), "number": i.Number, "title": i.Title, "body": i.Body, "state": i.State, "state_reason": reason,
		"html_url": s.web(i), "user": map[string]any{"login": i.Author, "type": "User"}, "author_association": association(i.Author), "labels": labels,
		"assignees": assignees, "comments": len(i.Comments), "created_at": i.Created, "updated_at": i.Updated, "locked": false,
	}
}

func (s *Server) web(i *Issue) string {
	return fmt.Sprintf("%s/%s/%s/issues/%d", s.URL, Owner, Repo, i.Number)
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	f := bodyOf(r)
	if f.text("title") == "" {
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed")
		return
	}
	i := s.Add(&Issue{Title: f.text("title"), Body: f.text("body"), Labels: f.texts("labels"), Assignees: f.texts("assignees")})
	Reply(w, r, http.StatusCreated, s.rest(i))
}

// one answers with the issue of a path, after a change.
func (s *Server) one(change func(*Issue, fields)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		i := s.at(w, r)
		if i == nil {
			return
		}
		if r.Method != http.MethodGet {
			change(i, bodyOf(r))
			s.Touch(i)
		}
		Reply(w, r, http.StatusOK, s.rest(i))
	}
}

func (s *Server) at(w http.ResponseWriter, r *http.Request) *Issue {
	number, _ := strconv.Atoi(Part(r, 1))
	i := s.Issue(number)
	switch {
	case i == nil:
		refuse(w, http.StatusNotFound, "Not Found")
	case i.Gone == Deleted:
		refuse(w, http.StatusGone, "This issue was deleted")
	case i.Gone == Transferred:
		w.Header().Set("Location", s.URL+"/api/v3/repositories/7/issues/1")
		refuse(w, http.StatusMovedPermanently, "Moved Permanently")
	default:
		return i
	}
	return nil
}

func (s *Server) edit(i *Issue, f fields) {
	if f.text("state") == "closed" && i.State != "closed" {
		i.Closed = s.time()
	}
	for name, at := range map[string]*string{"title": &i.Title, "body": &i.Body, "state": &i.State, "state_reason": &i.Reason} {
		if v, ok := f[name].(string); ok {
			*at = v
		}
	}
	if _, ok := f["labels"]; ok {
		i.Labels = f.texts("labels")
	}
}

func (s *Server) unlabel(w http.ResponseWriter, r *http.Request) {
	i := s.at(w, r)
	if i == nil {
		return
	}
	n := slices.Index(i.Labels, Part(r, 3))
	if n < 0 {
		refuse(w, http.StatusNotFound, "Label does not exist")
		return
	}
	i.Labels = slices.Delete(i.Labels, n, n+1)
	s.Touch(i)
	Reply(w, r, http.StatusOK, s.rest(i)["labels"])
}

func (s *Server) comment(w http.ResponseWriter, r *http.Request) {
	if i := s.at(w, r); i != nil {
		c := s.Comment(i, Viewer, bodyOf(r).text("body"))
		Reply(w, r, http.StatusCreated, map[string]any{
			"id": c.ID, "body": c.Body, "user": map[string]any{"login": c.Author}, "created_at": c.Created, "html_url": fmt.Sprintf("%s#issuecomment-%d", s.web(i), c.ID),
		})
	}
}

func (s *Server) comments(w http.ResponseWriter, r *http.Request) {
	i := s.at(w, r)
	if i == nil {
		return
	}
	all := []any{}
	for _, c := range i.Comments {
		all = append(all, map[string]any{"id": c.ID, "body": c.Body, "user": map[string]any{"login": c.Author}, "created_at": c.Created, "author_association": association(c.Author)})
	}
	Reply(w, r, http.StatusOK, all)
}

// byID returns the issue that a request names by its id.
func (s *Server) byID(id int) *Issue {
	for _, i := range s.Issues {
		if i.databaseID() == id {
			return i
		}
	}
	return nil
}

func (s *Server) block(w http.ResponseWriter, r *http.Request) {
	i, other := s.at(w, r), s.byID(bodyOf(r).number("issue_id"))
	switch {
	case i == nil:
	case other == nil || slices.Contains(i.BlockedBy, other.Number):
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed")
	default:
		addTo(&i.BlockedBy, other.Number)
		s.Touch(i)
		Reply(w, r, http.StatusCreated, s.rest(i))
	}
}

func (s *Server) adopt(w http.ResponseWriter, r *http.Request) {
	f := bodyOf(r)
	i, child := s.at(w, r), s.byID(f.number("sub_issue_id"))
	switch {
	case i == nil:
	case child == nil || child.Parent != 0 && f["replace_parent"] != true:
		refuse(w, http.StatusUnprocessableEntity, "Validation Failed")
	default:
		child.Parent = i.Number
		s.Touch(child)
		Reply(w, r, http.StatusCreated, s.rest(i))
	}
}
