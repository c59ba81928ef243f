package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Get reads what is at a path, such as Target.Path("/issues/1"), with its query.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	_, err := c.get(ctx, c.options.Target.REST()+path, path, out)
	return err
}

// Pages reads all pages of a list. each gets the elements of one.
func (c *Client) Pages(ctx context.Context, path string, each func([]json.RawMessage) error) error {
	const maxPages = 1000
	at := c.options.Target.REST() + path
	for range maxPages {
		var page []json.RawMessage
		got, err := c.get(ctx, at, path, &page)
		if err == nil {
			err = each(page)
		}
		if err != nil {
			return err
		}
		next := nextPage(got.header.Get("Link"))
		if next == "" {
			return nil
		}
		if !c.isOurs(next) {
			return fmt.Errorf("GitHub names a next page of %s that is on another host", path)
		}
		at = next
	}
	return fmt.Errorf("GitHub has more than %d pages of %s", maxPages, path)
}

// isOurs reports whether a URL is below that of the interface, so that the token may be sent to it.
func (c *Client) isOurs(text string) bool {
	at, err := url.Parse(text)
	own, ownErr := url.Parse(c.options.Target.REST())
	return err == nil && ownErr == nil && at.Scheme == own.Scheme && at.Host == own.Host && at.User == nil && strings.HasPrefix(at.Path, own.Path)
}

// nextPage returns the URL of the next page that a Link header names; "" where there is none.
func nextPage(header string) string {
	for link := range strings.SplitSeq(header, ",") {
		at, attributes, ok := strings.Cut(strings.TrimSpace(link), ">")
		if ok && strings.Contains(attributes, `rel="next"`) {
			return strings.TrimPrefix(at, "<")
		}
	}
	return ""
}

func (c *Client) get(ctx context.Context, at, path string, out any) (*reply, error) {
	path, _, _ = strings.Cut(path, "?")
	r := request{operation: "GET " + path, method: http.MethodGet, url: at, repeatable: true}
	got, err := c.do(ctx, r)
	if err == nil {
		err = c.decode(r, got, out)
	}
	return got, err
}

// Send makes a change: method is POST, PATCH, PUT or DELETE. A POST is never repeated, since GitHub may have done it: its error is an
// *UncertainError where no whole reply came.
func (c *Client) Send(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	r := request{method + " " + path, method, c.options.Target.REST() + path, body, method != http.MethodPost, true, nil}
	got, err := c.do(ctx, r)
	if err != nil {
		return err
	}
	return c.decode(r, got, out)
}

// decode reads a reply into out, which may be nil. A refusal is a *StatusError.
func (c *Client) decode(r request, got *reply, out any) error {
	if !got.isOK() {
		return c.refused(r, got)
	}
	if out == nil || got.status == http.StatusNoContent {
		return nil
	}
	if err := json.Unmarshal(got.body, out); err != nil {
		return fmt.Errorf("GitHub answered %s with something else: %s", r.operation, c.login.masked(err.Error()))
	}
	return nil
}
