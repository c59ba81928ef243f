package claimcmd

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/store"
)

// options are those of every command here.
type options struct {
	token  string
	local  bool
	dryRun bool
	format cmdline.Format
}

func commonFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "claim", Usage: "the `TOKEN` of your claim, which claim --json prints"},
		&cli.BoolFlag{Name: "local", Usage: "claims of this clone alone, where the plan says that they are shared"},
	}, cmdline.FormatFlags()...)
}

func optionsFrom(c *cli.Context) options {
	return options{c.String("claim"), c.Bool("local"), c.Bool("dry-run"), cmdline.FormatFrom(c)}
}

// session is one command at work.
type session struct {
	options
	env    *term.Env
	store  *store.Store
	claims *planio.Claims
	first  time.Duration // until the first lease runs out; 0: none does
	waits  bool          // whom it waits for was said
}

func (o options) open(ctx context.Context, env *term.Env) (*session, error) {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return nil, err
	}
	open := planio.OpenClaims
	if o.local {
		open = planio.OpenLocalClaims
	}
	claims, err := open(ctx, env, st, o.token)
	return &session{options: o, env: env, store: st, claims: claims}, err
}

// The pauses between two looks at what others have: references of this repository cost little to read, those of a remote a fetch.
const (
	localPause  = 500 * time.Millisecond
	remotePause = 10 * time.Second
)

// sleep waits until it is worth looking again at what others have. The first time it says who they are.
func (s *session) sleep(ctx context.Context, held []claim.Held) error {
	if !s.waits {
		s.waits = true
		s.env.Say("note", s.waitingText(held))
	}
	pause := localPause
	if s.claims.Remote() != "" {
		pause = remotePause
	}
	if s.first > 0 {
		pause = min(pause, s.first)
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pause):
		return nil
	}
}

// waitingText names the first few holders.
func (s *session) waitingText(held []claim.Held) string {
	const few = 3
	var text []string
	for _, h := range held[:min(len(held), few)] {
		text = append(text, s.refusalText(taking{Taking: authority.Taking{ID: h.ID, Held: h, Refusal: claim.HeldBy}}))
	}
	if more := len(held) - few; more > 0 {
		text = append(text, fmt.Sprintf("and %d more", more))
	}
	return "waiting: " + strings.Join(text, "; ")
}

// isFree reports whether a task can be taken as far as its claim goes.
func (s *session) isFree(seen claim.Seen) bool {
	p := s.claims.Protocol()
	return !seen.Held.Exists() || p.Over(seen) || p.Stale(seen) != claim.Fresh
}
