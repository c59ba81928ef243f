package claimcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/land"
)

// taking is what became of one task.
type taking struct {
	authority.Taking
	dry   bool // it would be taken
	aside bool // it was set aside, since nobody is to take it any more
}

type result []taking

// refused reports whether a task was refused for one of these reasons.
func (r result) refused(why ...claim.Refusal) bool {
	return slices.ContainsFunc(r, func(g taking) bool { return slices.Contains(why, g.Refusal) })
}

// canWait reports whether others have something that may become free. What is ours already never does while we wait.
func (s *session) canWait(r result) bool {
	isOurs := func(g taking) bool { return g.Refusal != "" && s.claims.Tokens.Owns(g.Held) }
	return r.refused(claim.HeldBy, claim.InLanding) && !r.refused(claim.NotPending, claim.Exhausted) && !slices.ContainsFunc(r, isOurs)
}

// held returns the claims of others.
func (r result) held() (all []claim.Held) {
	for _, g := range r {
		if g.Refusal == claim.HeldBy || g.Refusal == claim.InLanding {
			all = append(all, g.Held)
		}
	}
	return all
}

// take claims tasks, and keeps the tokens for later commands. A token that cannot be kept is of no use to anybody: its claim is
// given back.
func (o takeOptions) take(ctx context.Context, s *session, ids []string) (result, error) {
	if o.dryRun {
		return o.wouldTake(ctx, s, ids)
	}
	r, free, err := o.refuseElsewhere(ctx, s, ids)
	if err != nil || len(free) == 0 || o.allOrNone && len(r) > 0 {
		return append(r, notTaken(free)...), err
	}
	taken, err := s.claims.Take(ctx, s.claims.Into(nil), o.holder(ctx, s), authority.TakeOptions{AllOrNone: o.allOrNone, Force: o.force}, free...)
	if err != nil {
		return nil, err
	}
	own := authority.Own{}
	for _, g := range taken {
		t := taking{Taking: g}
		switch g.Refusal {
		case "":
			own[g.ID] = g.Held.Claim.Token
		case claim.Exhausted:
			t.aside = o.setAside(ctx, s, g.Held)
		}
		r = append(r, t)
	}
	if len(own) == 0 {
		return r, nil
	}
	if err := s.claims.Keep(ctx, own); err != nil {
		_, released := s.claims.Release(context.WithoutCancel(ctx), own)
		return nil, fmt.Errorf("keep the token of a claim: %w", errors.Join(err, released))
	}
	return r, nil
}

// setAside makes a task that three in a row left in vain wait for an issue that says so. It reports whether it could.
func (o takeOptions) setAside(ctx context.Context, s *session, abandoned claim.Held) bool {
	if s.claims.IsElsewhere(abandoned) {
		return false
	}
	landing := land.Options{Into: s.claims.Target, Holder: o.holder(ctx, s)}
	err := landing.Configure(ctx, s.store)
	did := false
	if err == nil {
		did, err = land.SetAside(ctx, s.store, s.claims.Claims, landing, abandoned)
	}
	if err != nil {
		s.env.Warn(abandoned.ID + " cannot be set aside: " + err.Error())
	}
	return did
}

func notTaken(ids []string) (r result) {
	for _, id := range ids {
		r = append(r, taking{Taking: authority.Taking{ID: id, Refusal: claim.NotTaken}})
	}
	return r
}

// refuseElsewhere refuses tasks that somebody has claimed for another target. It returns the ids of all others.
func (o takeOptions) refuseElsewhere(ctx context.Context, s *session, ids []string) (r result, free []string, err error) {
	copies, err := s.claims.Copies(ctx)
	if err != nil || !slices.ContainsFunc(ids, func(id string) bool { return s.claims.IsElsewhere(copies[id]) }) {
		return nil, ids, err
	}
	seen, _, err := s.claims.Judge(ctx, ids...)
	for _, id := range ids {
		h := seen[id].Held
		if !s.claims.IsElsewhere(h) || s.isFree(seen[id]) || o.force && h.Claim.State == claim.Working {
			free = append(free, id)
			continue
		}
		why := claim.HeldBy
		if h.Claim.State == claim.Landing {
			why = claim.InLanding
		}
		r = append(r, taking{Taking: authority.Taking{ID: id, Held: h, Refusal: why}})
	}
	return r, free, err
}

// wouldTake decides as take does, and changes nothing.
func (o takeOptions) wouldTake(ctx context.Context, s *session, ids []string) (result, error) {
	seen, p, err := s.claims.Judge(ctx, ids...)
	if err != nil {
		return nil, err
	}
	decide := s.claims.Protocol().Take
	if o.force {
		decide = s.claims.Protocol().Steal
	}
	target := planio.TargetOf(p)
	var r result
	for _, id := range ids {
		one := seen[id]
		isElsewhere := one.Target == nil && !s.isFree(one) && !o.force
		one.Target = target
		if one.Held.Exists() && one.Held.Bad == "" {
			one.Evidence.Progress = s.claims.HasCommits(ctx, one.Held.Claim)
		}
		_, why := decide(one, claim.Claim{ID: id})
		if isElsewhere {
			why = claim.HeldBy
		}
		r = append(r, taking{Taking: authority.Taking{ID: id, Held: one.Held, Refusal: why}, dry: true})
	}
	return r, nil
}
