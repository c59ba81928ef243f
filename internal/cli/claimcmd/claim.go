package claimcmd

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/config"
	"git-ralph/internal/journal"
)

// takeOptions say what to claim, and how.
type takeOptions struct {
	options
	ids       []string
	role      string // "" for any
	count     int    // of claim next
	allOrNone bool
	wait      bool
	force     bool
	lease     time.Duration
	hasLease  bool
}

// New returns `git ralph claim` with its subcommands.
func New(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "claim", Usage: "say that you work on a task, so that nobody else does", ArgsUsage: "ID… | next", Description: aboutClaim,
		Flags:        takeFlags(),
		BashComplete: cmdline.CompletesArgs(planio.PendingIDs()),
		Subcommands:  []*cli.Command{newNext(env), newRenew(env), newRelease(env), newSteal(env), newList(env)},
		Action:       func(c *cli.Context) error { return runTake(c, env, false) },
	}
}

func newSteal(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "steal", Usage: "take a claim over from its holder", ArgsUsage: "ID…", Description: aboutSteal,
		Flags:        append(takeFlags(), &cli.BoolFlag{Name: "force", Usage: "even from a holder that still works"}),
		BashComplete: cmdline.CompletesArgs(claimedIDs(false)),
		Action:       func(c *cli.Context) error { return runTake(c, env, c.Bool("force")) },
	}
}

func runTake(c *cli.Context, env *term.Env, force bool) error {
	o, err := takeFrom(c)
	if err == nil && len(o.ids) == 0 {
		err = cmdline.Usage(c, "missing id: want the id of a task, or next")
	}
	if err != nil {
		return err
	}
	o.force = force
	return o.run(c.Context, env)
}

func newNext(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "next", Usage: "claim a task that is ready", Description: aboutNext,
		Flags: append([]cli.Flag{
			cmdline.Completes(&cli.StringFlag{Name: "role", Value: anyRole, Usage: "only tasks of a `ROLE`: " + strings.Join(roles(), ", ")}, cmdline.OneOf(roles()...)),
			&cli.IntFlag{Name: "count", Value: 1, Usage: "claim up to `N` tasks"},
		}, takeFlags()...),
		Action: cmdline.Action(env, nextFrom, takeOptions.runNext),
	}
}

// anyRole is that of who does all tasks.
const anyRole = "any"

// roles lists the roles of workers, as `git ralph work` has them.
func roles() []string { return []string{anyRole, "analyst", "builder", "validator", "integrator"} }

func nextFrom(c *cli.Context) (takeOptions, error) {
	o, err := takeFrom(c)
	if err != nil {
		return o, err
	}
	switch o.role = c.String("role"); {
	case !slices.Contains(roles(), o.role):
		return o, cmdline.Usage(c, "invalid role %q: want one of %s", o.role, strings.Join(roles(), ", "))
	case o.role == anyRole:
		o.role = ""
	}
	if o.count = c.Int("count"); o.count < 1 {
		return o, cmdline.Usage(c, "invalid count %d: want 1 or more", o.count)
	}
	return o, nil
}

func takeFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "all-or-none", Usage: "claim all of several tasks, or none"},
		&cli.BoolFlag{Name: "wait", Usage: "wait while others have them"},
		&cli.StringFlag{Name: "lease", Usage: "how long the claim is safe without a renewal: a `DURATION` such as 30m; 0: until it is released"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show what would be claimed, and claim nothing"},
	}, commonFlags()...)
}

func takeFrom(c *cli.Context) (takeOptions, error) {
	o := takeOptions{options: optionsFrom(c), ids: c.Args().Slice(), allOrNone: c.Bool("all-or-none"), wait: c.Bool("wait"), hasLease: c.IsSet("lease")}
	if !o.hasLease {
		return o, nil
	}
	var err error
	if o.lease, err = config.ParseDuration(c.String("lease")); err != nil || o.lease > claim24h || o.lease%time.Second != 0 {
		return o, cmdline.Usage(c, "invalid lease %q: want whole seconds, minutes or hours, up to 24h, or 0", c.String("lease"))
	}
	return o, nil
}

const (
	claim24h = 24 * time.Hour
	// agentLease is the lease of a claim by a program, which may end without a word. A person's is good until it is released.
	agentLease = time.Hour
)

// holder says who claims.
func (o takeOptions) holder(ctx context.Context, s *session) authority.Holder {
	by := authority.Holder{
		By: commit.AuthorAddress(ctx, s.store.Repo()), Run: s.env.Getenv(journal.RunVariable), Role: o.role, Into: s.claims.Target, Lease: o.lease,
	}
	if !o.hasLease && !s.env.Terminal {
		by.Lease = agentLease
	}
	return by
}

// run claims the tasks that were named.
func (o takeOptions) run(ctx context.Context, env *term.Env) error {
	s, err := o.open(ctx, env)
	if err != nil {
		return err
	}
	if o.ids, err = s.claims.ResolveTasks(ctx, o.ids); err != nil {
		return err
	}
	var r result
	err = env.UntilSignal(ctx, func(ctx context.Context) error {
		r, err = o.take(ctx, s, o.ids)
		for err == nil && o.wait && s.canWait(r) {
			if err = s.sleep(ctx, r.held()); err == nil {
				r, err = o.takeMore(ctx, s, r)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.report(ctx, r)
}

// takeMore tries again for what others had, and keeps what is ours by now.
func (o takeOptions) takeMore(ctx context.Context, s *session, had result) (result, error) {
	if o.allOrNone {
		return o.take(ctx, s, o.ids)
	}
	var open []string
	for _, g := range had {
		if g.Refusal != "" {
			open = append(open, g.ID)
		}
	}
	had = slices.DeleteFunc(had, func(g taking) bool { return g.Refusal != "" })
	more, err := o.take(ctx, s, open)
	return append(had, more...), err
}

const claimExits = `
EXIT STATUS
  0  done
  1  it cannot be done
  2  the command line is wrong
  3  there is nothing to claim
  4  somebody else has it
  5  the plan of the target is not valid
`

const aboutClaim = `Claims tasks: others see that you work on them, and cannot claim them. Of all who
try at once, exactly one succeeds. A claim is a reference in git, refs/ralph/claims/ID,
not part of the plan: it is neither committed nor merged. It ends when the task is
done on the target branch, accepted, rejected, cancelled, killed or decomposed there,
when it is released, or when its lease has run out and somebody else takes the task.
Done on another branch, the task waits to land, and nobody else can claim it.

The target is the branch ralph.target, else the branch checked out. A person's claim
is good until it is released; that of a program has a lease of an hour, unless
--lease says otherwise, and ` + "`git ralph claim renew`" + ` extends it.

Later commands in this worktree know their claims. An agent in a worktree that others
use too is given its token, which --json prints: --claim TOKEN, or GIT_RALPH_CLAIM.

A task that three in a row left without a commit is not claimed but set aside: it waits
for a new issue that says so.

Where standard output is not a terminal it is JSON: {"claimed": [{"id", "name", "token",
"claim"}], "refused": [{"id", "reason", "set_aside", "claim"}]}.
` + claimExits + `
EXAMPLES
  git ralph claim t-1a2b
  git ralph claim t-1a2b t-3c4d --all-or-none
  git ralph claim next --role validator --wait`

const aboutNext = `Claims a task that is ready: one that is pending, not blocked, and that nobody has.
It is chosen among the first of the highest priority, so that many who start at once do
not collide. A task without a role is a builder's. A caller with a token, by --claim or
GIT_RALPH_CLAIM, gets the task that it has claimed already.
` + claimExits + `
EXAMPLES
  git ralph claim next
  git ralph claim next --role builder --count 3 --lease 30m`

const aboutSteal = `Takes tasks over whose holder has gone: the process that had them ended on this
machine, or their lease has run out. --force takes them from a holder that still works;
what it does then cannot land. Its branch and commits stay. A task that is done and
waits to land cannot be taken.
` + claimExits + `
EXAMPLES
  git ralph claim steal t-1a2b
  git ralph claim steal t-1a2b --force`

// Claim claims tasks, and reports only what goes wrong.
func Claim(ctx context.Context, env *term.Env, ids []string) error {
	quiet := *env
	quiet.Out = io.Discard
	return takeOptions{ids: ids}.run(ctx, &quiet)
}
