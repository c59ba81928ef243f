package claimcmd

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// runNext claims tasks that are ready.
func (o takeOptions) runNext(ctx context.Context, env *term.Env) error {
	s, err := o.open(ctx, env)
	if err != nil {
		return err
	}
	n := &nextTasks{takeOptions: o, session: s, passed: map[string]bool{}}
	if err := env.UntilSignal(ctx, n.collect); err != nil {
		return err
	}
	return s.report(ctx, n.got)
}

// nextTasks collects the tasks of one call.
type nextTasks struct {
	takeOptions
	*session
	got     result
	passed  map[string]bool // three workers in a row left these
	pending int             // tasks of the role that are not done
	held    []claim.Held    // of these, what others have
}

// collect claims until there is enough, or there is nothing to wait for. What was claimed before an error is given back.
func (n *nextTasks) collect(ctx context.Context) error {
	for {
		enough, err := n.try(ctx)
		switch {
		case err == nil && enough:
			return nil
		case err == nil && n.wait && !n.isAllOurs():
			err = n.sleep(ctx, n.held)
		case err == nil && len(n.got) > 0 && !n.allOrNone:
			return nil
		case err == nil:
			err = n.nothing()
		}
		if err != nil {
			n.giveBack(ctx)
			return err
		}
	}
}

// try takes what is free until there is enough, or nothing is left. Whoever loses a race chooses again.
func (n *nextTasks) try(ctx context.Context) (enough bool, err error) {
	for {
		free, live, err := n.candidates(ctx)
		want := n.count - len(n.got)
		if err != nil || want <= 0 {
			return true, err
		}
		if len(free) == 0 || n.allOrNone && len(free) < want {
			return false, nil
		}
		r, err := n.take(ctx, n.session, n.choose(free, live, want))
		if err != nil {
			return false, err
		}
		n.keep(r)
		if n.takeOptions.dryRun {
			return true, nil
		}
	}
}

// keep notes what was taken, and what nobody should take.
func (n *nextTasks) keep(r result) {
	for _, g := range r {
		switch g.Refusal {
		case "":
			n.got = append(n.got, g)
		case claim.Exhausted:
			n.passed[g.ID] = true
			if g.aside {
				n.env.Warn(n.refusalText(g))
				continue
			}
			n.env.Warn(g.ID + " is passed over: three in a row left it without a commit; `git ralph claim steal " + g.ID + " --force` takes it all the same")
		}
	}
}

// choose picks tasks at random among the first ones.
func (n *nextTasks) choose(free []*plan.Record, live, want int) []string {
	among := free[:min(want, len(free))]
	if !n.allOrNone {
		among = slices.Clone(claim.Candidates(free, func(t *plan.Record) int { return plan.PriorityRank(t.Priority()) }, live))
		rand.Shuffle(len(among), func(i, k int) { among[i], among[k] = among[k], among[i] })
	}
	var ids []string
	for _, t := range among[:min(want, len(among))] {
		ids = append(ids, t.ID())
	}
	return ids
}

// candidates returns the ready tasks that nobody has, in the order of work, and how many claims there are. What a caller with a
// token has already counts as taken now.
func (n *nextTasks) candidates(ctx context.Context) (free []*plan.Record, live int, err error) {
	seen, p, err := n.claims.Judge(ctx)
	if err == nil && !n.takeOptions.dryRun {
		_, err = n.claims.Clear(ctx, seen) // whoever sees that a claim is over ends it
	}
	if err != nil {
		return nil, 0, err
	}
	n.pending, n.held = 0, nil
	order := schedule.Of(p)
	for _, t := range order.Pending() {
		one := seen[t.ID()]
		switch {
		case n.role != "" && t.Role() != n.role || n.has(t.ID()) || !order.ForAgents(t):
		case n.isOurs(one.Held) && len(n.got) < n.count:
			n.got = append(n.got, taking{Taking: authority.Taking{ID: t.ID(), Held: one.Held}})
		case !n.isFree(one):
			n.pending, n.held = n.pending+1, append(n.held, one.Held)
		case n.passed[t.ID()] || len(order.BlockedBy(t)) > 0:
			n.pending++
		default:
			n.pending++
			free = append(free, t)
		}
	}
	n.first = n.claims.Protocol().Wait(slices.Collect(maps.Values(seen))).After
	return free, len(seen), nil
}

// isOurs reports whether the caller has a task by a token that it was started with. Tokens that are kept do not count: two
// agents in one worktree would get the same task.
func (n *nextTasks) isOurs(h claim.Held) bool {
	return n.claims.Tokens.FromCaller() && h.Claim.State == claim.Working && n.claims.Tokens.Owns(h)
}

// isAllOurs reports whether nobody else has a task: for claims of this worktree it does not wait, as `claim ID` does not.
func (n *nextTasks) isAllOurs() bool {
	return !slices.ContainsFunc(n.held, func(h claim.Held) bool { return !n.isOurOwn(h) })
}

func (n *nextTasks) isOurOwn(h claim.Held) bool { return n.claims.Tokens.Owns(h) }

func (n *nextTasks) has(id string) bool {
	return slices.ContainsFunc(n.got, func(g taking) bool { return g.ID == id })
}

// giveBack releases what this call has claimed.
func (n *nextTasks) giveBack(ctx context.Context) {
	own := authority.Own{}
	for _, g := range n.got {
		if !g.dry && !n.isOurs(g.Held) {
			own[g.ID] = g.Held.Claim.Token
		}
	}
	if len(own) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	_, err := n.claims.Release(ctx, own)
	if err == nil {
		err = n.claims.Forget(ctx, own)
	}
	if err != nil {
		n.env.Warn("a claim could not be given back: " + err.Error())
	}
}

// nothing says why there is nothing to claim.
func (n *nextTasks) nothing() error {
	why := &cmdline.NothingError{Text: "no task is ready"}
	if n.role != "" {
		why.Text += " for the role " + term.Printable(n.role)
	}
	if n.pending > 0 {
		others := len(slices.DeleteFunc(slices.Clone(n.held), n.isOurOwn))
		why.Text += fmt.Sprintf(": %d pending, %d of them claimed by others", n.pending, others)
		if own := len(n.held) - others; own > 0 {
			why.Text += fmt.Sprintf(", %d in this worktree", own)
		}
		if others > 0 {
			why.Hint = "--wait waits; `git ralph claim list` shows who has them"
		}
	}
	return why
}
