package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A StatusError is a reply that refuses a request.
type StatusError struct {
	Operation string
	Status    int
	Message   string // what GitHub says, masked
	Location  string // where a redirect leads that was not followed
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("GitHub answered %d %s to %s", e.Status, http.StatusText(e.Status), e.Operation)
	if e.Location != "" {
		return text + ": it is at " + e.Location + " now"
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Hint says what can be done.
func (e *StatusError) Hint() string {
	switch e.Status {
	case http.StatusUnauthorized:
		return "GH_TOKEN, GITHUB_TOKEN, `gh auth login` or a git credential helper has a token"
	case http.StatusForbidden, http.StatusNotFound:
		return "the token needs access to the repository: issues, and contents for pull requests, to read and write"
	}
	return ""
}

// IsStatus reports whether GitHub refused a request with a status.
func IsStatus(err error, status int) bool {
	refused, ok := errors.AsType[*StatusError](err)
	return ok && refused.Status == status
}

// An UncertainError says that it is not known whether a change was made: it was sent, and no whole reply came.
type UncertainError struct {
	Operation string
	Err       error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("it is not known whether GitHub did %s: %v", e.Operation, e.Err)
}

func (e *UncertainError) Unwrap() error { return e.Err }

// A LimitError says that GitHub allows no more requests for longer than is waited.
type LimitError struct{ Until time.Time }

func (e *LimitError) Error() string {
	return "GitHub allows no more requests before " + e.Until.UTC().Format(time.RFC3339)
}

// A QueryError is what GraphQL answers besides data.
type QueryError struct {
	Operation string
	Errors    []Problem
}

// A Problem is one error of a query.
type Problem struct {
	Type    string `json:"type"`
	Path    []any  `json:"path"`
	Message string `json:"message"`
}

func (e *QueryError) Error() string {
	return fmt.Sprintf("GitHub refused %s: %s", e.Operation, e.Errors[0].Message)
}

// Only reports whether all errors are of one type, such as NOT_FOUND.
func (e *QueryError) Only(sort string) bool {
	for _, p := range e.Errors {
		if p.Type != sort {
			return false
		}
	}
	return true
}

// messageOf returns what a reply says in a few words, on one line. What is wrong with a field is in errors.
func messageOf(body []byte) string {
	var said struct {
		Message string `json:"message"`
		Errors  []struct {
			Resource, Field, Code, Message string
		} `json:"errors"`
	}
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	words := []string{said.Message}
	for _, e := range said.Errors {
		words = append(words, strings.Join(strings.Fields(e.Resource+" "+e.Field+" "+e.Code+" "+e.Message), " "))
	}
	return strings.Join(words, "; ")
}
