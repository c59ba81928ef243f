package runcmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/agent"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/loop"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
	"git-ralph/internal/team"
)

// agentNames offers the agents that everybody has.
func agentNames() cmdline.Values { return cmdline.OneOf(agent.Names()...) }

// A launcher knows by which commands the workers of a team are started.
type launcher struct {
	options teamOptions
	program string // this one
	dir     string // the user's
	environ []string
	words   map[team.Role]loop.AgentFlags
}

// launcher makes sure that the agents of all roles exist.
func (o teamOptions) launcher(ctx context.Context, env *term.Env, st *store.Store) (launcher, error) {
	c := launcher{
		options: o, dir: env.Dir, words: map[team.Role]loop.AgentFlags{},
		environ: config.WithSettings(env.Environ, config.Setting{Key: "ralph.requireLanded", Value: "auto"}),
	}
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return c, err
	}
	for _, role := range team.Roles() {
		if !o.auto && o.roster[role] == 0 {
			continue
		}
		words := o.wordsOf(role)
		c.words[role] = words
		agents, err := words.Choose(settings, agent.Directories{Here: env.Dir, Root: st.Repo().Root()}, env.Environ)
		if err == nil {
			err = agents.Check(loop.Goals{}, env.Environ)
		}
		if err != nil {
			return c, fmt.Errorf("%s: %w", role, err)
		}
	}
	c.program, err = ownProgram(env.Environ)
	return c, err
}

// wordsOf returns the agents of a role, less those of others. The last ones go before the others.
func (o teamOptions) wordsOf(role team.Role) loop.AgentFlags {
	only := func(words []string) []string {
		var general, own []string
		for _, word := range words {
			of, rest, found := strings.Cut(word, "=")
			switch {
			case !found || !slices.Contains(team.Roles(), team.Role(of)):
				general = append(general, word)
			case team.Role(of) == role:
				own = append(own, rest)
			}
		}
		return append(general, own...)
	}
	return loop.AgentFlags{Agents: only(o.words.Agents), Models: only(o.words.Models)}
}

// ownProgram returns the path of this program, by the name that it was called by, which may be a link.
func ownProgram(environ []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	called, err := proc.LookPath(os.Args[0], environ)
	if err != nil || !sameFile(called, self) {
		return self, nil
	}
	return filepath.Abs(called)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// line returns the command line of a worker.
func (c launcher) line(a team.Assignment) []string {
	m := a.Member
	line := append([]string{"git-ralph", "work"}, c.scope(a.Job)...)
	line = append(line, "--role", string(m.Role), "--worker", m.Name, "--into", strings.TrimPrefix(c.options.into, "refs/heads/"), "--json")
	for _, word := range c.words[m.Role].Agents {
		line = append(line, "--agent", word)
	}
	for _, word := range c.words[m.Role].Models {
		line = append(line, "--model", word)
	}
	if !c.options.fresh && m.Role != team.Integrator && (c.options.auto || c.options.roster[team.Integrator] > 0) {
		line = append(line, "--no-land")
	}
	if c.options.untrusted {
		line = append(line, "--untrusted")
	}
	return line
}

// scope returns the flags that say how much a worker does.
func (c launcher) scope(j team.Job) []string {
	switch {
	case !c.options.fresh:
		return []string{"--wait"}
	case j.Task == "":
		return []string{"--no-tasks"}
	}
	return []string{"--task", j.Task}
}

// command starts a worker.
func (c launcher) command(a team.Assignment) proc.Cmd {
	return proc.Cmd{Name: c.program, Args: c.line(a)[1:], Dir: c.dir, Env: c.environ}
}
