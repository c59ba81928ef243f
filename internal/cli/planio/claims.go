package planio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// ClaimVariable names the tokens of an agent's claims: TOKEN or ID:TOKEN, with blanks or commas between several.
const ClaimVariable = "GIT_RALPH_CLAIM"

// Claims are the claims of a repository as one command sees them, which knows which are its own.
type Claims struct {
	*authority.Claims
	Target string // full name of the target branch; "" where HEAD is on no branch and ralph.target is not set
	Tokens Tokens
	store  *store.Store
}

// Tokens are those that a command was started with, else those kept by earlier commands in the same worktree.
type Tokens struct {
	kept  authority.Own
	input []inputToken // they make kept ones count for nothing
}

type inputToken struct{ id, token string } // id is "" where only the token is known

// OpenClaims returns the claims of a repository. token is what --claim gives, and it goes before the environment.
func OpenClaims(ctx context.Context, e *term.Env, st *store.Store, token string) (*Claims, error) {
	all, err := OpenAuthority(ctx, st)
	if err != nil {
		return nil, err
	}
	return claimsOf(ctx, e, st, all, token)
}

// OpenLocalClaims is OpenClaims for those of the repository itself, wherever the others are.
func OpenLocalClaims(ctx context.Context, e *term.Env, st *store.Store, token string) (*Claims, error) {
	all, err := authority.OpenAt(ctx, st.Repo(), "")
	if err != nil {
		return nil, err
	}
	return claimsOf(ctx, e, st, all, token)
}

func claimsOf(ctx context.Context, e *term.Env, st *store.Store, all *authority.Claims, token string) (c *Claims, err error) {
	c = &Claims{Claims: all, store: st}
	if c.Target, err = TargetBranch(ctx, st, ""); err != nil {
		return nil, err
	}
	if token == "" {
		token = e.Getenv(ClaimVariable)
	}
	for _, word := range strings.FieldsFunc(token, func(r rune) bool { return r == ',' || r == ' ' }) {
		id, own, found := strings.Cut(word, ":")
		if !found {
			id, own = "", word
		}
		if !claim.IsToken(own) || found && claim.CheckID(id) != nil {
			return nil, &cmdline.UsageError{Text: "invalid token of a claim: want TOKEN or ID:TOKEN", Hint: "`git ralph claim ID --json` prints it"}
		}
		c.Tokens.input = append(c.Tokens.input, inputToken{id, own})
	}
	if len(c.Tokens.input) == 0 {
		c.Tokens.kept = all.Kept()
	}
	return c, nil
}

// TargetBranch returns the full name of the target branch: the one that was named, else ralph.target, else the one that is
// checked out; "" where HEAD is on no branch.
func TargetBranch(ctx context.Context, st *store.Store, name string) (string, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return "", err
	}
	if name == "" {
		name, _ = settings.Get("ralph.target")
	}
	if name != "" {
		return "refs/heads/" + strings.TrimPrefix(name, "refs/heads/"), nil
	}
	return st.Repo().HeadRef(ctx)
}

// FromCaller reports whether the command was started with tokens, as to an agent.
func (t Tokens) FromCaller() bool { return len(t.input) > 0 }

func (t Tokens) none() bool { return len(t.input)+len(t.kept) == 0 }

// Named returns the tokens that the command was started with for tasks that it names.
func (t Tokens) Named() authority.Own {
	own := authority.Own{}
	for _, g := range t.input {
		if g.id != "" {
			own[g.id] = g.token
		}
	}
	return own
}

// Of returns our token for a task, where one is known for exactly that task.
func (t Tokens) Of(id string) string {
	for _, g := range t.input {
		if g.id == id {
			return g.token
		}
	}
	return t.kept[id]
}

// Owns reports whether a claim is ours: it has our token.
func (t Tokens) Owns(h claim.Held) bool {
	if own := t.Of(h.ID); own != "" {
		return h.Is(own)
	}
	return slices.ContainsFunc(t.input, func(g inputToken) bool { return g.id == "" && h.Is(g.token) })
}

// errNoTarget: it is not known of which branch finished work becomes part.
var errNoTarget = &cmdline.HintedError{
	Err: errors.New("no target branch: HEAD is on no branch, and ralph.target is not set"), Hint: "`git config ralph.target BRANCH` sets it",
}

// RequireTarget is TargetBranch with an error where there is none.
func RequireTarget(ctx context.Context, st *store.Store, name string) (string, error) {
	ref, err := TargetBranch(ctx, st, name)
	if err == nil && ref == "" {
		err = errNoTarget
	}
	return ref, err
}

// TargetPlan returns the plan at the tip of the target, over a remote after a fetch.
func (c *Claims) TargetPlan(ctx context.Context) (*plan.Plan, error) {
	ref, err := c.Fetched(ctx, c.Target)
	if err != nil {
		return nil, err
	}
	return c.planAt(ctx, ref)
}

// planAt returns the plan of the target by the name that it has here.
func (c *Claims) planAt(ctx context.Context, ref string) (*plan.Plan, error) {
	if c.Target == "" {
		return nil, errNoTarget
	}
	snap, err := c.store.At(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", strings.TrimPrefix(c.Target, "refs/heads/"), err)
	}
	return snap.Valid()
}

// ResolveTasks returns the ids of tasks of the target that the user names. Whole ids need no fetch where the copy has them: whether
// they can be claimed is found out anyway.
func (c *Claims) ResolveTasks(ctx context.Context, names []string) ([]string, error) {
	if p, err := c.planAt(ctx, c.Copy(c.Target)); err == nil {
		if ids, err := p.ResolveIDs(plan.KindTask, names); err == nil && slices.Equal(ids, names) {
			return ids, nil
		}
	}
	p, err := c.TargetPlan(ctx)
	if err != nil {
		return nil, err
	}
	return p.ResolveIDs(plan.KindTask, names)
}

// Into is the target, as it is read together with claims. The plan is stored where one is given.
func (c *Claims) Into(p **plan.Plan) *authority.Target {
	return &authority.Target{Branch: c.Target, At: func(ctx context.Context, ref string) (claim.Target, error) {
		read, err := c.planAt(ctx, ref)
		if err != nil {
			return nil, err
		}
		if p != nil {
			*p = read
		}
		return TargetOf(read), nil
	}}
}

// Judge reads claims, of tasks or all, and the target, whose plan it returns. A claim for another target is not judged
// by ours.
func (c *Claims) Judge(ctx context.Context, ids ...string) (seen map[string]claim.Seen, p *plan.Plan, err error) {
	seen, err = c.See(ctx, c.Into(&p), ids...)
	for id, one := range seen {
		if c.IsElsewhere(one.Held) {
			one.Target = nil
			seen[id] = one
		}
	}
	return seen, p, err
}

// All reads all claims. Without a target, none is judged.
func (c *Claims) All(ctx context.Context) (seen map[string]claim.Seen, err error) {
	if c.Target == "" {
		return c.See(ctx, nil)
	}
	seen, _, err = c.Judge(ctx)
	return seen, err
}

// IsElsewhere reports whether a claim is for another target than ours.
func (c *Claims) IsElsewhere(h claim.Held) bool {
	return h.Exists() && h.Bad == "" && h.Claim.Into != "" && h.Claim.Into != c.Target
}

// TargetOf returns what the plan of the target shows.
func TargetOf(p *plan.Plan) claim.Target {
	target := claim.Target{}
	for id, round := range p.Rounds() {
		target[id] = claim.Task{Pending: round.Pending, After: round.After}
	}
	return target
}

// Shown returns the claims as they were last read, without a process and without a remote.
func (c *Claims) Shown(ctx context.Context) (planprint.Claims, error) {
	held, err := c.Copies(ctx)
	shown := planprint.Claims{Held: held, Own: map[string]bool{}, Abandoned: c.Abandoned(held)}
	if c.Tokens.none() {
		return shown, err
	}
	for id, h := range held {
		if c.Tokens.Owns(h) {
			shown.Own[id] = true
		}
	}
	return shown, err
}

// shownClaims returns the claims for a query. What cannot be read is reported, and the query goes on.
func shownClaims(ctx context.Context, e *term.Env, st *store.Store) planprint.Claims {
	var shown planprint.Claims
	c, err := ClaimsIfAny(ctx, e, st)
	if c != nil {
		shown, err = c.Shown(ctx)
	}
	if err != nil {
		e.Warn("cannot read the claims: " + err.Error())
	}
	return shown
}

// ClaimsIfAny returns the claims of a repository in which there may be some, else nil.
func ClaimsIfAny(ctx context.Context, e *term.Env, st *store.Store) (*Claims, error) {
	if !hasClaims(st) {
		return nil, nil
	}
	return OpenClaims(ctx, e, st, "")
}

// hasClaims reports whether claims may have been made here. Whoever makes or reads one leaves a directory.
func hasClaims(st *store.Store) bool {
	_, err := os.Lstat(filepath.Join(st.Repo().CommonDir(), "ralph", "claims"))
	if err != nil {
		_, err = os.Lstat(filepath.Join(st.Repo().CommonDir(), "refs", "ralph"))
	}
	return err == nil
}

// scheduleUnder returns what claims mean for the order of work.
func scheduleUnder(c planprint.Claims) schedule.Claims {
	under := schedule.Claims{Own: c.Own, Others: make(map[string]bool, len(c.Held))}
	for id := range c.Held {
		if !c.Own[id] && !c.Abandoned[id] {
			under.Others[id] = true
		}
	}
	return under
}

// ClaimedTasks returns the tasks that somebody works on.
func ClaimedTasks(ctx context.Context, e *term.Env, st *store.Store) map[string]bool {
	return shownClaims(ctx, e, st).Claimed()
}

// RefusalText says why a claim of a task was refused, and names the holder.
func RefusalText(id string, why claim.Refusal, h claim.Held) string {
	holder := planprint.HolderText(h)
	switch why {
	case claim.NotPending:
		return id + " is not pending on the target branch"
	case claim.InLanding:
		return id + " is done by " + holder + " and waits to land"
	case claim.Exhausted:
		return id + " was left by three in a row without a commit: set it aside, or split it up"
	case claim.OtherRound:
		return id + " was rejected or changed meanwhile"
	case claim.NotTaken:
		return id + " was not claimed, since not all of the tasks can be"
	case claim.NotOwn:
		if !h.Exists() {
			return id + ": your claim is gone"
		}
		return id + ": your claim is lost; " + holder + " has it"
	}
	return id + " is claimed by " + holder
}

// StaleText says why a claim does not count any more, "" where it does.
func (c *Claims) StaleText(seen claim.Seen) string {
	if c.Protocol().Over(seen) {
		return "over: the task is not pending any more"
	}
	switch c.Protocol().Stale(seen) {
	case claim.ByProof:
		return "stale: its worker has ended"
	case claim.ByLease:
		return "stale: its lease has run out"
	}
	return ""
}

// ScheduleClaims returns what the claims of a worktree mean for the order of work.
func ScheduleClaims(ctx context.Context, e *term.Env, st *store.Store) schedule.Claims {
	return scheduleUnder(shownClaims(ctx, e, st))
}
