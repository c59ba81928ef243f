package store

import (
	"context"
	"fmt"
	"slices"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// needsRebase reports whether the change of an earlier attempt must be merged into the plan of the commit that the branch
// moved to. If that has the same plan, the attempt is simply repeated.
func (t *transaction) needsRebase() bool {
	return t.earlier != nil && (t.earlier.needsRebase() || !t.head.same(t.earlier.head))
}

// isAhead reports whether HEAD's commit is, or descends from, the one that the earlier attempt began with. If not, the
// branch was amended or reset, or HEAD is on another branch: nobody removed what is missing there, but a merge would remove
// it for good.
func (t *transaction) isAhead(ctx context.Context) bool {
	began := t.earlier.tx.Head()
	if began == "" || began == t.tx.Head() {
		return true
	}
	reader := t.repo.Reader(ctx)
	defer reader.Close()
	ahead, err := reader.IsAncestor(began, t.tx.Head())
	return ahead || err != nil
}

// rebase merges the plan of an earlier attempt, which includes the user's own
// edits of the file, into the plan that HEAD has now.
func (t *transaction) rebase() error {
	if !t.head.exists || !t.found.same(t.earlier.found) && !t.found.same(t.head) {
		return ErrMoved
	}
	merged, err := merge.Merge(t.earlier.head.data, t.earlier.content, t.head.data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMoved, err)
	}
	t.before, t.merged = file{merged.Data, true}, &merged
	t.ownEdits, t.edits, t.pending = t.earlier.ownEdits, t.earlier.edits, t.earlier.pending
	return nil
}

// withRecordsOf returns the change with its records replaced by those of a plan.
func withRecordsOf(p *plan.Plan, c plan.Change) plan.Change {
	c.Records = slices.Clone(c.Records)
	for i, r := range c.Records {
		all := p.Of(r.Kind())
		if at := slices.IndexFunc(all, r.SameTask); at >= 0 && r.Kind() != plan.KindReject {
			c.Records[i] = all[at]
		}
	}
	return c
}
