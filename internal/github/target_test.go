package github

import (
	"strings"
	"testing"
)

// TestTarget guards: the environment goes before settings, these before the remote; and a remote of another host names nothing.
func TestTarget(t *testing.T) {
	for _, row := range []struct{ settings, environ, want string }{
		{"", "", "none"},
		{"remote.origin.url=https://github.com/o/r.git", "", "https://github.com/o/r https://api.github.com https://api.github.com/graphql"},
		{"remote.origin.url=git@github.com:o/r.git", "", "https://github.com/o/r https://api.github.com https://api.github.com/graphql"},
		{"remote.origin.url=ssh://git@ssh.github.com:443/o/r/", "", "https://github.com/o/r https://api.github.com https://api.github.com/graphql"},
		{"remote.origin.url=https://token@github.com/o/r", "", "https://github.com/o/r https://api.github.com https://api.github.com/graphql"},
		{"remote.origin.url=https://evil.example/o/r", "", "none"},
		{"remote.origin.url=https://evil.example/github.com/o/r", "", "none"},
		{"remote.origin.url=/srv/github.com:o/r", "", "none"},
		{"remote.origin.url=https://git.example/o/r ralph.github.host=git.example", "", "https://git.example/o/r https://git.example/api/v3 https://git.example/api/graphql"},
		{"ralph.github.host=acme.ghe.com ralph.github.owner=o ralph.github.repo=r", "", "https://acme.ghe.com/o/r https://api.acme.ghe.com https://api.acme.ghe.com/graphql"},
		{"ralph.github.host=http://127.0.0.1:80 ralph.github.owner=o ralph.github.repo=r", "", "http://127.0.0.1:80/o/r http://127.0.0.1:80/api/v3 http://127.0.0.1:80/api/graphql"},
		{"ralph.github.owner=o ralph.github.repo=r ralph.github.project=7", "RALPH_GH_OWNER=p", "https://github.com/p/r https://api.github.com https://api.github.com/graphql 7"},
		{"ralph.github.owner=o ralph.github.repo=r ralph.github.project=x", "RALPH_GH_PROJECT_NUMBER=8 RALPH_GH_REPO=s", "https://github.com/o/s https://api.github.com https://api.github.com/graphql 8"},
		{"ralph.github.owner=o ralph.github.repo=r ralph.github.project=0", "", `invalid ralph.github.project "0": want the number of a project`},
		{"ralph.github.owner=o ralph.github.repo=..", "", `invalid repository at GitHub "o/..": want OWNER/REPO`},
		{"ralph.github.owner=o?x ralph.github.repo=r", "", `invalid repository at GitHub "o?x/r": want OWNER/REPO`},
		{"ralph.github.host=http://git.example", "", `invalid ralph.github.host "http://git.example": want a host, such as github.example.com`},
		{"ralph.github.host=https://user:pw@git.example", "", "invalid ralph.github.host: it has a user name in it; want a host, such as github.example.com"},
	} {
		got := ""
		target, ok, err := TargetOf(lookup(row.settings), func(key string) string { v, _ := lookup(row.environ)(key); return v })
		switch {
		case err != nil:
			got = err.Error()
		case !ok:
			got = "none"
		default:
			got = target.Web() + " " + target.REST() + " " + target.GraphQL()
			if target.Project > 0 {
				got += " " + string(rune('0'+target.Project))
			}
		}
		if got != row.want {
			t.Errorf("%s %s: %s, want %s", row.settings, row.environ, got, row.want)
		}
	}
}

func lookup(pairs string) func(string) (string, bool) {
	return func(key string) (string, bool) {
		for _, pair := range strings.Fields(pairs) {
			if v, ok := strings.CutPrefix(pair, key+"="); ok {
				return v, true
			}
		}
		return "", false
	}
}
