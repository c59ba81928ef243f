package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/github"
	"git-ralph/internal/github/api"
	"git-ralph/internal/github/mirror"
)

// A Remote is the repository.
type Remote struct {
	Client  *api.Client
	project *project // found when it is needed
	nodes   map[int]mirror.Issue
}

// New returns a remote.
func New(c *api.Client) *Remote { return &Remote{Client: c, nodes: map[int]mirror.Issue{}} }

func (r *Remote) target() github.Target { return r.Client.Target() }

const (
	pageSize   = 100
	numbersMax = 50 // issues of one query that names them
)

// fields is what a query reads of an issue. A page of 100 has at most 25,000 nodes, of which GitHub allows 500,000; it costs about 5 points.
func (r *Remote) fields() string {
	text := `fragment I on Issue { id databaseId number url title body state stateReason(enableDuplicate: true) createdAt updatedAt closedAt viewerDidAuthor authorAssociation
labels(first: 100) { nodes { name } } assignees(first: 20) { nodes { login } }
parent { number repository { nameWithOwner } } blockedBy(first: 50) { totalCount nodes { number repository { nameWithOwner } } }
comments(last: 50) { totalCount nodes { body createdAt viewerDidAuthor authorAssociation } }`
	if r.target().Project > 0 {
		text += fmt.Sprintf(` projectItems(first: 20) { nodes { id project { number }
state: fieldValueByName(name: %q) { ... on ProjectV2ItemFieldSingleSelectValue { name } }
estimate: fieldValueByName(name: %q) { ... on ProjectV2ItemFieldSingleSelectValue { name } } } }`, mirror.StateField, mirror.EstimateField)
	}
	return text + " }\n"
}

// A node is an issue as GraphQL answers.
type node struct {
	ID              string
	DatabaseID      int
	Number          int
	URL             string
	Title, Body     string
	State           string
	StateReason     string
	CreatedAt       string
	UpdatedAt       string
	ClosedAt        string
	ViewerDidAuthor bool
	Association     string `json:"authorAssociation"`
	Labels          struct{ Nodes []struct{ Name string } }
	Assignees       struct{ Nodes []struct{ Login string } }
	Parent          *reference
	BlockedBy       struct {
		TotalCount int
		Nodes      []*reference
	}
	Comments struct {
		TotalCount int
		Nodes      []struct {
			Body, CreatedAt string
			ViewerDidAuthor bool
			Association     string `json:"authorAssociation"`
		}
	}
	ProjectItems struct {
		Nodes []struct {
			ID              string
			Project         struct{ Number int }
			State, Estimate *struct{ Name string }
		}
	}
}

type reference struct {
	Number     int
	Repository struct{ NameWithOwner string }
}

// isTrusted reports whether an author may write to the repository.
func isTrusted(viewer bool, association string) bool {
	return viewer || association == "OWNER" || association == "MEMBER" || association == "COLLABORATOR"
}

func (r *Remote) issue(n node) mirror.Issue {
	i := mirror.Issue{
		Number: n.Number, ID: n.DatabaseID, Node: n.ID, URL: n.URL, Title: n.Title, Body: n.Body, Closed: n.State == "CLOSED",
		NotPlanned: n.StateReason == "NOT_PLANNED" || n.StateReason == "DUPLICATE", Created: n.CreatedAt, Updated: n.UpdatedAt, ClosedAt: n.ClosedAt,
		Trusted: isTrusted(n.ViewerDidAuthor, n.Association), All: n.Comments.TotalCount, Partial: n.BlockedBy.TotalCount > len(n.BlockedBy.Nodes),
		Fields: map[string]string{},
	}
	for _, l := range n.Labels.Nodes {
		i.Labels = append(i.Labels, l.Name)
	}
	for _, a := range n.Assignees.Nodes {
		i.Assignees = append(i.Assignees, a.Login)
	}
	if n.Parent != nil && r.isOwn(n.Parent) {
		i.Parent = n.Parent.Number
	}
	for _, b := range n.BlockedBy.Nodes {
		if b != nil && r.isOwn(b) {
			i.BlockedBy = append(i.BlockedBy, b.Number)
		}
	}
	for _, c := range n.Comments.Nodes {
		i.Comments = append(i.Comments, mirror.Comment{Body: c.Body, Created: c.CreatedAt, Trusted: isTrusted(c.ViewerDidAuthor, c.Association)})
	}
	for _, p := range n.ProjectItems.Nodes {
		if p.Project.Number != r.target().Project {
			continue
		}
		i.Entry = p.ID
		if p.State != nil {
			i.Fields[mirror.StateField] = p.State.Name
		}
		if p.Estimate != nil {
			i.Fields[mirror.EstimateField] = p.Estimate.Name
		}
	}
	r.nodes[i.Number] = i
	return i
}

func (r *Remote) isOwn(at *reference) bool {
	return strings.EqualFold(at.Repository.NameWithOwner, r.target().Owner+"/"+r.target().Repo)
}

// A page is one of a list.
type page struct {
	Nodes    []node
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
}

// Issues reads all issues, or those that have one of some labels, that changed since a time; "": since ever.
func (r *Remote) Issues(ctx context.Context, labels []string, since string) ([]mirror.Issue, error) {
	query := r.fields() + `query RalphIssues($owner: String!, $repo: String!, $size: Int!, $after: String, $labels: [String!], $since: DateTime) {
repository(owner: $owner, name: $repo) { issues(first: $size, after: $after, labels: $labels, filterBy: {since: $since}, orderBy: {field: CREATED_AT, direction: ASC}) {
pageInfo { hasNextPage endCursor } nodes { ...I } } } }`
	variables := map[string]any{"owner": r.target().Owner, "repo": r.target().Repo}
	if len(labels) > 0 {
		variables["labels"] = labels
	}
	if since != "" {
		variables["since"] = since
	}
	return r.pages(ctx, "RalphIssues", operationFirst(query), variables, func(text json.RawMessage) (p page, err error) {
		var answer struct{ Repository *struct{ Issues page } }
		if err = json.Unmarshal(text, &answer); err == nil && answer.Repository == nil {
			err = errors.New("GitHub has no repository " + r.target().Owner + "/" + r.target().Repo + " that the token can read")
		}
		if err == nil {
			p = answer.Repository.Issues
		}
		return p, err
	})
}

// operationFirst puts the operation of a query before its fragments: that is where readers of logs look for its name.
func operationFirst(query string) string {
	fragment, operation, _ := strings.Cut(query, "\nquery ")
	return "query " + operation + "\n" + fragment
}

// Search reads the issues that a search finds, of which GitHub shows 1,000.
func (r *Remote) Search(ctx context.Context, search string) ([]mirror.Issue, error) {
	query := r.fields() + `query RalphSearch($query: String!, $size: Int!, $after: String) {
search(query: $query, type: ISSUE, first: $size, after: $after) { pageInfo { hasNextPage endCursor } nodes { ...I } } }`
	variables := map[string]any{"query": fmt.Sprintf("repo:%s/%s is:issue %s", r.target().Owner, r.target().Repo, search)}
	return r.pages(ctx, "RalphSearch", operationFirst(query), variables, func(text json.RawMessage) (page, error) {
		var answer struct{ Search page }
		err := json.Unmarshal(text, &answer)
		return answer.Search, err
	})
}

// isTooMuch reports whether fewer issues may be read where these were not: GitHub ends a query that takes ten seconds with 502 or 504.
func isTooMuch(err error) bool {
	return errors.Is(err, api.ErrTooLong) || api.IsStatus(err, 502) || api.IsStatus(err, 504)
}

// pages reads the pages of a list. Where a reply is too long, or takes too long, the rest is read in smaller ones.
func (r *Remote) pages(ctx context.Context, name, query string, variables map[string]any, read func(json.RawMessage) (page, error)) (all []mirror.Issue, err error) {
	size := pageSize
	for {
		variables["size"] = size
		var text json.RawMessage
		err := r.Client.Query(ctx, name, query, variables, &text)
		if isTooMuch(err) && size > 1 {
			size /= 2
			continue
		}
		if err != nil {
			return nil, err
		}
		p, err := read(text)
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			err = fmt.Errorf("GitHub answered %s with something else: %w", name, err)
		}
		if err != nil {
			return nil, err
		}
		for _, n := range p.Nodes {
			if n.Number > 0 { // a search also finds what is no issue
				all = append(all, r.issue(n))
			}
		}
		if !p.PageInfo.HasNextPage || p.PageInfo.EndCursor == variables["after"] {
			return all, nil
		}
		variables["after"] = p.PageInfo.EndCursor
	}
}

// Numbers reads some issues. Missing are those that do not exist, or not any more, and those that are pull requests.
func (r *Remote) Numbers(ctx context.Context, numbers []int) (all []mirror.Issue, missing []int, err error) {
	for len(numbers) > 0 {
		some := numbers[:min(len(numbers), numbersMax)]
		numbers = numbers[len(some):]
		found, err := r.numbers(ctx, some)
		if err != nil {
			return nil, nil, err
		}
		for _, n := range some {
			if i, ok := found[n]; ok {
				all = append(all, i)
			} else {
				missing = append(missing, n)
			}
		}
	}
	return all, missing, nil
}

func (r *Remote) numbers(ctx context.Context, some []int) (map[int]mirror.Issue, error) {
	var b strings.Builder
	b.WriteString("query RalphNumbers($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {\n")
	for at, n := range some {
		fmt.Fprintf(&b, "i%d: issue(number: %d) { ...I }\n", at, n)
	}
	b.WriteString("} }\n" + r.fields())
	var answer struct{ Repository map[string]*node }
	err := r.Client.Query(ctx, "RalphNumbers", b.String(), map[string]any{"owner": r.target().Owner, "repo": r.target().Repo}, &answer)
	if refused, ok := errors.AsType[*api.QueryError](err); ok && refused.Only("NOT_FOUND") && answer.Repository != nil {
		err = nil
	}
	if isTooMuch(err) && len(some) > 1 {
		found, err := r.numbers(ctx, some[:len(some)/2])
		if err != nil {
			return nil, err
		}
		rest, err := r.numbers(ctx, some[len(some)/2:])
		for n, i := range rest {
			found[n] = i
		}
		return found, err
	}
	found := map[int]mirror.Issue{}
	for _, n := range answer.Repository {
		if n != nil && n.Number > 0 {
			found[n.Number] = r.issue(*n)
		}
	}
	return found, err
}

// Known returns an issue as it was read or made last.
func (r *Remote) Known(number int) (mirror.Issue, bool) {
	i, found := r.nodes[number]
	return i, found
}
