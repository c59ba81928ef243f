// Package credential asks git's credential helpers for a user name and a password, and reports to them whether these were
// accepted. Nobody is ever asked, and nothing that a helper prints is part of an error.
package credential

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

// Helpers are the credential helpers of the repository at Dir.
type Helpers struct {
	Dir     string
	Environ []string
}

// A Credential is what a helper answered. Its Password is empty where none did.
type Credential struct {
	Username, Password string
	filled             string
}

// timeout ends a helper that waits for somebody.
const timeout = 4 * time.Second

// Fill asks for the credential of a URL.
func (h Helpers) Fill(ctx context.Context, at *url.URL) Credential {
	out, err := h.git(ctx, "fill", fmt.Sprintf("protocol=%s\nhost=%s\npath=%s\n\n", at.Scheme, at.Host, strings.TrimPrefix(at.Path, "/")))
	if err != nil {
		return Credential{}
	}
	return Credential{valueOf(out, "username"), valueOf(out, "password"), out}
}

// Report reports to the helpers whether a credential was accepted.
func (h Helpers) Report(ctx context.Context, c Credential, accepted bool) {
	if c.filled == "" {
		return
	}
	what := "reject"
	if accepted {
		what = "approve"
	}
	h.git(ctx, what, c.filled+"\n") //nolint:errcheck // helpers that keep nothing may fail
}

// git runs git credential.
func (h Helpers) git(ctx context.Context, what, input string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	env := append(append([]string(nil), h.Environ...), "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GCM_INTERACTIVE=never")
	r, err := proc.Run(ctx, proc.Cmd{
		Name: "git", Args: []string{"-c", "core.askPass=", "credential", what}, Dir: h.Dir, Env: env, Stdin: []byte(input), Group: true,
	})
	return string(r.Stdout), err
}

func valueOf(lines, key string) string {
	for line := range strings.Lines(lines) {
		if value, ok := strings.CutPrefix(line, key+"="); ok {
			return strings.TrimRight(value, "\r\n")
		}
	}
	return ""
}
