package planio

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// ClaimedError says that a task is not the caller's to change.
type ClaimedError struct {
	ID    string
	Held  claim.Held // by somebody else; does not exist where the caller's own claim is gone
	agent bool       // the caller was started with a token
}

func (e *ClaimedError) Error() string {
	if e.agent {
		return RefusalText(e.ID, claim.NotOwn, e.Held)
	}
	return RefusalText(e.ID, claim.HeldBy, e.Held)
}

// Hint says what can be done.
func (e *ClaimedError) Hint() string {
	if e.agent {
		return "stop working on it: what you commit stays, and cannot land"
	}
	return "--force changes it all the same; `git ralph claim list` shows who has what"
}

// ClaimedFlags are MutationFlags of a command that changes tasks which somebody may have claimed.
func ClaimedFlags(own ...cli.Flag) []cli.Flag {
	if !slices.ContainsFunc(own, func(f cli.Flag) bool { return f.Names()[0] == "force" }) {
		own = append(own, &cli.BoolFlag{Name: "force", Usage: "even where somebody else has claimed it"})
	}
	return MutationFlags(append(own, &cli.StringFlag{Name: "claim", Usage: "the `TOKEN` of your claim, where this worktree does not know it"})...)
}

// claimGuard lets a mutation respect claims: where its command has the flags for that, what others have is refused, as a
// courtesy, since only landing is a fence; and a claim whose work is over ends in the transaction of the mutation.
type claimGuard struct {
	*Claims
	ctx    context.Context
	force  bool
	before claim.Target    // the plan before the mutation
	waits  map[string]bool // tasks that waited for something before it that nobody who works on them can do anything about

	ended []claim.Change // claims that end with the commit
	// finished are claims of ours whose tasks were done, or got the verdict that they are for, on another branch than their target. That of a
	// worker, which has a lock, is not among them: the worker itself sets it to landing, once it has committed what its agent left.
	finished authority.Own
}

// UpdateOfRun returns the iteration.Update of a run in the user's worktree: claims end with the work that the run finishes. Whose
// a task is was found out before, by Fence.
func UpdateOfRun(env *term.Env) func(context.Context, *store.Store, store.Request) (store.Result, error) {
	return func(ctx context.Context, st *store.Store, r store.Request) (store.Result, error) {
		guard, err := Mutation{}.guardClaims(ctx, env, st)
		if err != nil {
			return store.Result{}, err
		}
		return guard.update(ctx, st.Update, r)
	}
}

// update runs a transaction with what it means for claims. A nil guard runs it alone.
func (g *claimGuard) update(ctx context.Context, transact func(context.Context, store.Request) (store.Result, error), r store.Request) (store.Result, error) {
	if g == nil {
		return transact(ctx, r)
	}
	r.Do, r.Along = g.watch(r.Do), g.join(r.Along)
	result, err := transact(ctx, r)
	if err == nil {
		err = g.settle(ctx, result)
	}
	return result, err
}

// guardClaims returns nil where there are no claims, and none of the caller's.
func (m Mutation) guardClaims(ctx context.Context, e *term.Env, st *store.Store) (*claimGuard, error) {
	if !hasClaims(st) && m.claim == "" && e.Getenv(ClaimVariable) == "" {
		return nil, nil
	}
	c, err := OpenClaims(ctx, e, st, m.claim)
	return &claimGuard{Claims: c, ctx: ctx, force: m.Force || !m.respectsClaims}, err
}

// watch notes what the plan shows before a mutation changes it.
func (g *claimGuard) watch(do Change) Change {
	return func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		g.before, g.waits = TargetOf(p), waiting(p)
		return do(p, in)
	}
}

// waiting returns the tasks that depend on an open issue, and the reviews whose verdict is there: they wait for a person, or for
// another plan.
func waiting(p *plan.Plan) map[string]bool {
	open, waits := map[string]bool{}, map[string]bool{}
	for _, r := range p.Of(plan.KindIssue) {
		open[r.ID()] = true
	}
	hasItems := len(p.Of(plan.KindItem)) > 0
	for _, r := range p.Of(plan.KindTask) {
		waits[r.ID()] = slices.ContainsFunc(r.Deps(), func(id string) bool { return open[id] }) || hasItems && pipeline.IsReported(p, r)
	}
	return waits
}

// isReported reports whether a task is a review whose verdict is there.
func isReported(p *plan.Plan, id string) bool {
	task, found := p.Task(id)
	return found && pipeline.IsReported(p, task)
}

// join adds what goes along with the claims to what a request has along.
func (g *claimGuard) join(also func(store.Made) (store.Along, error)) func(store.Made) (store.Along, error) {
	return func(made store.Made) (along store.Along, err error) {
		if also != nil {
			along, err = also(made)
		}
		if err != nil {
			return along, err
		}
		return g.along(made, along)
	}
}

// along decides about the claim of every task that a mutation changed.
func (g *claimGuard) along(made store.Made, along store.Along) (store.Along, error) {
	held, err := g.Copies(g.ctx)
	if err != nil {
		return along, err
	}
	g.ended, g.finished = nil, authority.Own{}
	after, waits := TargetOf(made.Plan), waiting(made.Plan)
	decided := map[string]bool{}
	for _, e := range made.Change.Events {
		if claim.CheckID(e.ID) != nil || e.Name == plan.EventAdded {
			continue
		}
		h := held[e.ID]
		if err := g.check(e, h, made.Branch); err != nil {
			return along, err
		}
		if !h.Exists() || h.Bad != "" || g.Remote() != "" || decided[e.ID] {
			continue
		}
		onTarget, isOver := g.into(h) == made.Branch, !after.Round(h.Claim) || e.Name == plan.EventKilled || waits[e.ID] && !g.waits[e.ID]
		switch {
		case onTarget && isOver:
			g.ended = append(g.ended, claim.Change{ID: e.ID, Old: h.Object, Do: claim.Delete})
			along.References = append(along.References, git.ReferenceChange{Name: authority.Prefix + e.ID, Old: h.Object})
		case !onTarget && made.Branch != "" && (e.Name == plan.EventDone || waits[e.ID] && !g.waits[e.ID] && isReported(made.Plan, e.ID)) &&
			g.Tokens.Owns(h) && h.Claim.Lock == "":
			g.finished[e.ID] = h.Claim.Token
		default:
			continue
		}
		decided[e.ID] = true
		along.Trailers = append(along.Trailers, claimTrailer(h.Claim, made.Now))
	}
	return along, nil
}

// check refuses a task that somebody else has, and one whose claim the caller has lost. A claim that is over on this branch
// holds nobody back.
func (g *claimGuard) check(e plan.Event, h claim.Held, branch string) error {
	isOver := h.Bad == "" && g.into(h) == branch && !g.before.Round(h.Claim)
	switch {
	case g.force:
		return nil
	case h.Exists() && !g.Tokens.Owns(h) && !isOver && !g.isAbandoned(h):
		return &ClaimedError{e.ID, h, g.Tokens.Of(e.ID) != "" && g.Tokens.FromCaller()}
	case !h.Exists() && g.Tokens.FromCaller() && g.Tokens.Of(e.ID) != "" && g.before[e.ID].Pending:
		return &ClaimedError{e.ID, h, true}
	}
	return nil
}

// Fence refuses to change a task that somebody else has claimed, as check does, for a run whose agent has worked on it meanwhile.
func Fence(ctx context.Context, e *term.Env, st *store.Store, id string) error {
	c, err := ClaimsIfAny(ctx, e, st)
	if c == nil || err != nil {
		return err
	}
	held, err := c.Copies(ctx)
	h := held[id]
	if err != nil || !h.Exists() || c.Tokens.Owns(h) || c.isAbandoned(h) {
		return err
	}
	snap, err := st.View(ctx)
	if err != nil {
		return err
	}
	if isOver := h.Bad == "" && !c.IsElsewhere(h) && !TargetOf(snap.Plan).Round(h.Claim); isOver {
		return nil
	}
	return &ClaimedError{id, h, false}
}

// into returns the target of a claim.
func (g *claimGuard) into(h claim.Held) string {
	if h.Claim.Into != "" {
		return h.Claim.Into
	}
	return g.Target
}

// isAbandoned reports whether a worker's claim holds nobody back, since that has ended: a query does not pass over its task either.
func (c *Claims) isAbandoned(h claim.Held) bool {
	return c.Abandoned(map[string]claim.Held{h.ID: h})[h.ID]
}

// claimTrailer is the line that a commit's message keeps of a claim. It may be a stranger's.
func claimTrailer(c claim.Claim, now time.Time) string {
	c.Worker, c.Role, c.At = planprint.ClaimField(c.Worker), planprint.ClaimField(c.Role), planprint.ClaimField(c.At)
	return c.Trailer(now.UTC().Format(time.RFC3339))
}

// settle does what belongs to the commit and could not be part of it: claims end that another git made the commit of, and the
// tasks that were done on other branches wait to land.
func (g *claimGuard) settle(ctx context.Context, r store.Result) error {
	if !r.Committed {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if len(g.ended) > 0 && !r.Along {
		if _, err := g.Change(ctx, claim.Batch{Changes: g.ended}); err != nil {
			return fmt.Errorf("end a claim: %w", err)
		}
	}
	forget := authority.Own{}
	for _, c := range g.ended {
		if token := g.Tokens.kept[c.ID]; token != "" {
			forget[c.ID] = token
		}
	}
	if err := g.Forget(ctx, forget); err != nil {
		return err
	}
	for id, token := range g.finished {
		if err := g.land(ctx, id, token, r); err != nil {
			return fmt.Errorf("let %s wait to land: %w", id, err)
		}
	}
	return nil
}

// land sets the claim of a task that was finished on another branch than the target to landing.
func (g *claimGuard) land(ctx context.Context, id, token string, r store.Result) error {
	work := claim.Work{Branch: "refs/heads/" + r.Branch, Commit: r.Commit}
	held, err := g.Copies(ctx)
	if err != nil {
		return err
	}
	bases, err := g.store.Repo().MergeBases(ctx, r.Commit, g.into(held[id]))
	if err != nil {
		return err
	}
	work.Base = strings.Join(bases[:min(1, len(bases))], "")
	_, err = g.Finish(ctx, id, token, work)
	return err
}
