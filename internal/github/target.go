package github

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Target is a repository at GitHub.
type Target struct {
	Host        string // such as github.com
	Owner, Repo string
	Project     int // the number of the project that has the state and the estimate of items; 0: labels have them

	insecure bool // by HTTP: a server on loopback
}

// The variables of the environment that go before the settings ralph.github.owner, repo and project.
const (
	OwnerVariable   = "RALPH_GH_OWNER"
	RepoVariable    = "RALPH_GH_REPO"
	ProjectVariable = "RALPH_GH_PROJECT_NUMBER"
)

const publicHost = "github.com"

// TargetOf returns the repository that settings, the environment or a remote name; ok is false where none does. setting returns the value
// of a key of git's configuration, and getenv that of a variable.
func TargetOf(setting func(key string) (string, bool), getenv func(string) string) (t Target, ok bool, err error) {
	value := func(variable, key string) string {
		if v := getenv(variable); v != "" {
			return v
		}
		v, _ := setting("ralph.github." + key)
		return v
	}
	host, _ := setting("ralph.github.host")
	if t, err = onHost(host); err != nil {
		return t, false, err
	}
	t.Owner, t.Repo = value(OwnerVariable, "owner"), value(RepoVariable, "repo")
	if t.Owner == "" || t.Repo == "" {
		owner, repo := t.ofRemote(setting)
		if t.Owner == "" {
			t.Owner = owner
		}
		if t.Repo == "" {
			t.Repo = repo
		}
	}
	if t.Owner == "" || t.Repo == "" {
		return t, false, nil
	}
	if project := value(ProjectVariable, "project"); project != "" {
		if t.Project, err = strconv.Atoi(project); err != nil || t.Project < 1 {
			return t, false, fmt.Errorf("invalid ralph.github.project %q: want the number of a project", project)
		}
	}
	return t, true, t.check()
}

// onHost returns the target of a host without a repository.
func onHost(host string) (Target, error) {
	if host == "" {
		return Target{Host: publicHost}, nil
	}
	if strings.Contains(host, "@") {
		return Target{}, errors.New("invalid ralph.github.host: it has a user name in it; want a host, such as github.example.com")
	}
	invalid := fmt.Errorf("invalid ralph.github.host %q: want a host, such as github.example.com", host)
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	at, err := url.Parse(host)
	if err != nil || at.Host == "" || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" || at.Fragment != "" {
		return Target{}, invalid
	}
	if at.Scheme != "https" && (at.Scheme != "http" || !isLoopback(at.Hostname())) {
		return Target{}, invalid
	}
	return Target{Host: strings.ToLower(at.Host), insecure: at.Scheme == "http"}, nil
}

func isLoopback(host string) bool {
	ip, _ := netip.ParseAddr(host) //nolint:errcheck // then it is none
	return host == "localhost" || ip.IsLoopback()
}

// check refuses names that would mean something else in a URL.
func (t Target) check() error {
	for _, name := range []string{t.Owner, t.Repo} {
		ok := name != "." && name != ".." && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
		if !ok {
			return fmt.Errorf("invalid repository at GitHub %q: want OWNER/REPO", t.Owner+"/"+t.Repo)
		}
	}
	return nil
}

// ofRemote returns the repository that the remote origin names, where that is on the host.
func (t Target) ofRemote(setting func(string) (string, bool)) (owner, repo string) {
	remote, _ := setting("remote.origin.url")
	host, path := splitRemote(remote)
	if host != t.Host && host != "ssh."+t.Host && host != "www."+t.Host {
		return "", ""
	}
	owner, repo, ok := strings.Cut(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), "/")
	if !ok || strings.Contains(repo, "/") {
		return "", ""
	}
	return owner, repo
}

// splitRemote returns the host and the path of a remote's URL, which may be in the short form of ssh.
func splitRemote(remote string) (host, path string) {
	if strings.Contains(remote, "://") {
		at, err := url.Parse(remote)
		if err != nil {
			return "", ""
		}
		if at.Scheme == "ssh" || at.Scheme == "git" {
			return strings.ToLower(at.Hostname()), at.Path
		}
		return strings.ToLower(at.Host), at.Path
	}
	host, path, ok := strings.Cut(remote, ":")
	if !ok || strings.Contains(host, "/") {
		return "", ""
	}
	return strings.ToLower(host[strings.LastIndexByte(host, '@')+1:]), path
}

// Web returns the URL of the repository for people.
func (t Target) Web() string { return t.scheme() + t.Host + "/" + t.Owner + "/" + t.Repo }

// REST returns the URL below which the REST interface is, without a slash at its end.
func (t Target) REST() string {
	if t.isCloud() {
		return "https://api." + t.Host
	}
	return t.scheme() + t.Host + "/api/v3"
}

// GraphQL returns the URL of the GraphQL interface.
func (t Target) GraphQL() string {
	if t.isCloud() {
		return "https://api." + t.Host + "/graphql"
	}
	return t.scheme() + t.Host + "/api/graphql"
}

// isCloud reports whether the host is GitHub's own, and not an Enterprise Server.
func (t Target) isCloud() bool { return t.Host == publicHost || strings.HasSuffix(t.Host, ".ghe.com") }

// IsLoopback reports whether the host is this machine, by HTTP.
func (t Target) IsLoopback() bool { return t.insecure }

// TestPause returns what GIT_RALPH_TEST_GITHUB_PAUSE shortens all waits for a server on loopback to, which is one of tests; 0 where it does not.
func (t Target) TestPause(getenv func(string) string) time.Duration {
	pause, err := time.ParseDuration(getenv("GIT_RALPH_TEST_GITHUB_PAUSE"))
	if err != nil || !t.IsLoopback() {
		return 0
	}
	return max(pause, 0)
}

func (t Target) scheme() string {
	if t.insecure {
		return "http://"
	}
	return "https://"
}

// Path returns the path of the repository in the REST interface, with what follows it.
func (t Target) Path(format string, args ...any) string {
	return "/repos/" + t.Owner + "/" + t.Repo + fmt.Sprintf(format, args...)
}
