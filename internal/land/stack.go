package land

import (
	"context"
	"slices"

	"git-ralph/internal/claim"
)

// A stack is the target's tip with branches merged onto it, one after the other.
type stack struct {
	tip     string // commit
	start   string // its tree
	tree    string // with all of them
	plan    []byte // in tree
	parts   []part
	done    merged // the commits of the parts
	commits []string
}

// part is one branch of a stack.
type part struct {
	branch *branch
	tree   string       // with it, and those before it
	tasks  []claim.Seen // that it ends, and that the target shows
	verify []string     // of these: free, so that nobody may claim them meanwhile
	picks  []pick       // its commits, for a landing with Rebase
	code   string       // the commit with its code, which a pull request is to merge; "": it is in tree
}

// newStack begins a stack at the target's tip.
func (l *lander) newStack() (*stack, error) {
	tree, err := l.trees.TreeOf(l.tip)
	if err != nil {
		return nil, err
	}
	text, err := planIn(l.trees, tree, l.st.PlanPath())
	return &stack{tip: l.tip, start: tree, tree: tree, plan: text, done: merged{}}, err
}

// stackOf merges branches onto the target's tip. Those that cannot be merged, or whose claims do not allow it, are left out,
// with the reason noted.
func (l *lander) stackOf(ctx context.Context, branches []*branch) (*stack, error) {
	s, err := l.newStack()
	if err != nil {
		return nil, err
	}
	for _, b := range branches {
		b.reset()
		if err := l.add(ctx, s, b); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add merges one branch onto a stack.
func (l *lander) add(ctx context.Context, s *stack, b *branch) error {
	if !l.graph.isNew(b.Commit) {
		b.Outcome = Contained
		return nil
	}
	if l.isOver(b) {
		b.refuse(NotPending, "its claim is over")
		return nil
	}
	if rewritten, err := l.isRewritten(ctx, b); err != nil || rewritten {
		b.Outcome = Rewritten
		return err
	}
	if id, err := l.bringsBack(ctx, b); err != nil || id != "" {
		b.refuse(Rewritten, "it has commit "+id[:min(9, len(id))]+", which the target had and has no more")
		b.Removed = id
		return err
	}
	bases, err := l.graph.bases(ctx, b.Commit, s.done, s.commits)
	if err != nil {
		return err
	}
	if len(bases) == 0 {
		b.Outcome = Unrelated
		return nil
	}
	if refused, err := l.hasImpossiblePath(b, bases[0]); err != nil || refused {
		return err
	}
	m := merging{lander: l, stack: s, branch: b, bases: bases}
	if err := m.readOwnTasks(ctx); err != nil {
		return b.blame(err, l.st.PlanPath())
	}
	if b.Tasks = b.ends; !l.arePending(b) || l.isAnswered(s, b) {
		return nil
	}
	tree, err := m.run(ctx)
	if err != nil || b.Outcome != "" {
		return b.blame(err, l.st.PlanPath())
	}
	var picks []pick
	if l.o.Rebase {
		if picks, err = m.replay(ctx, tree); err != nil || b.Outcome != "" {
			return b.blame(err, l.st.PlanPath())
		}
		if len(picks) == 0 {
			b.Outcome = Contained
			return nil
		}
	}
	return l.push(ctx, s, part{branch: b, tree: tree, picks: picks})
}

// hasImpossiblePath takes a branch out that adds a path which git does not check out: a target that has one cannot be cloned.
func (l *lander) hasImpossiblePath(b *branch, base string) (bool, error) {
	before, err := l.trees.TreeOf(base)
	if err != nil {
		return false, err
	}
	after, err := l.trees.TreeOf(b.Commit)
	if err != nil {
		return false, err
	}
	path, err := l.trees.Refused(before, after, l.names)
	if path != "" {
		b.Outcome, b.Paths = Impossible, []string{path}
	}
	return path != "", err
}

// push makes a branch part of a stack, if the claims of its tasks allow it.
func (l *lander) push(ctx context.Context, s *stack, p part) error {
	b := p.branch
	text, err := planIn(l.trees, p.tree, l.st.PlanPath())
	if err != nil {
		return err
	}
	if text == nil && s.plan != nil { // deleted, or a symbolic link by now
		return b.blame(errPlan, l.st.PlanPath())
	}
	ended, err := endedTasks(s.plan, text)
	if err != nil {
		return b.blame(err, l.st.PlanPath())
	}
	for _, id := range b.ends {
		if !slices.Contains(ended, id) { // the plans merge otherwise: its attempt was rejected, or another one is in the stack
			b.refuse(NotPending, id+" would not be done by it: the attempt was rejected, or there is another one")
			return nil
		}
	}
	b.Tasks = union(b.ends, ended)
	if l.checkClaims(&p); b.Outcome != "" {
		return nil
	}
	if text, err = l.separate(ctx, s, &p, text); err != nil || b.Outcome != "" {
		return err
	}
	if p.code != "" { // the target does not get its commits
		s.parts, s.tree, s.plan = append(s.parts, p), p.tree, text
		return nil
	}
	l.graph.walk(b.Commit, func(id string, isNew bool) {
		if isNew {
			s.done[id] = true
		}
	})
	s.parts, s.tree, s.plan, s.commits = append(s.parts, p), p.tree, text, append(s.commits, b.Commit)
	return nil
}

// union returns the ids of two lists, each once, in order.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// isRewritten reports whether the commit that the work on a branch began at, as its claim says, is not in the target any more:
// somebody rewrote the target, perhaps to remove something from it.
func (l *lander) isRewritten(ctx context.Context, b *branch) (bool, error) {
	switch {
	case b.base == "" || b.base == l.tip:
		return false, nil
	case l.graph.isNew(b.base):
		return true, nil
	}
	inTarget, known := l.inTarget[b.base]
	if !known {
		var err error
		if inTarget, err = l.reader.IsAncestor(b.base, l.tip); err != nil {
			inTarget = false
		}
		l.inTarget[b.base] = inTarget
	}
	return !inTarget, context.Cause(ctx)
}

// prefix returns the stack of its first n parts.
func (s *stack) prefix(n int) *stack {
	other := *s
	other.parts, other.commits, other.tree = slices.Clip(s.parts[:n]), slices.Clip(s.commits[:n]), s.start
	if n > 0 {
		other.tree = s.parts[n-1].tree
	}
	return &other
}

// branches returns the branches of a stack.
func (s *stack) branches() []*branch {
	all := make([]*branch, len(s.parts))
	for i, p := range s.parts {
		all[i] = p.branch
	}
	return all
}
