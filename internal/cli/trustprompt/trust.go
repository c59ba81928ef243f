package trustprompt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/trust"
)

// ErrInRun refuses an agent that would trust its own repository.
var ErrInRun = errors.New("an agent cannot trust a repository: that is for a person, outside of a run")

// InRun reports whether the command was started within a run, by an agent or a hook.
func InRun(e *term.Env) bool { return e.Getenv(journal.RunVariable) != "" }

// A Site is the repository that agents would work in: what it has for them, and what was trusted.
type Site struct {
	scan    trust.ScanOptions
	Config  string // the clone's own configuration file
	Record  trust.Record
	Entries []trust.Entry
}

// SiteOf reads what the repository of a store has for agents, and what was trusted.
func SiteOf(ctx context.Context, e *term.Env, st *store.Store) (*Site, error) {
	repo := st.Repo()
	if repo.Bare() {
		return nil, store.ErrBare
	}
	config, err := repo.ConfigFiles().Path(ctx, config.ScopeLocal)
	if err != nil {
		return nil, err
	}
	s := &Site{Config: config, scan: trust.ScanOptions{Root: repo.Root(), Common: repo.CommonDir(), Home: homeOf(e)}}
	if snap, err := st.View(ctx); err == nil && snap.Plan.Spec() != "" { // a plan that is not valid is reported elsewhere
		if place, found := st.SpecPath(snap.Plan.Spec()); found {
			s.scan.Spec = place
		}
	}
	return s, s.Look(false)
}

// homeOf returns the user's home directory, with symbolic links resolved.
func homeOf(e *term.Env) string {
	for _, key := range []string{"HOME", "USERPROFILE"} {
		if dir := e.Getenv(key); dir != "" {
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				return real
			}
			return dir
		}
	}
	return ""
}

// Look reads what is there now and what was trusted; see trust.Place.Quick.
func (s *Site) Look(quick bool) (err error) {
	s.scan.Quick = quick
	if s.Entries, err = trust.Scan(s.scan); err != nil {
		return err
	}
	s.Record, err = trust.Load(s.Config)
	return err
}

// Trusted reports whether the repository is trusted as it is now.
func (s *Site) Trusted() bool {
	return s.Record.Trusted() && len(s.Record.Unaccepted(s.Entries)) == 0
}

// Changed lists what can run something and is not trusted as it is now, while a run is under way.
func (s *Site) Changed() []string {
	now := *s
	if err := now.Look(true); err != nil {
		return []string{err.Error()}
	}
	var all []string
	for _, e := range now.Record.Unaccepted(now.Entries) {
		all = append(all, e.Path)
	}
	return all
}

// Accept records that a person accepted exactly these entries, which they were shown.
func (s *Site) Accept(env *term.Env, entries []trust.Entry) error {
	return trust.Accept(s.Config, plan.FormatTime(env.Now()), entries)
}

// An UntrustedError refuses to start an agent in a repository that is not trusted.
type UntrustedError struct{ text string }

func (e *UntrustedError) Error() string { return e.text }

// Hint says what can be done.
func (*UntrustedError) Hint() string {
	return "`git ralph trust` lists what agents read and run here, and asks; --untrusted runs without it"
}

// Refusal returns an error that names what is not trusted; nil where nothing is missing.
func (s *Site) Refusal() error {
	changed := s.Record.Unaccepted(s.Entries)
	switch {
	case !s.Record.Trusted():
		return &UntrustedError{"this repository is not trusted, so no agent is started in it"}
	case len(changed) == 0:
		return nil
	case len(changed) == 1:
		return &UntrustedError{fmt.Sprintf("%s changed since this repository was trusted, so no agent is started in it", changed[0].Path)}
	}
	return &UntrustedError{fmt.Sprintf("%s and %d more changed since this repository was trusted, so no agent is started in it", changed[0].Path, len(changed)-1)}
}

// RequireTrust returns the site where agents may be started. On a terminal it asks for the trust that is missing.
func RequireTrust(ctx context.Context, e *term.Env, st *store.Store) (*Site, error) {
	s, err := SiteOf(ctx, e, st)
	if err != nil || s.Trusted() {
		return s, err
	}
	if !e.Interactive || InRun(e) {
		return nil, s.Refusal()
	}
	if err := s.Ask(e); err != nil {
		return nil, err
	}
	s.Record, err = trust.Load(s.Config)
	return s, err
}

// Ask shows what is not trusted and asks whether to trust it. Changes made while the user reads are not accepted.
func (s *Site) Ask(env *term.Env) error {
	if !env.Interactive {
		return &cmdline.HintedError{Err: &UntrustedError{"there is no terminal to ask on"}, Hint: "--yes trusts everything that --list shows"}
	}
	shown := s.Entries
	if s.Record.Trusted() {
		shown = s.Record.Unaccepted(s.Entries)
	}
	env.Flush() // earlier output appears above the question
	s.show(env.OnErr(), shown)
	if !env.Confirm("Trust it, and let agents work here?") {
		return term.ErrAborted
	}
	return s.Accept(env, s.Entries)
}

// DirectoriesOf lists the directories by which an agent may identify a repository: its worktree and the main one, also with
// symbolic links resolved.
func DirectoriesOf(repo *git.Repo) []string {
	all := []string{repo.Root(), filepath.Dir(repo.CommonDir())}
	for _, dir := range all {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			all = append(all, real)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// UntrustedFlag returns the flag to run agents without trust.
func UntrustedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "untrusted", Usage: "run without trust: no settings, hooks, MCP servers or prompts of the repository"}
}
