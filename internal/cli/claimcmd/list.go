package claimcmd

import (
	"context"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
)

func newList(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list claims, and mark stale ones", ArgsUsage: "[ID…]", Description: aboutList,
		Flags:        commonFlags(),
		BashComplete: cmdline.CompletesArgs(claimedIDs(false)),
		Action:       func(c *cli.Context) error { return listClaims(c.Context, env, optionsFrom(c), c.Args().Slice()) },
	}
}

// listed is one claim, and what is known of it.
type listed struct {
	claim.Held
	own   bool
	about string // "" while its holder works
}

func listClaims(ctx context.Context, env *term.Env, o options, ids []string) error {
	s, err := o.open(ctx, env)
	if err != nil {
		return err
	}
	seen, err := s.claims.All(ctx)
	if err != nil {
		return err
	}
	var all []listed
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		h := seen[id].Held
		if len(ids) > 0 && !slices.Contains(ids, id) {
			continue
		}
		all = append(all, listed{h, s.claims.Tokens.Owns(h), s.claims.StaleText(seen[id])})
	}
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeClaims(w, all) })
		return nil
	}
	showClaims(env, all, s.names(ctx))
	return nil
}

func writeClaims(w term.Sink, all []listed) {
	term.WriteArray(w, len(all), func(i int) {
		out := term.Object{Sink: w}
		out.Str("id", all[i].ID)
		out.Member("claim")
		planprint.WriteClaim(w, all[i].Held, all[i].own, "stale", all[i].about)
		out.End()
	})
}

func showClaims(env *term.Env, all []listed, names map[string]string) {
	var t term.Table
	for _, l := range all {
		state, holder := string(l.Claim.State), planprint.HolderText(l.Held)
		if l.Bad != "" {
			state = "unreadable"
		}
		if l.own {
			holder = "own"
		}
		t.Add(
			term.Cell{Text: l.ID, Style: term.Cyan}, term.Cell{Text: state, Style: term.PlainStyle}, term.Cell{Text: holder, Style: term.PlainStyle},
			term.Cell{Text: l.about, Style: term.Yellow}, term.Cell{Text: term.FirstLineOf(names[l.ID]), Style: term.PlainStyle},
		)
	}
	t.Write(env)
	if len(all) == 0 {
		env.Hint("nothing is claimed")
	}
}

const aboutList = `Lists all claims, or those of the tasks named, read afresh, and marks those that do not
count any more: stale ones, whose holder has ended or has not renewed them in time,
which anybody may take, and those that are over, since the target does not show the
task as pending.

Where standard output is not a terminal it is JSON: [{"id", "claim": {"state", "worker",
"role", "by", "host", "at", "lease", "own", "stale"}}]. Tokens are never shown.

EXIT STATUS
  0  done
  1  it cannot be done
  2  the command line is wrong
  5  the plan of the target is not valid

EXAMPLES
  git ralph claim list
  git ralph claim list t-1a2b --claim TOKEN --json | jq '.[].claim.own'
  git ralph claim list --json | jq -r '.[] | select(.claim.stale) | .id'`
