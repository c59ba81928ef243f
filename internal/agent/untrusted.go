package agent

import (
	"errors"
	"fmt"
	"slices"
)

// ErrReads: an agent cannot leave out what a repository has for it.
var ErrReads = errors.New("cannot leave out the repository's settings, hooks and MCP servers")

// LeaveOut is what an agent is given so that it leaves out the repository's settings, hooks and MCP servers. Both hold for
// the versions that `make test-agents` runs.
type LeaveOut struct {
	Args []string
	Env  []string
}

// Untrusted returns the profile for a repository that nobody has trusted. The error is ErrReads.
func (p Profile) Untrusted() (Profile, error) {
	if p.LeaveOut == nil {
		return Profile{}, fmt.Errorf("%s %w", p.Name, ErrReads)
	}
	p.Command = withArgs(p.Command, p.LeaveOut.Args)
	p.Env = append(slices.Clone(p.Env), p.LeaveOut.Env...)
	return p, nil
}

// claudeLeavesOut: settings of the user alone, and no MCP server but those of the command line.
func claudeLeavesOut() *LeaveOut {
	return &LeaveOut{Args: []string{"--setting-sources", "user", "--strict-mcp-config"}}
}

// codexLeavesOut: no directory is a project's root or trusted, so none has settings.
func codexLeavesOut() *LeaveOut { return nil }

// opencodeLeavesOut: no settings of a project, no plugins.
func opencodeLeavesOut() *LeaveOut {
	return &LeaveOut{Args: []string{"--pure"}, Env: []string{"OPENCODE_DISABLE_PROJECT_CONFIG=1"}}
}
