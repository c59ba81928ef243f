package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Request is one call, for a hub of either protocol.
type Request struct {
	Method, Path string         // REST
	Tool         string         // MCP
	Body         map[string]any // nil for none
}

// A Reply is what a hub answers. Over MCP the status is 200, or 404 for an unknown tool, or 422 for one that reports an error.
type Reply struct {
	Status   int
	Reason   string        // what the status means; "" over MCP
	Location string        // that a redirect points to
	Body     string        // JSON, or a text
	After    time.Duration // that the hub asks us to wait; 0 for none
}

// A Conn sends requests to one hub. It is used by one goroutine.
type Conn interface {
	// Describe returns how the hub itself describes its interface, and the names of its tools; nil where it has none.
	Describe(ctx context.Context) (text string, tools []string, err error)
	// Send sends a request. Where it fails without a reply, the hub may have received it, unless the error is ErrNotSent.
	Send(ctx context.Context, r Request) (Reply, error)
	// Mask returns a text of the hub without what may not be printed: our own credentials, and what else looks like a secret.
	Mask(text string) string
}

// ErrNoAnswer: the hub is there, and does not describe itself now.
var ErrNoAnswer = errors.New("the State Hub does not describe its interface now")

// ErrNotSent: a request certainly did not reach the hub.
var ErrNotSent = errors.New("the State Hub is unreachable")

// A failure is why a call has not succeeded.
type failure struct {
	text    string
	refused bool // in this form: another one may be taken
	missing bool // the path, the tool or the id is unknown
	maybe   bool // the hub may have done it nevertheless
	unclear bool // the reply means success, and is none of a hub
	after   time.Duration
}

func (f *failure) Error() string { return f.text }

// request makes the request of a form.
func (f form) request(v values) Request {
	r := Request{Method: f.Method, Path: strings.ReplaceAll(f.Path, "{id}", escaped(v.ID)), Tool: f.Tool}
	if f.Body != nil {
		r.Body = f.Body(v)
	}
	return r
}

// escaped returns an id as a segment of a path.
func escaped(id string) string {
	var b strings.Builder
	for i := range len(id) {
		c := id[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// maxText limits how much of a hub's text an error repeats.
const maxText = 200

// maxMasked limits how much of a hub's text is masked for that, in bytes.
const maxMasked = 8 << 10

// failureOf returns why a reply is a failure, nil where it is none. What it repeats of the reply is masked.
func failureOf(p Protocol, r Reply, mask func(string) string) *failure {
	reported, isError := errorIn(r.Body)
	switch {
	case r.Status >= 300:
		return refusal(r, reported, mask)
	case isError:
		return reportedError(r, reported, mask)
	case p == REST && !isData(r.Body):
		text := short(r.Body, mask)
		return &failure{text: answered(r) + ", but no JSON object or list, so it may be something else, such as a page to log in: " + text, maybe: true, unclear: true, after: r.After}
	}
	return nil
}

// refusal is the failure of a reply with a status that means one.
func refusal(r Reply, text string, mask func(string) string) *failure {
	f := &failure{text: answered(r), maybe: r.Status >= 500 && r.Status != 501, after: r.After}
	if text = short(cmp.Or(text, r.Body), mask); text != "" {
		f.text += ": " + text
	}
	switch r.Status {
	case 404, 405:
		f.refused, f.missing = true, true
	case 400, 422, 501:
		f.refused = true
	}
	if to := short(r.Location, mask); r.Status < 400 && to != "" {
		f.text = answered(r) + ", a redirect that is not followed, to " + to
	}
	return f
}

// reportedError is the failure of a reply that reports an error all the same.
func reportedError(r Reply, text string, mask func(string) string) *failure {
	f := &failure{text: "the State Hub reported an error: " + short(text, mask), after: r.After}
	f.missing = says(text, "not found", "no such", "unknown t", "unknown w")
	f.refused = f.missing || says(text, "status", "invalid", "enum", "literal", "must be", "unexpected", "validation")
	return f
}

func answered(r Reply) string {
	return strings.TrimSpace(fmt.Sprintf("the State Hub answered %d %s", r.Status, r.Reason))
}

// isData reports whether a body is what a hub answers to REST: an object or a list as JSON, or nothing at all.
func isData(body string) bool {
	body = strings.TrimSpace(body)
	return body == "" || (body[0] == '{' || body[0] == '[') && json.Valid([]byte(body))
}

func says(text string, parts ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// short returns the beginning of a hub's text on one line, so that it cannot look like a message of ours. It is masked before it is
// cut: half a secret cannot be recognized.
func short(text string, mask func(string) string) string {
	text = strings.Join(strings.Fields(mask(text[:min(len(text), maxMasked)])), " ")
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return text
}

// errorIn reports whether a body is an object with an error in it, and returns the error.
func errorIn(body string) (string, bool) {
	var o struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal([]byte(body), &o) != nil {
		return "", false
	}
	switch text := string(o.Error); text {
	case "", "null", "false", `""`:
		return "", false
	default:
		var plain string
		if json.Unmarshal(o.Error, &plain) == nil {
			text = plain
		}
		return text, true
	}
}

// statusIn returns the status of a task or workstream in a reply: that of the object with its id, else that of the outermost object
// that has a status and no other id.
func statusIn(body, id string) string {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return ""
	}
	return findStatus(v, id, 0)
}

// maxDepth is how deep in a reply an object may be.
const maxDepth = 4

func findStatus(v any, id string, depth int) string {
	if depth > maxDepth {
		return ""
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if s := findStatus(item, id, depth+1); s != "" {
				return s
			}
		}
	case map[string]any:
		if s, ok := v["status"].(string); ok && isOf(v, id) {
			return s
		}
		for _, name := range []string{"task", "workplan", "workstream", "data", "result", "items"} {
			if s := findStatus(v[name], id, depth+1); s != "" {
				return s
			}
		}
	}
	return ""
}

// isOf reports whether an object is the one with an id, as far as it says so.
func isOf(o map[string]any, id string) bool {
	for _, name := range []string{"id", "task_id", "workplan_id", "workstream_id"} {
		if own, ok := o[name].(string); ok {
			return own == id
		}
	}
	return true
}
