package githubcmd_test

import (
	"testing"
)

// implemented is a puller whose Implement is done again on the branch work, which waits to land.
func implemented(t *testing.T) *puller {
	p := newPuller(t)
	p.Git("config", "ralph.github.pulls", "true")
	p.Git("branch", "-q", "-D", "GH-42")
	p.must(0, "task", "reject", "t-w-7bf0-implement", "not yet")
	p.Git("switch", "-q", "-c", "work")
	p.Commit("Lex", map[string]string{"lex.txt": "one\ntwo\n"})
	p.must(0, "task", "done", "t-w-7bf0-implement")
	p.Git("switch", "-q", "plan")
	return p
}

// withClaims has claims at the remote, so that landing pushes.
func withClaims(p *puller) {
	p.Git("push", "-q", "origin", "plan", "work")
	p.Git("config", "ralph.claims.remote", "origin")
}
