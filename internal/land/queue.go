package land

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/claim"
)

// queue returns the branches to land, in order: those that are named, or also all that wait.
func (l *lander) queue(ctx context.Context, all bool) ([]*branch, error) {
	seen, err := l.claims.See(ctx, l.target())
	if err != nil {
		return nil, err
	}
	return l.queueOf(ctx, seen, all)
}

// queueOf is queue where claims and target were read.
func (l *lander) queueOf(ctx context.Context, seen map[string]claim.Seen, all bool) ([]*branch, error) {
	l.seen.claims = seen
	waiting := l.waiting(seen)
	var queue []*branch
	if all {
		queue = slices.Collect(maps.Values(waiting))
	}
	for _, name := range l.o.Branches {
		b, err := l.named(ctx, name, waiting)
		if err != nil {
			return nil, err
		}
		b.named = true
		if !slices.ContainsFunc(queue, func(other *branch) bool { return other.Commit == b.Commit }) {
			queue = append(queue, b)
		}
	}
	if err := l.fetchBranches(ctx, queue); err != nil {
		return nil, err
	}
	p, err := l.planAt(l.tip)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(queue, func(a, b *branch) int { return strings.Compare(a.Name, b.Name) })
	for _, b := range queue {
		b.priority = rank(p, b.landing)
		if b.done, err = l.reader.Time(b.Commit); err != nil {
			b.Outcome = Missing
		}
	}
	if err := l.keepPublished(ctx, queue); err != nil {
		return nil, err
	}
	if err := l.noteLanded(ctx, queue); err != nil {
		return nil, err
	}
	sortQueue(queue)
	return queue, nil
}

// waiting returns the branches that claims in landing name for this target.
func (l *lander) waiting(seen map[string]claim.Seen) map[claim.Work]*branch {
	all := map[claim.Work]*branch{}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		c := seen[id].Held.Claim
		if seen[id].Held.Bad != "" || c.State != claim.Landing || c.Branch == "" || c.Commit == "" || c.Into != "" && c.Into != l.o.Into {
			continue
		}
		key := claim.Work{Branch: c.Branch, Commit: c.Commit}
		b := all[key]
		if b == nil {
			b = &branch{Branch: Branch{Name: strings.TrimPrefix(c.Branch, "refs/heads/"), Commit: c.Commit}, ref: c.Branch, base: c.Base}
			all[key] = b
		}
		b.landing = append(b.landing, id)
		b.own = b.own || l.o.Owns != nil && l.o.Owns(seen[id].Held)
		b.returned = b.returned || c.Returns > 0
	}
	return all
}

// named returns the branch that the user names, with what claims say of it.
func (l *lander) named(ctx context.Context, name string, waiting map[claim.Work]*branch) (*branch, error) {
	id, err := l.reader.Resolve(name)
	if err != nil {
		return nil, err
	}
	b := &branch{Branch: Branch{Name: name, Commit: id}}
	for _, ref := range []string{name, "refs/heads/" + name} {
		if !strings.HasPrefix(ref, "refs/") {
			continue
		}
		if at, err := l.repo.IDAt(ctx, ref); err == nil && at == id {
			b.ref = ref
		}
	}
	if known := waiting[claim.Work{Branch: b.ref, Commit: id}]; known != nil {
		return known, nil
	}
	return b, l.canCarry(b)
}

// canCarry reports whether a branch can be pushed together with its claims. Claims name branches alone; and the target itself would move
// to what nothing has checked.
func (l *lander) canCarry(b *branch) error {
	switch {
	case l.claims.Remote() == "":
		return nil
	case !strings.HasPrefix(b.ref, "refs/heads/"):
		return fmt.Errorf("%w %q: want a branch, which is pushed together with its claims", ErrNoBranch, b.Name)
	case b.ref == l.o.Into && !l.isIn(b, l.tip):
		return fmt.Errorf("%w %q: want another branch than the target itself: `git branch NAME %s` makes one", ErrNoBranch, b.Name, b.Name)
	}
	return nil
}

// fetchBranches fetches what claims name and this clone lacks.
func (l *lander) fetchBranches(ctx context.Context, queue []*branch) error {
	if l.claims.Remote() == "" {
		return nil
	}
	var refs []string
	for _, b := range queue {
		if _, err := l.reader.Resolve(b.Commit); err != nil && b.ref != "" {
			refs = append(refs, b.ref)
		}
	}
	if len(refs) == 0 {
		return nil
	}
	l.reader.Close() //nolint:errcheck // it starts again, with the new objects
	if l.fetch(ctx, refs...) == nil {
		return nil
	}
	for _, ref := range refs { // one that is gone fails all of them
		l.fetch(ctx, ref) //nolint:errcheck // what is missing then is reported as that
	}
	return context.Cause(ctx)
}

// keepPublished takes branches out that nobody but a claim names, and that the remote does not have: a claim is a stranger's word, and
// what it names may be a commit of this clone's that its user has not published. Who finishes a task pushes the branch with the claim.
func (l *lander) keepPublished(ctx context.Context, queue []*branch) error {
	var foreign []*branch
	var refs []string
	for _, b := range queue {
		if !b.named && !b.own {
			foreign, refs = append(foreign, b), append(refs, b.ref)
		}
	}
	if l.claims.Remote() == "" || len(refs) == 0 {
		return nil
	}
	published, err := l.claims.Published(ctx, refs...)
	if err != nil {
		return err
	}
	for _, b := range foreign {
		switch at := published[b.ref]; {
		case at == b.Commit && b.Outcome == Missing, at != "" && at != b.Commit && !l.hasFetched(ctx, b, at):
			b.refuse(Undecided, "it cannot be fetched")
		case at != b.Commit && !l.isIn(b, at):
			b.refuse(Missing, "the remote does not have it")
		}
	}
	return nil
}

// noteLanded looks again where a branch is gone: a landing that another clone has made since the claims were read deletes it.
func (l *lander) noteLanded(ctx context.Context, queue []*branch) error {
	gone := slices.DeleteFunc(slices.Clone(queue), func(b *branch) bool { return b.Outcome != Missing })
	if l.claims.Remote() == "" || len(gone) == 0 {
		return nil
	}
	_, err := l.claims.See(ctx, l.target())
	l.reader.Close() //nolint:errcheck // it starts again, with the new objects
	for _, b := range gone {
		if err == nil && l.isIn(b, l.tip) {
			b.Outcome, b.Reason = Contained, ""
		}
	}
	return err
}

// hasFetched reports whether this clone has the commit at which the remote has a branch now.
func (l *lander) hasFetched(ctx context.Context, b *branch, at string) bool {
	if _, err := l.reader.Resolve(at); err == nil {
		return true
	}
	l.reader.Close() //nolint:errcheck // it starts again, with the new objects
	return l.fetch(ctx, b.ref) == nil
}

// isIn reports whether a commit of the remote has that of a branch.
func (l *lander) isIn(b *branch, at string) bool {
	is, err := l.reader.IsAncestor(b.Commit, at)
	return at != "" && err == nil && is
}
