package githubserver

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
)

// Patterns find the name of a query, and the issues that it asks for one by one. An answer has all fields that any query asks for.
const (
	operation = `^\s*(?:query|mutation) (\w+)`
	numbered  = `i(\d+): issue\(number: ?(\d+)\)`
)

func (s *Server) graphql(w http.ResponseWriter, r *http.Request) {
	f := bodyOf(r)
	query, variables := f.text("query"), fields{}
	if v, ok := f["variables"].(map[string]any); ok {
		variables = v
	}
	name := ""
	if m := regexp.MustCompile(operation).FindStringSubmatch(query); m != nil {
		name = m[1]
	}
	switch name {
	case "RalphIssues":
		data(w, r, "repository", map[string]any{"issues": s.page(s.selected(variables), variables)})
	case "RalphSearch":
		data(w, r, "search", s.page(slices.DeleteFunc(slices.Clone(s.Issues), func(i *Issue) bool { return i.Gone != Stayed }), variables))
	case "RalphNumbers":
		s.numbers(w, r, query)
	case "RalphPull":
		data(w, r, "repository", map[string]any{"pullRequest": s.pullNode(variables.number("number"))})
	case "RalphProject":
		data(w, r, "repositoryOwner", map[string]any{"projectV2": s.project(variables)})
	case "RalphAddToProject":
		s.addToProject(w, r, variables)
	case "RalphSetField":
		s.setField(w, r, variables)
	default:
		Reply(w, r, http.StatusOK, map[string]any{"errors": []any{map[string]any{"message": "Unknown operation " + name}}})
	}
}

func data(w http.ResponseWriter, r *http.Request, name string, value any) {
	Reply(w, r, http.StatusOK, map[string]any{"data": map[string]any{name: value}})
}

// selected returns the issues with one of the labels that a query names, which changed since the time that it names.
func (s *Server) selected(variables fields) (some []*Issue) {
	labels := variables.texts("labels")
	for _, i := range s.Issues {
		if i.Updated < variables.text("since") || i.IsPull || i.Gone != Stayed {
			continue
		}
		if len(labels) == 0 || slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(i.Labels, l) }) {
			some = append(some, i)
		}
	}
	return some
}

// page is a page of issues: the cursor is the place of the last one.
func (s *Server) page(all []*Issue, variables fields) any {
	from, _ := strconv.Atoi(variables.text("after"))
	to := min(from+min(variables.number("size"), 100), len(all))
	nodes := []any{}
	for _, i := range all[from:to] {
		node := s.node(i)
		if i.IsPull { // a search finds these, too; a query of issues reads nothing of them
			node = map[string]any{}
		}
		nodes = append(nodes, node)
	}
	return map[string]any{"nodes": nodes, "pageInfo": map[string]any{"hasNextPage": to < len(all), "endCursor": strconv.Itoa(to)}}
}

func (s *Server) numbers(w http.ResponseWriter, r *http.Request, query string) {
	found, problems := map[string]any{}, []any{}
	for _, m := range regexp.MustCompile(numbered).FindAllStringSubmatch(query, -1) {
		number, _ := strconv.Atoi(m[2])
		alias := "i" + m[1]
		if i := s.Issue(number); i != nil && !i.IsPull && i.Gone == Stayed {
			found[alias] = s.node(i)
			continue
		}
		found[alias] = nil
		problems = append(problems, map[string]any{
			"type": "NOT_FOUND", "path": []any{"repository", alias}, "message": "Could not resolve to an Issue with the number of " + m[2] + ".",
		})
	}
	answer := map[string]any{"data": map[string]any{"repository": found}}
	if len(problems) > 0 {
		answer["errors"] = problems
	}
	Reply(w, r, http.StatusOK, answer)
}

// node is an issue in the form of the GraphQL interface.
func (s *Server) node(i *Issue) map[string]any {
	state, reason, closed := "OPEN", any(nil), any(nil)
	if i.State == "closed" {
		closed = cmp.Or(i.Closed, i.Updated)
		state, reason = "CLOSED", map[string]string{"": "COMPLETED", "completed": "COMPLETED", "not_planned": "NOT_PLANNED", "duplicate": "DUPLICATE"}[i.Reason]
	}
	parent := any(nil)
	if i.Parent != 0 {
		parent = reference(i.Parent, i.OtherParent)
	}
	labels, assignees, blockers, comments := []any{}, []any{}, []any{}, []any{}
	for _, l := range i.Labels {
		labels = append(labels, map[string]any{"name": l})
	}
	for _, a := range i.Assignees {
		assignees = append(assignees, map[string]any{"login": a})
	}
	for _, n := range i.BlockedBy {
		blockers = append(blockers, reference(n, ""))
	}
	for _, repository := range i.OtherBlockers {
		blockers = append(blockers, reference(1, repository))
	}
	for _, c := range i.Comments[max(0, len(i.Comments)-100):] {
		comments = append(comments, map[string]any{
			"databaseId": c.ID, "body": c.Body, "createdAt": c.Created, "author": map[string]any{"login": c.Author}, "authorAssociation": association(c.Author), "viewerDidAuthor": c.Author == Viewer,
		})
	}
	return map[string]any{
		"id": i.nodeID(), "databaseId": i.databaseID(), "number": i.Number, "url": s.web(i), "title": i.Title, "body": i.Body, "state": state, "stateReason": reason,
		"createdAt": i.Created, "updatedAt": i.Updated, "closedAt": closed, "author": map[string]any{"login": i.Author}, "authorAssociation": association(i.Author),
		"viewerDidAuthor": i.Author == Viewer, "labels": nodes(labels, len(labels)), "assignees": nodes(assignees, len(assignees)), "parent": parent,
		"blockedBy": nodes(blockers, len(blockers)), "comments": nodes(comments, len(i.Comments)), "projectItems": nodes(s.projectItems(i), 1),
	}
}

func nodes(all []any, total int) map[string]any {
	return map[string]any{"nodes": all, "totalCount": total}
}

// reference names an issue; repository is "" for that of the server.
func reference(number int, repository string) map[string]any {
	return map[string]any{"number": number, "repository": map[string]any{"nameWithOwner": cmp.Or(repository, Owner+"/"+Repo)}}
}
