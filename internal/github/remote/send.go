package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"git-ralph/internal/github/api"
	"git-ralph/internal/github/mirror"
)

// ErrChanged says that an issue was changed between the merge and what was to be sent of it.
var ErrChanged = errors.New("the issue was changed meanwhile: sync again")

// ErrMayExist says that the reply to a create was lost. Whoever creates it again looks for the one that may be there first.
var ErrMayExist = errors.New("it is not known whether GitHub made the issue: the next time it is looked for")

// Create makes an issue.
func (r *Remote) Create(ctx context.Context, s mirror.Sending) (mirror.Issue, error) {
	in := map[string]any{"title": s.Fields["title"], "body": s.Fields["body"]}
	if len(s.AddLabels) > 0 {
		in["labels"] = s.AddLabels
	}
	if len(s.Assign) > 0 {
		in["assignees"] = s.Assign
	}
	var made restIssue
	err := r.Client.Send(ctx, "POST", r.target().Path("/issues"), in, &made)
	if _, uncertain := errors.AsType[*api.UncertainError](err); uncertain {
		return mirror.Issue{}, fmt.Errorf("%w (%w)", ErrMayExist, err)
	}
	if err != nil {
		return mirror.Issue{}, err
	}
	i := made.issue()
	r.nodes[i.Number] = i
	return i, nil
}

type restIssue struct {
	ID        int    `json:"id"`
	Node      string `json:"node_id"`
	Number    int    `json:"number"`
	URL       string `json:"html_url"`
	Title     string `json:"title"`
	Body      string `json:"body"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
	Labels    []struct{ Name string }
	Assignees []struct{ Login string }
}

// issue is an issue that we made.
func (i restIssue) issue() mirror.Issue {
	out := mirror.Issue{
		Number: i.Number, ID: i.ID, Node: i.Node, URL: i.URL, Title: i.Title, Body: i.Body, Created: i.CreatedAt, Updated: i.UpdatedAt, Trusted: true,
		Fields: map[string]string{},
	}
	for _, l := range i.Labels {
		out.Labels = append(out.Labels, l.Name)
	}
	for _, a := range i.Assignees {
		out.Assignees = append(out.Assignees, a.Login)
	}
	return out
}

// Send sends an issue what it lacks. Each step may be repeated: what was done already is not done again. numbers are those of items.
func (r *Remote) Send(ctx context.Context, s mirror.Sending, numbers func(id string) int) error {
	path := fmt.Sprintf("/issues/%d", s.Number)
	send := func(method, at string, in any) error {
		return r.Client.Send(ctx, method, r.target().Path("%s", path+at), in, nil)
	}
	if len(s.AddLabels) > 0 {
		if err := send("POST", "/labels", map[string]any{"labels": s.AddLabels}); err != nil {
			return err
		}
	}
	if len(s.Assign) > 0 {
		if err := send("POST", "/assignees", map[string]any{"assignees": s.Assign}); err != nil {
			return err
		}
	}
	for _, label := range s.RemoveLabels {
		if err := send("DELETE", "/labels/"+url.PathEscape(label), nil); err != nil && !api.IsStatus(err, 404) {
			return err
		}
	}
	if err := r.patch(ctx, s, send); err != nil {
		return err
	}
	if err := r.setProject(ctx, s); err != nil {
		return err
	}
	if err := r.link(ctx, s, numbers); err != nil {
		return err
	}
	return r.post(ctx, s)
}

// patch changes title, body and state, unless somebody changed title or body after they were read.
func (r *Remote) patch(ctx context.Context, s mirror.Sending, send func(method, at string, in any) error) error {
	if len(s.Fields) == 0 {
		return nil
	}
	_, title := s.Fields["title"]
	_, body := s.Fields["body"]
	if title || body {
		var now restIssue
		if err := r.Client.Get(ctx, r.target().Path("/issues/%d", s.Number), &now); err != nil {
			return err
		}
		if now.Title != s.Title || now.Body != s.Body {
			return ErrChanged
		}
	}
	return send("PATCH", "", s.Fields)
}

// link adds the dependencies and the parent of an issue, as far as these are issues.
func (r *Remote) link(ctx context.Context, s mirror.Sending, numbers func(id string) int) error {
	for _, id := range s.BlockedBy {
		other, ok, err := r.byNumber(ctx, numbers(id))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		err = r.Client.Send(ctx, "POST", r.target().Path("/issues/%d/dependencies/blocked_by", s.Number), map[string]any{"issue_id": other.ID}, nil)
		if err != nil && !api.IsStatus(err, 422) { // it is there already
			return err
		}
	}
	parent, ok, err := r.byNumber(ctx, numbers(s.Parent))
	if err != nil || !ok || s.Parent == "" {
		return err
	}
	return r.Client.Send(ctx, "POST", r.target().Path("/issues/%d/sub_issues", parent.Number), map[string]any{"sub_issue_id": s.ID, "replace_parent": true}, nil)
}

// byNumber returns an issue, which need not have been read yet. ok is false where there is none.
func (r *Remote) byNumber(ctx context.Context, number int) (i mirror.Issue, ok bool, err error) {
	if number == 0 {
		return i, false, nil
	}
	if i, ok = r.nodes[number]; ok {
		return i, true, nil
	}
	_, _, err = r.Numbers(ctx, []int{number})
	i, ok = r.nodes[number]
	return i, ok, err
}

// post adds comments. Where only the newest comments were read, it looks at all of them first.
func (r *Remote) post(ctx context.Context, s mirror.Sending) error {
	if len(s.Posts) == 0 {
		return nil
	}
	if s.All > len(s.Comments) {
		if err := r.readComments(ctx, &s.Issue); err != nil {
			return err
		}
	}
	for _, p := range s.Posts {
		if s.Has(p.Key) {
			continue
		}
		if err := r.Client.Send(ctx, "POST", r.target().Path("/issues/%d/comments", s.Number), map[string]any{"body": p.Body}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (r *Remote) readComments(ctx context.Context, i *mirror.Issue) error {
	mine := map[string]bool{}
	for _, c := range i.Comments {
		mine[c.Body] = c.Trusted
	}
	i.Comments = nil
	return r.Client.Pages(ctx, r.target().Path("/issues/%d/comments?per_page=100", i.Number), func(all []json.RawMessage) error {
		for _, text := range all {
			var c struct {
				Body        string `json:"body"`
				Created     string `json:"created_at"`
				Association string `json:"author_association"`
			}
			if err := json.Unmarshal(text, &c); err != nil {
				return err
			}
			i.Comments = append(i.Comments, mirror.Comment{Body: c.Body, Created: c.Created, Trusted: mine[c.Body] || isTrusted(false, strings.ToUpper(c.Association))})
		}
		return nil
	})
}

// CloseTwin closes an issue that is one too many, and says of which it is a duplicate.
func (r *Remote) CloseTwin(ctx context.Context, t mirror.Twin) error {
	if !t.Closed {
		at := r.target().Path("/issues/%d", t.Number)
		err := r.Client.Send(ctx, "PATCH", at, map[string]string{"state": "closed", "state_reason": "duplicate"}, nil)
		if api.IsStatus(err, 422) { // an older Enterprise Server
			err = r.Client.Send(ctx, "PATCH", at, map[string]string{"state": "closed", "state_reason": "not_planned"}, nil)
		}
		if err != nil {
			return err
		}
	}
	return r.post(ctx, mirror.Sending{Issue: t.Issue, Posts: []mirror.Post{t.Notice()}})
}
