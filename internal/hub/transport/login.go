package transport

import (
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strings"

	"git-ralph/internal/git/credential"
)

// tokenVariable is the variable of the environment that may hold a token for the hub.
const tokenVariable = "GIT_RALPH_HUB_TOKEN"

// A login finds the credentials of a hub: in the environment, else with git's credential helpers.
type login struct {
	dir     string
	environ []string
	at      *url.URL

	header string // the value of Authorization, once it is known
	asked  bool   // git credential has run
	filled credential.Credential
}

// known returns the header without asking a helper.
func (l *login) known() string {
	if l.header == "" && l.mayLogIn() {
		if token := getenv(l.environ, tokenVariable); token != "" {
			l.header = "Bearer " + token
		}
	}
	return l.header
}

// mayLogIn reports whether credentials can be sent without anybody else reading them.
func (l *login) mayLogIn() bool {
	host := l.at.Hostname()
	ip := net.ParseIP(host)
	return l.at.Scheme == "https" || host == "localhost" || ip != nil && ip.IsLoopback()
}

// fill asks git's credential helpers, which never ask anybody. It returns the header, "" for none.
func (l *login) fill(ctx context.Context, challenge string) string {
	if l.asked || !l.mayLogIn() {
		return ""
	}
	l.asked = true
	l.filled = l.helpers().Fill(ctx, l.at)
	switch name, password := l.filled.Username, l.filled.Password; {
	case password == "":
		return ""
	case strings.HasPrefix(strings.ToLower(challenge), "basic"):
		l.header = "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
	default:
		l.header = "Bearer " + password
	}
	return l.header
}

func (l *login) helpers() credential.Helpers {
	return credential.Helpers{Dir: l.dir, Environ: l.environ}
}

func getenv(environ []string, key string) (value string) {
	for _, pair := range environ {
		if v, ok := strings.CutPrefix(pair, key+"="); ok {
			value = v
		}
	}
	return value
}

// An authorizer adds credentials to requests, and asks for some where the hub wants them.
type authorizer struct {
	base  http.RoundTripper
	login *login
}

func (a *authorizer) RoundTrip(r *http.Request) (*http.Response, error) {
	header := a.login.known()
	reply, err := a.base.RoundTrip(authorized(r, header))
	if err != nil || reply.StatusCode != http.StatusUnauthorized {
		return reply, err
	}
	if r.Body != nil && r.GetBody == nil {
		return reply, nil
	}
	header = a.login.fill(r.Context(), reply.Header.Get("WWW-Authenticate"))
	if header == "" {
		return reply, nil
	}
	reply.Body.Close()
	again := authorized(r, header)
	if r.GetBody != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	reply, err = a.base.RoundTrip(again)
	if err == nil {
		a.login.helpers().Report(r.Context(), a.login.filled, reply.StatusCode != http.StatusUnauthorized)
	}
	return reply, err
}

func authorized(r *http.Request, header string) *http.Request {
	if header == "" {
		return r
	}
	own := r.Clone(r.Context())
	own.Header.Set("Authorization", header)
	return own
}
