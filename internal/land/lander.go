package land

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/git"
	"git-ralph/internal/git/treemerge"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
	"git-ralph/internal/worktree"
)

// lander lands branches.
type lander struct {
	o      Options
	st     *store.Store
	repo   *git.Repo
	claims *authority.Claims
	reader *git.Reader
	trees  *treemerge.Trees
	stops  bool // a recorded conflict in the plan is a conflict

	turn    *turn           // nil where it is not ours
	pushing time.Duration   // how long it took to set our claims to landing
	names   treemerge.Names // that git refuses here
	drivers bool            // somebody's merge drivers are configured
	checks  checks
	result  Result

	keepsBranches bool   // the remote refuses that landed branches of workers are deleted
	raced         string // the target's tip when a push that deletes some was refused

	// What was read for one attempt.
	tip      string
	graph    graph
	seen     seen
	todo     todo
	inTarget map[string]bool // of recorded bases
	removed  map[string]bool // commits that the target had
}

// seen are claims, and then what the target showed.
type seen struct {
	claims map[string]claim.Seen
	target claim.Target
}

// maxTries is how often a batch is merged anew because the target or a claim changed.
const maxTries = 50

// ErrMoving: others changed the target again and again before a landing was ready.
var ErrMoving = errors.New("the target moves all the time: land again")

// ErrNoBranch: over a remote, only branches can land.
var ErrNoBranch = errors.New("cannot land")

// ErrNoTarget: the target branch has no commit.
var ErrNoTarget = errors.New("the target branch does not exist")

// Run lands branches. Those that cannot land are no error: the result says what became of each.
//
// A worker that has finished a branch (its claim is in landing, and names the branch and its tip) lands it by
//
//	o := land.Options{Into: target, Branches: []string{branch}, Holder: holder}
//	if err := o.Configure(ctx, st); err == nil {
//		result, err = land.Run(ctx, st, claims, o)
//	}
//
// Any number of workers may do so at once. The store may be that of any worktree; neither its files nor its index are touched,
// unless the target is checked out there. Where the outcome is Conflict, Together or Failed, Branch.Then says what became of the
// task: "returned" (the claim is in working again, with the feedback for the next attempt), "rejected" or "set aside".
func Run(ctx context.Context, st *store.Store, claims *authority.Claims, o Options) (Result, error) {
	l, err := newLander(ctx, st, claims, o)
	if err != nil {
		return Result{}, err
	}
	defer l.reader.Close()
	if worktree.EndLeft(ctx, l.repo) > 0 {
		l.warn("ended a check that a killed process had left running")
	}
	queue, err := l.begin(ctx)
	if err != nil {
		return l.result, err
	}
	l.result.Old = l.tip
	defer l.checks.close()
	queue, err = l.takeTurn(ctx, queue)
	defer func() { l.turn.end() }()
	for rest := present(queue); len(rest) > 0 && err == nil; {
		n := min(len(rest), max(1, o.Batch))
		err = l.land(ctx, rest[:n])
		rest = rest[n:]
	}
	if err == nil && !o.DryRun {
		if err = l.settle(ctx, queue); err == nil {
			err = l.followItems(ctx)
		}
	}
	for _, b := range queue {
		b.Claims = b.landing
		l.result.Branches = append(l.result.Branches, b.Branch)
	}
	if err == nil && l.wantsPush() {
		err = l.pushTarget(ctx)
	}
	l.result.New = l.tip
	return l.result, err
}

func newLander(ctx context.Context, st *store.Store, claims *authority.Claims, o Options) (*lander, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	stop, _ := settings.Get("ralph.mergeConflicts")
	repo := git.WithoutReplacements(st.Repo())
	l := &lander{o: o, st: st, repo: repo, claims: claims, reader: repo.Reader(ctx), stops: stop == "stop", result: Result{Target: o.Into}}
	if err := l.readNames(settings.Bool); err != nil {
		return nil, err
	}
	for key := range settings.Keys() {
		l.drivers = l.drivers || strings.HasPrefix(key, "merge.") && strings.HasSuffix(key, ".driver") && key != "merge.ralph.driver"
	}
	l.trees = treemerge.Open(l.repo, l.reader)
	l.checks = checks{lander: l, passed: map[string]bool{}}
	return l, nil
}

// readNames reads which names git is to refuse. Where nothing is said, those are also names that only other systems read as .git:
// the target is for their users, too.
func (l *lander) readNames(setting func(string, bool) (bool, error)) (err error) {
	if l.names.HFS, err = setting("core.protectHFS", true); err == nil {
		l.names.NTFS, err = setting("core.protectNTFS", true)
	}
	return err
}

// target is the branch to land on: with a claims remote, that of the remote.
func (l *lander) target() *authority.Target {
	return &authority.Target{Branch: l.o.Into, At: l.readRounds}
}

// readRounds reads the target: what it shows of each task.
func (l *lander) readRounds(ctx context.Context, ref string) (claim.Target, error) {
	tip, err := l.repo.IDAt(ctx, ref)
	if err == nil && tip == "" {
		err = fmt.Errorf("%w: %s", ErrNoTarget, l.o.Into)
	}
	if err != nil {
		return nil, err
	}
	l.tip = tip
	p, err := l.planAt(tip)
	if err != nil {
		return nil, err
	}
	target := claim.Target{}
	for id, round := range p.Rounds() {
		target[id] = claim.Task{Pending: round.Pending, After: round.After}
	}
	l.seen.target = target
	return target, nil
}

// planAt returns the plan of a commit.
func (l *lander) planAt(commit string) (*plan.Plan, error) {
	tree, err := l.trees.TreeOf(commit)
	if err != nil {
		return nil, err
	}
	text, err := planIn(l.trees, tree, l.st.PlanPath())
	if err != nil {
		return nil, err
	}
	p, problems := plan.DecodeBytes(text)
	if !problems.Readable() {
		return nil, &plan.InvalidError{File: fmt.Sprintf("%.12s:%s", commit, l.st.PlanPath()), Problems: problems}
	}
	return p, nil
}

// observe reads claims and target, and which commits branches have that the target has not.
func (l *lander) observe(ctx context.Context, branches []*branch) error {
	seen, err := l.claims.See(ctx, l.target())
	if err != nil {
		return err
	}
	l.seen.claims = seen
	return l.readCommits(ctx, branches)
}

// readCommits reads which commits branches have that the target has not, as it was read last.
func (l *lander) readCommits(ctx context.Context, branches []*branch) (err error) {
	l.inTarget, l.todo = map[string]bool{}, todo{}
	if l.graph, err = readGraph(ctx, l.repo, l.tip, branches); err == nil {
		l.removed, err = l.readRemoved(ctx, branches)
	}
	return err
}

// land lands a batch, anew as often as somebody else changes the target or a claim first.
func (l *lander) land(ctx context.Context, batch []*branch) error {
	if !l.o.DryRun {
		lock, err := l.lock(ctx)
		if err != nil {
			return err
		}
		defer lock.Release() //nolint:errcheck // the end of the process does it, too
	}
	for races := 0; races < maxTries; {
		batch = open(batch)
		s, err := l.ready(ctx, batch)
		if err != nil || s == nil || len(s.parts) == 0 || l.o.DryRun {
			l.wouldLand(s)
			return err
		}
		if s, err = l.checks.choose(ctx, s, batch); err != nil || len(s.parts) == 0 {
			return err
		}
		if !l.todo.empty() { // for a branch that had a conflict with one that was taken out
			if err := l.acquire(ctx); err != nil {
				return err
			}
			races++
			continue
		}
		commit, err := l.commit(ctx, s)
		if err != nil {
			return err
		}
		switch err = l.publish(ctx, s, commit); {
		case errors.Is(err, errRace):
			races++
			if err := l.backOff(ctx, races); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		l.note(s, commit)
		if batch = rest(batch); len(batch) == 0 {
			return nil
		}
	}
	return ErrMoving
}

// lock lets the landings of one clone wait for each other: those that try at once would merge and check again and again, because
// one of them wins. What others do to the target meanwhile is still noticed.
func (l *lander) lock(ctx context.Context) (*safefile.Held, error) {
	path := filepath.Join(l.repo.CommonDir(), "ralph", "landing.lock")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	lock, err := safefile.TryLock(path, "git ralph land")
	if held, ok := errors.AsType[*safefile.HeldError](err); ok {
		l.say("waiting for another landing: %v", held)
		return safefile.Lock(ctx, path, "git ralph land")
	}
	return lock, err
}

// ready returns the stack of a batch, whose claims are in landing.
func (l *lander) ready(ctx context.Context, batch []*branch) (*stack, error) {
	for range maxTries {
		if err := l.observe(ctx, batch); err != nil {
			return nil, err
		}
		s, err := l.stackOf(ctx, batch)
		if err != nil || l.todo.empty() || l.o.DryRun {
			return s, err
		}
		if err := l.acquire(ctx); err != nil {
			return nil, err
		}
	}
	return nil, ErrMoving
}

// wouldLand notes what a dry run finds.
func (l *lander) wouldLand(s *stack) {
	if s == nil || !l.o.DryRun {
		return
	}
	for _, b := range s.branches() {
		b.Outcome = Landed
	}
}

// note notes what has landed.
func (l *lander) note(s *stack, commit string) {
	l.tip = commit
	l.result.Commits = append(l.result.Commits, commit)
	for _, b := range s.branches() {
		b.Outcome, b.Into = Landed, commit
	}
}

// present returns the branches that this clone has, and that somebody else has, too.
func present(queue []*branch) []*branch {
	return slices.DeleteFunc(slices.Clone(queue), func(b *branch) bool { return b.Outcome != "" })
}

// rest returns the branches of a batch that did not land, where one of them is to be tried again, because it was not part of
// what was published. Others may have a conflict only with that one.
func rest(batch []*branch) []*branch {
	if !slices.ContainsFunc(batch, func(b *branch) bool { return b.Outcome == "" }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(batch), func(b *branch) bool { return b.Outcome == Landed })
}

// open returns the branches of a batch that were not judged for good.
func open(batch []*branch) []*branch {
	return slices.DeleteFunc(slices.Clone(batch), func(b *branch) bool {
		return slices.Contains([]Outcome{Failed, Together, Undecided, Unusable}, b.Outcome)
	})
}

// warn reports what is not as it should be. A race that is lost is nothing of that kind: it is tried again.
func (l *lander) warn(format string, args ...any) {
	if l.o.Warn != nil {
		l.o.Warn(fmt.Sprintf(format, args...))
	}
}

// say reports what is going on.
func (l *lander) say(format string, args ...any) {
	if l.o.Report != nil {
		l.o.Report(fmt.Sprintf(format, args...))
	}
}
