package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/trust"
)

// trustOptions are the command line of `git ralph trust`.
type trustOptions struct {
	list   bool
	revoke bool
	yes    bool
	format format
}

func newTrust(env *Env) *cli.Command {
	return &cli.Command{
		Name: "trust", Usage: "let agents work in this repository", Description: aboutTrust,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list what agents read and run here, and what of it is trusted"},
			&cli.BoolFlag{Name: "revoke", Usage: "trust nothing in this clone any more"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "trust everything that is here now, without asking"},
		}, formatFlags()...),
		Action: func(c *cli.Context) error {
			o := trustOptions{c.Bool("list"), c.Bool("revoke"), c.Bool("yes"), formatFrom(c)}
			if o.revoke && (o.list || o.yes) || o.list && o.yes {
				return usage(c, "--list, --revoke and --yes exclude each other")
			}
			if err := atMost(c, 0); err != nil {
				return err
			}
			return o.run(c.Context, env)
		},
	}
}

func (o trustOptions) run(ctx context.Context, env *Env) error {
	st, err := env.open(ctx)
	if err != nil {
		return err
	}
	site, err := env.siteOf(ctx, st)
	if err != nil {
		return err
	}
	switch {
	case o.list:
	case env.inRun():
		return errInRun
	case o.revoke:
		err = trust.Revoke(site.config)
	case o.yes:
		err = site.accept(env, site.entries)
	case site.trusted():
	default:
		err = site.ask(env)
	}
	if err != nil {
		return err
	}
	if site.record, err = trust.Load(site.config); err != nil {
		return err
	}
	site.print(env, o)
	return nil
}

// errInRun: an agent asks for its own repository to be trusted.
var errInRun = errors.New("an agent cannot trust a repository: that is for a person, outside of a run")

// inRun reports whether this is part of a run, started by an agent or a hook.
func (e *Env) inRun() bool { return e.Getenv(journal.RunVariable) != "" }

// A site is the repository that agents would work in: what it has for them, and what was trusted.
type site struct {
	place   trust.Place
	config  string // the clone's own configuration file
	record  trust.Record
	entries []trust.Entry
}

func (e *Env) siteOf(ctx context.Context, st *store.Store) (*site, error) {
	repo := st.Repo()
	if repo.Bare() {
		return nil, store.ErrBare
	}
	config, err := repo.ConfigFile(ctx, git.ScopeLocal)
	if err != nil {
		return nil, err
	}
	s := &site{config: config, place: trust.Place{Root: repo.Root(), Common: repo.CommonDir(), Home: e.home()}}
	if snap, err := st.View(ctx); err == nil && snap.Plan.Spec() != "" { // a plan that is not valid is reported elsewhere
		if place, found := st.SpecPath(snap.Plan.Spec()); found {
			s.place.Spec = place
		}
	}
	return s, s.look(false)
}

// home is the user's own directory, without symbolic links on the way to it.
func (e *Env) home() string {
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

// look reads what is there now and what was trusted.
func (s *site) look(quick bool) (err error) {
	s.place.Quick = quick
	if s.entries, err = trust.Scan(s.place); err != nil {
		return err
	}
	s.record, err = trust.Load(s.config)
	return err
}

func (s *site) trusted() bool {
	return s.record.Given() && len(s.record.Unaccepted(s.entries)) == 0
}

// changed lists what can run something and is not trusted as it is, for a run that is under way.
func (s *site) changed() []string {
	now := *s
	if err := now.look(true); err != nil {
		return []string{err.Error()}
	}
	var all []string
	for _, e := range now.record.Unaccepted(now.entries) {
		all = append(all, e.Path)
	}
	return all
}

// accept records that a person accepted exactly these entries, which they were shown.
func (s *site) accept(env *Env, entries []trust.Entry) error {
	return trust.Accept(s.config, plan.FormatTime(env.Now()), entries)
}

// An untrustedError says that no agent may be started here.
type untrustedError struct{ text string }

func (e *untrustedError) Error() string { return e.text }

// Hint says what can be done.
func (*untrustedError) Hint() string {
	return "`git ralph trust` lists what agents read and run here, and asks; --untrusted runs without it"
}

// refusal says what is not trusted.
func (s *site) refusal() error {
	news := s.record.Unaccepted(s.entries)
	switch {
	case !s.record.Given():
		return &untrustedError{"this repository is not trusted, so no agent is started in it"}
	case len(news) == 0:
		return nil
	case len(news) == 1:
		return &untrustedError{fmt.Sprintf("%s changed since this repository was trusted, so no agent is started in it", news[0].Path)}
	}
	return &untrustedError{fmt.Sprintf("%s and %d more changed since this repository was trusted, so no agent is started in it", news[0].Path, len(news)-1)}
}

// requireTrust returns the site where agents may be started. On a terminal it asks for the trust that is missing.
func (e *Env) requireTrust(ctx context.Context, st *store.Store) (*site, error) {
	s, err := e.siteOf(ctx, st)
	if err != nil || s.trusted() {
		return s, err
	}
	if !e.Asks || e.inRun() {
		return nil, s.refusal()
	}
	if err := s.ask(e); err != nil {
		return nil, err
	}
	s.record, err = trust.Load(s.config)
	return s, err
}

// ask shows what is not trusted and asks for it. What changes while the user reads is not what they accept.
func (s *site) ask(env *Env) error {
	if !env.Asks {
		return &hintedError{&untrustedError{"there is no terminal to ask on"}, "--yes trusts everything that --list shows"}
	}
	shown := s.entries
	if s.record.Given() {
		shown = s.record.Unaccepted(s.entries)
	}
	env.flush() // what was said before stands above the question
	s.show(env.Err, shown)
	answer, err := env.ask("Trust it, and let agents work here? [y/N] ")
	if err != nil || answer == "" || !saysYes(answer) {
		return errAborted
	}
	return s.accept(env, s.entries)
}

const aboutTrust = `Agents read settings, hooks, MCP servers, plugins, skills, prompts and
instructions from the repository that they work in, and run what these say, mostly
without asking. So the commands that start an agent (plan, build) start it only in
a repository that a person has trusted, once per clone. A git ralph init that makes
the plan trusts it too, on a terminal or with --yes.

Without a flag it lists what is here and asks. What was trusted is kept in the
clone's own configuration (.git/config), each file with a hash of its content; git
clone does not copy it. When a file that can run something is new or changed, the
next command asks again. docs/loop.md lists what each agent reads.

In a container or a CI job, where you know what you checked out, use --yes. An
agent cannot trust a repository.

EXIT STATUS
  0  the repository is trusted; or what was asked for is done
  1  failed; or the answer was no
  2  the command line is wrong, or there is no terminal to ask on

EXAMPLES
  git ralph trust
  git ralph trust --list
  git ralph trust --yes
  git ralph trust --revoke`

// trustNew asks for trust in a repository whose plan was just made.
func (o initOptions) trustNew(ctx context.Context, env *Env, st *store.Store) error {
	if env.inRun() || !o.yes && !env.Asks {
		return nil
	}
	s, err := env.siteOf(ctx, st)
	if err != nil || s.trusted() {
		return err
	}
	if o.yes || len(s.entries) == 0 {
		return s.accept(env, s.entries)
	}
	if err := s.ask(env); !errors.Is(err, errAborted) {
		return err
	}
	env.hint("no agent is started here until `git ralph trust`")
	return nil
}

// yesFlag is the flag of commands that ask for trust.
func yesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "trust what the repository has for agents, without asking"}
}

// directoriesOf lists the directories by which an agent may know a repository: its worktree and the main one.
func directoriesOf(repo *git.Repo) []string {
	all := []string{repo.Root(), filepath.Dir(repo.CommonDir())}
	for _, dir := range all {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			all = append(all, real)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// untrustedFlag lets agents run without trust.
func untrustedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "untrusted", Usage: "run without trust: no settings, hooks, MCP servers or prompts of the repository"}
}
