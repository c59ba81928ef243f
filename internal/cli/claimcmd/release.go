package claimcmd

import (
	"context"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// ownOptions say which claims of ours to renew or release.
type ownOptions struct {
	options
	ids      []string
	releases bool // else it renews
}

func newRenew(env *term.Env) *cli.Command {
	return newOwn(env, ownOptions{}, &cli.Command{Name: "renew", Usage: "keep your claims fresh", Description: aboutRenew, Flags: commonFlags()})
}

func newRelease(env *term.Env) *cli.Command {
	return newOwn(env, ownOptions{releases: true}, &cli.Command{Name: "release", Usage: "give claims back", Description: aboutRelease, Flags: releaseFlags()})
}

// NewUnclaim is `git ralph unclaim`, which is `git ralph claim release`.
func NewUnclaim(env *term.Env) *cli.Command {
	return newOwn(env, ownOptions{releases: true}, &cli.Command{Name: "unclaim", Usage: "give claims back", Description: aboutRelease, Flags: releaseFlags()})
}

func releaseFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "all", Usage: "all of your claims"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show what would be released, and release nothing"},
	}, commonFlags()...)
}

func newOwn(env *term.Env, o ownOptions, command *cli.Command) *cli.Command {
	command.ArgsUsage = "[ID…]"
	command.BashComplete = cmdline.CompletesArgs(claimedIDs(true))
	command.Action = func(c *cli.Context) error {
		o := o
		o.options, o.ids = optionsFrom(c), c.Args().Slice()
		if o.releases && (len(o.ids) == 0) != c.Bool("all") {
			return cmdline.Usage(c, "want either the ids of tasks or --all")
		}
		return o.run(c.Context, env)
	}
	return command
}

func (o ownOptions) run(ctx context.Context, env *term.Env) error {
	s, err := o.open(ctx, env)
	if err != nil {
		return err
	}
	own, err := o.own(ctx, s)
	if err != nil {
		return err
	}
	var lost map[string]claim.Held
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		lost, err = o.change(ctx, s, own)
		return err
	})
	if err != nil {
		return err
	}
	return o.report(s, own, lost)
}

// change renews or releases, and returns what was lost.
func (o ownOptions) change(ctx context.Context, s *session, own authority.Own) (map[string]claim.Held, error) {
	switch {
	case o.dryRun:
		return nil, nil
	case !o.releases:
		return s.claims.Renew(ctx, own)
	}
	lost, err := s.claims.Release(ctx, own)
	if err == nil {
		err = s.claims.Forget(ctx, own)
	}
	return lost, err
}

// own returns our tokens for the tasks that were named, or all. Of a task that is not ours any more, it is one that loses.
func (o ownOptions) own(ctx context.Context, s *session) (authority.Own, error) {
	seen, err := s.claims.See(ctx, nil)
	if err != nil {
		return nil, err
	}
	own := s.claims.Tokens.Named() // also of claims that are lost
	for id, one := range seen {
		if s.claims.Tokens.Owns(one.Held) {
			own[id] = one.Held.Claim.Token
		}
	}
	switch {
	case len(o.ids) > 0:
		return o.named(ctx, s, own, seen)
	case len(own) == 0:
		return nil, &cmdline.NothingError{Text: "no claim is yours in this worktree"}
	}
	return own, nil
}

func (o ownOptions) named(ctx context.Context, s *session, own authority.Own, seen map[string]claim.Seen) (authority.Own, error) {
	named := authority.Own{}
	for _, id := range o.ids {
		full, err := s.fullID(ctx, id, seen)
		if err != nil {
			return nil, err
		}
		if named[full] = own[full]; named[full] == "" {
			named[full] = s.claims.Tokens.Of(full)
		}
	}
	return named, nil
}

// fullID returns the id of a task whose id was shortened. A task that has a claim need not be in the plan.
func (s *session) fullID(ctx context.Context, id string, seen map[string]claim.Seen) (string, error) {
	if _, there := seen[id]; there {
		return id, nil
	}
	snap, err := s.store.View(ctx)
	if err != nil {
		return "", err
	}
	return snap.Plan.ResolveID(plan.KindTask, id)
}

func (o ownOptions) report(s *session, own authority.Own, lost map[string]claim.Held) error {
	kept := slices.Sorted(maps.Keys(own))
	kept = slices.DeleteFunc(kept, func(id string) bool { _, gone := lost[id]; return gone })
	gone := slices.Sorted(maps.Keys(lost))
	verb := map[bool]string{false: "renewed", true: "released"}[o.releases]
	if o.format.Json(s.env) {
		s.env.WriteJSON(func(w term.Sink) {
			out := term.Object{Sink: w}
			out.Member(verb)
			term.WriteTexts(w, kept)
			out.Member("lost")
			term.WriteArray(w, len(gone), func(i int) { writeLost(w, gone[i], lost[gone[i]]) })
			out.End()
		})
	} else {
		o.show(s, verb, kept)
	}
	if len(gone) == 0 {
		return nil
	}
	for _, id := range gone {
		s.env.Say("error", planio.RefusalText(id, claim.NotOwn, lost[id]))
	}
	if slices.ContainsFunc(gone, func(id string) bool { return lost[id].Bad == "" && lost[id].Claim.State == claim.Landing }) {
		s.env.Hint(landHint)
	}
	return cmdline.StatusError(cmdline.ExitLocked)
}

func (o ownOptions) show(s *session, verb string, ids []string) {
	if o.dryRun {
		verb = "dry run: " + verb
	}
	for _, id := range ids {
		s.env.Print(verb + " " + id)
	}
}

func writeLost(w term.Sink, id string, h claim.Held) {
	o := term.Object{Sink: w}
	o.Str("id", id)
	if h.Exists() {
		o.Member("claim")
		planprint.WriteClaim(w, h, false)
	}
	o.End()
}

// claimedIDs offers the ids of tasks that are claimed: by us, or by others.
func claimedIDs(ours bool) cmdline.Values {
	return planio.RecordIDs(func(v planio.View) (claimed []*plan.Record) {
		for _, t := range v.Tasks() {
			if _, held := v.Claims.Held[t.ID()]; held && v.Claims.Own[t.ID()] == ours {
				claimed = append(claimed, t)
			}
		}
		return claimed
	})
}

const ownExits = `
EXIT STATUS
  0  done
  1  it cannot be done
  2  the command line is wrong
  3  no claim is yours
  4  a claim was lost: somebody else has the task, or nobody has
`

const aboutRenew = `Renews your claims, or those of the tasks named: their leases begin again. Do so after
a third of the lease. A claim that was lost is reported: stop working on its task.

Where standard output is not a terminal it is JSON: {"renewed": [ids], "lost": [{"id",
"claim"}]}.
` + ownExits + `
EXAMPLES
  git ralph claim renew
  git ralph claim renew t-1a2b`

const aboutRelease = `Gives claims back: others can claim the tasks. Branches and commits stay.

Where standard output is not a terminal it is JSON: {"released": [ids], "lost": [{"id",
"claim"}]}.
` + ownExits + `
EXAMPLES
  git ralph unclaim t-1a2b
  git ralph claim release --all`
