package api

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"git-ralph/internal/git/credential"
	"git-ralph/internal/mask"
	"git-ralph/internal/proc"
)

// A login finds the token: in the environment, else with gh, else with git's credential helpers.
type login struct {
	dir     string
	environ []string
	at      string // the URL of the REST interface

	found  bool
	token  string
	filled credential.Credential // where a helper had the token
}

// tokenVariables are the variables that may hold the token; the first one that does counts.
var tokenVariables = [...]string{"GH_TOKEN", "GITHUB_TOKEN"}

// ghTimeout ends a gh that waits for somebody.
const ghTimeout = 4 * time.Second

var errNoToken = errors.New("there is no token for GitHub: want GH_TOKEN, GITHUB_TOKEN, `gh auth login` or a git credential helper that has one")

// find returns the token.
func (l *login) find(ctx context.Context, host string) (string, error) {
	if !l.found {
		l.token, l.found = l.look(ctx, host), true
	}
	if l.token == "" {
		return "", errNoToken
	}
	return l.token, nil
}

func (l *login) look(ctx context.Context, host string) string {
	for _, name := range tokenVariables {
		if token := lastOf(l.environ, name); token != "" {
			return token
		}
	}
	limited, cancel := context.WithTimeout(ctx, ghTimeout)
	defer cancel()
	out, err := proc.Run(limited, proc.Cmd{
		Name: "gh", Args: []string{"auth", "token", "--hostname", host}, Dir: l.dir, Env: append(append([]string(nil), l.environ...), "GH_PROMPT_DISABLED=1"), Group: true,
	})
	if token := strings.TrimSpace(string(out.Stdout)); err == nil && isToken(token) {
		return token
	}
	at, err := url.Parse(l.at)
	if err != nil {
		return ""
	}
	at.Host, at.Path = host, ""
	l.filled = l.helpers().Fill(ctx, at)
	return l.filled.Password
}

// isToken reports whether a text can be part of a header.
func isToken(text string) bool { return text != "" && !strings.ContainsAny(text, " \t\r\n") }

func (l *login) helpers() credential.Helpers {
	return credential.Helpers{Dir: l.dir, Environ: l.environ}
}

// report reports to the helpers, once, whether GitHub took the token.
func (l *login) report(ctx context.Context, accepted bool) {
	l.helpers().Report(ctx, l.filled, accepted)
	l.filled = credential.Credential{}
}

// masked returns a text without the token, and without what else looks like a secret, on one line: no line of it looks like a message
// of ours.
func (l *login) masked(text string) string {
	if l.token != "" {
		text = strings.ReplaceAll(text, l.token, mask.Masked)
	}
	return strings.Join(strings.Fields(mask.New().Text(text)), " ")
}

func lastOf(environ []string, key string) (value string) {
	for _, pair := range environ {
		if v, ok := strings.CutPrefix(pair, key+"="); ok {
			value = strings.TrimSpace(v)
		}
	}
	return value
}
