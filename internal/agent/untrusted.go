package agent

import (
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/jsonl"
)

// ErrNoUntrustedArgs: an agent has no arguments that make it ignore the repository's settings.
var ErrNoUntrustedArgs = errors.New("cannot ignore the repository's settings, hooks and MCP servers")

// UntrustedArgs are the arguments that make an agent ignore the repository's settings, hooks and MCP servers. They were tested
// with the versions that `make test-agents` runs.
type UntrustedArgs []string

// projectsPlaceholder is replaced in them by codex's table of projects.
const projectsPlaceholder = "{projects}"

// Untrusted returns the profile for a repository that is not trusted. Roots are the paths by which an agent may know the
// repository. The error is ErrNoUntrustedArgs.
func (p Profile) Untrusted(roots []string) (Profile, error) {
	if p.UntrustedArgs == nil {
		return Profile{}, fmt.Errorf("%s %w", p.Name, ErrNoUntrustedArgs)
	}
	projects := make([]string, len(roots))
	for i, root := range roots {
		projects[i] = string(jsonl.Quote(root)) + `={trust_level="untrusted"}`
	}
	args := make([]string, len(p.UntrustedArgs))
	for i, arg := range p.UntrustedArgs {
		args[i] = strings.ReplaceAll(arg, projectsPlaceholder, strings.Join(projects, ","))
	}
	p.Command = withArgs(p.Command, args)
	return p, nil
}

// claudeUntrustedArgs: settings of the user alone, and no MCP server but those of the command line.
func claudeUntrustedArgs() UntrustedArgs {
	return UntrustedArgs{"--setting-sources", "user", "--strict-mcp-config"}
}

// codexUntrustedArgs: the repository is an untrusted project, whatever the user has answered to codex itself. There are none
// for gemini, which can only refuse to work then, nor for opencode, which always loads plugins.
func codexUntrustedArgs() UntrustedArgs {
	return UntrustedArgs{"-c", "projects={" + projectsPlaceholder + "}"}
}
