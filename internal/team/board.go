package team

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/iteration"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// A Board is what the target and the claims show at one moment.
type Board struct {
	Stage   schedule.Stage
	Pending int    // tasks
	Ready   int    // of these, those that nobody has and that wait for nothing
	Working int    // claims of tasks that somebody works on
	Landing int    // claims of tasks that wait to land
	Done    int    // tasks that wait to be verified
	Gate    string // what a person has to decide, where all that is left waits for that
	Follows bool   // a landing has something to do in the target, whatever waits to land
	Pulls   bool   // of this, pull requests
	Roster  Roster // that the work calls for; nil where the roster is fixed

	work      map[Role]bool // what a worker of the role could do now
	jobs      []Job
	landing   string   // the claims in landing
	finishers []string // the workers that made these
	state     string   // changes whenever anything of it does
}

// A BoardReader reads boards.
type BoardReader struct {
	Store  *store.Store
	Claims *authority.Claims
	Into   string // full name of the target branch

	Integration pipeline.Integration // who finishes Create PR and Merge PR

	// Size returns how many workers of each role a plan calls for, of which some tasks are claimed; nil where the roster is fixed.
	Size func(p *plan.Plan, claimed map[string]bool) (Roster, error)
	// Ahead changes what is read of the plan, to show what would be done after that; nil for nothing.
	Ahead func(p *plan.Plan, claimed map[string]bool) error

	tip   string
	plan  *plan.Plan
	shows claim.Target
	board Board  // that was read last
	key   string // what it was made of: the target's tip, and all claims with whether they are live
}

// Read reads the claims, and then the target. Where neither has changed, which is so at most of a team's looks, it returns the board that it
// read before.
func (r *BoardReader) Read(ctx context.Context) (Board, error) {
	seen, err := r.Claims.See(ctx, r.target())
	if err != nil {
		return Board{}, err
	}
	b := Board{work: map[Role]bool{}}
	live := b.addClaims(r.Claims.Protocol(), seen)
	key := r.tip
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		key += fmt.Sprint(" ", id, seen[id].Held.Object, live[id])
	}
	if key == r.key {
		return r.board, nil
	}
	if r.Ahead != nil {
		if err := r.Ahead(r.plan, live); err != nil {
			return Board{}, err
		}
	}
	b.Pulls = pipeline.PullsLeft(r.plan, r.Integration)
	b.Follows = b.Pulls || pipeline.Follows(r.plan, live, r.Integration)
	b.addPlan(r.plan, live, func(id string) string { return seen[id].Held.Object })
	b.state = fmt.Sprint(r.tip, b.state, b.Ready)
	if err := r.size(&b, live); err != nil {
		return b, err
	}
	r.key, r.board = key, b
	return b, nil
}

// size finds out what the work calls for: at least one worker for whatever can be begun.
func (r *BoardReader) size(b *Board, live map[string]bool) (err error) {
	if r.Size == nil {
		return nil
	}
	if b.Roster, err = r.Size(r.plan, live); err != nil {
		return err
	}
	for _, role := range Roles() {
		if b.work[role] {
			b.Roster[role] = max(1, b.Roster[role])
		}
	}
	return nil
}

// ReleaseDead deletes the claims of workers that are known to have ended: when a team begins, those that have its names were killed
// together with the former team, which is no fault of their tasks. Each would else count as one that its holder left in vain. It
// returns the tasks.
func (r *BoardReader) ReleaseDead(ctx context.Context, members []Member) ([]string, error) {
	seen, err := r.Claims.See(ctx, nil)
	if err != nil {
		return nil, err
	}
	dead := authority.Own{}
	for id, s := range seen {
		named := slices.ContainsFunc(members, func(m Member) bool { return m.Name == s.Held.Claim.Worker })
		if named && r.Claims.Protocol().Stale(s) == claim.ByProof {
			dead[id] = s.Held.Claim.Token
		}
	}
	if len(dead) == 0 {
		return nil, nil
	}
	_, err = r.Claims.Release(ctx, dead)
	return slices.Sorted(maps.Keys(dead)), err
}

func (r *BoardReader) target() *authority.Target {
	return &authority.Target{Branch: r.Into, At: r.readTarget}
}

// readTarget reads the target, if it has moved.
func (r *BoardReader) readTarget(ctx context.Context, ref string) (claim.Target, error) {
	tip, err := r.Store.Repo().IDAt(ctx, ref)
	if err != nil || tip == r.tip && tip != "" {
		return r.shows, err
	}
	snap, err := r.Store.At(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", strings.TrimPrefix(r.Into, "refs/heads/"), err)
	}
	p, err := snap.Valid()
	if err != nil {
		return nil, err
	}
	r.tip, r.plan, r.shows = tip, p, claim.Target{}
	for id, round := range p.Rounds() {
		r.shows[id] = claim.Task{Pending: round.Pending, After: round.After}
	}
	return r.shows, nil
}

// addClaims counts the claims, and returns those that count.
func (b *Board) addClaims(now claim.Protocol, seen map[string]claim.Seen) (live map[string]bool) {
	live = map[string]bool{}
	var state strings.Builder
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		s := seen[id]
		if !s.Held.Exists() || now.Over(s) || now.Stale(s) != claim.Fresh {
			continue
		}
		live[id] = true
		state.WriteString(" " + s.Held.Object)
		if s.Held.Bad == "" && s.Held.Claim.State == claim.Landing {
			b.Landing++
			b.landing += " " + s.Held.Object
			b.finishers = append(b.finishers, s.Held.Claim.Worker)
		} else {
			b.Working++
		}
	}
	b.state = state.String()
	return live
}

// addPlan counts what there is to do.
func (b *Board) addPlan(p *plan.Plan, live map[string]bool, claimOf func(id string) string) {
	order := schedule.Of(p)
	b.Stage, b.Done, b.Pending = order.Next().Action, len(order.ToVerify()), len(order.Pending())
	ready := slices.DeleteFunc(order.Ready(), func(task *plan.Record) bool { return live[task.ID()] })
	issues := iteration.AgentIssues(p)
	b.Ready = len(ready)
	b.addJobs(ready, order.ToVerify(), issues, claimOf)
	if len(live) == 0 && !b.Follows {
		b.Gate = loop.GateText(p)
	}
}

// missing says which roles have something to do and are not in a roster, "" for none.
func (b Board) missing(members []Member) string {
	var all []string
	for _, role := range slices.Sorted(maps.Keys(b.work)) {
		if !b.work[role] || role == Integrator || slices.ContainsFunc(members, func(m Member) bool { return m.Role == role }) {
			continue
		}
		what, how := "issues", fmt.Sprintf("add %s=1 to the roster", role)
		if ids := b.readyFor(role); len(ids) > 0 {
			what = strings.Join(ids[:min(3, len(ids))], ", ")
		}
		if !slices.Contains(Roles(), role) {
			how = "workers are for " + listRoles()
		}
		all = append(all, fmt.Sprintf("no worker has the role %s of %s: %s", role, what, how))
	}
	return strings.Join(all, "; ")
}

// Complete reports whether nothing is left to do.
func (b Board) Complete() bool {
	return b.Stage == schedule.Complete && b.Working+b.Landing == 0 && !b.Follows
}
