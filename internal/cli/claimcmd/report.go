package claimcmd

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
)

// report prints what was claimed, and what was not and why. That somebody else has a task counts before all other reasons.
func (s *session) report(ctx context.Context, r result) error {
	names := s.names(ctx)
	if s.format.Json(s.env) {
		s.env.WriteJSON(func(w term.Sink) { s.write(w, r, names) })
	} else {
		s.show(r, names)
	}
	code := cmdline.ExitDone
	for _, g := range r {
		if g.Refusal != "" {
			s.env.Say("error", s.refusalText(g))
			code = worse(code, g.Refusal)
		}
	}
	switch code {
	case cmdline.ExitDone:
		return nil
	case cmdline.ExitLocked:
		s.env.Hint(s.lockedHint(r))
	}
	return cmdline.StatusError(code)
}

// landHint says how a claim in landing ends.
const landHint = "`git ralph land --all` lands what is done, or gives it back"

// lockedHint says what can be done about claims of others. One in landing, or that cannot be read, nobody can take over.
func (s *session) lockedHint(r result) string {
	const list = "`git ralph claim list` shows who has what"
	hint := list
	for _, g := range r {
		switch {
		case g.Refusal == claim.HeldBy && s.claims.Tokens.Owns(g.Held):
			hint = "`git ralph claim renew` begins the leases of your claims again; `git ralph unclaim ID` gives a task back"
		case g.Refusal == claim.HeldBy && g.Held.Bad != "":
			hint = list + "; `git ralph doctor` lists claims that cannot be read"
		case g.Refusal == claim.InLanding:
			hint = list + "; " + landHint
		case g.Refusal == claim.HeldBy, g.Refusal == claim.NotOwn:
			return list + "; `git ralph claim steal ID --force` takes a task over"
		}
	}
	return hint
}

func (s *session) show(r result, names map[string]string) {
	for _, g := range r {
		text := "claimed "
		if g.dry {
			text = "dry run: claim "
		}
		if g.Refusal == "" {
			s.env.PrintWrapped(term.FieldIndent, term.Cell{Text: strings.TrimSpace(text + g.ID + " " + term.FirstLineOf(names[g.ID]))})
		}
	}
}

// worse returns the exit code of refusals.
func worse(code int, why claim.Refusal) int {
	switch why {
	case claim.HeldBy, claim.InLanding, claim.NotOwn:
		return cmdline.ExitLocked
	case claim.NotPending, claim.OtherRound:
		if code == cmdline.ExitDone {
			return cmdline.ExitNothing
		}
	case claim.Exhausted:
		if code != cmdline.ExitLocked {
			return cmdline.ExitFailed
		}
	}
	return code
}

// names returns the names of tasks, as the worktree has them.
func (s *session) names(ctx context.Context) map[string]string {
	names := map[string]string{}
	if snap, err := s.store.View(ctx); err == nil {
		for _, t := range snap.Plan.Of(plan.KindTask) {
			names[t.ID()] = t.Name()
		}
	}
	return names
}

// write writes {"claimed", "refused"}. Nothing else prints a token.
func (s *session) write(w term.Sink, r result, names map[string]string) {
	isRefused := func(g taking) bool { return g.Refusal != "" }
	claimed := slices.DeleteFunc(slices.Clone(r), isRefused)
	refused := slices.DeleteFunc(slices.Clone(r), func(g taking) bool { return !isRefused(g) })
	out := term.Object{Sink: w}
	out.Member("claimed")
	term.WriteArray(w, len(claimed), func(i int) {
		g, o := claimed[i], term.Object{Sink: w}
		o.Str("id", g.ID)
		o.StrIf("name", names[g.ID])
		if !g.dry {
			o.Str("token", g.Held.Claim.Token)
			o.Member("claim")
			planprint.WriteClaim(w, g.Held, true)
		}
		o.End()
	})
	out.Member("refused")
	term.WriteArray(w, len(refused), func(i int) {
		g, o := refused[i], term.Object{Sink: w}
		o.Str("id", g.ID)
		o.Str("reason", string(g.Refusal))
		if g.aside {
			o.Boolean("set_aside", true)
		}
		if g.Held.Exists() {
			o.Member("claim")
			planprint.WriteClaim(w, g.Held, s.claims.Tokens.Owns(g.Held))
		}
		o.End()
	})
	out.End()
}

// refusalText says why a task was refused; also that it is ours, since an agent beside us may have claimed it.
func (s *session) refusalText(g taking) string {
	if g.aside {
		return g.ID + " was left by three in a row without a commit: it is set aside, and waits for a new issue"
	}
	if g.Refusal == claim.HeldBy && s.claims.Tokens.Owns(g.Held) {
		if s.claims.Tokens.FromCaller() {
			return g.ID + " is claimed already, with your token"
		}
		return g.ID + " is claimed already, in this worktree"
	}
	return planio.RefusalText(g.ID, g.Refusal, g.Held)
}
