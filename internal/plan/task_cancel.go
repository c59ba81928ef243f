package plan

import "slices"

// A CancelMode says what becomes of the tasks that depend on a cancelled one.
type CancelMode int

const (
	CancelAlone   CancelMode = iota // there must be none
	CancelCascade                   // they are cancelled too
	CancelDetach                    // they lose the dependency
)

// Cancel removes tasks from the plan that are pending, or in a state that we do
// not know.
func (p *Plan) Cancel(ids []string, mode CancelMode) (Change, error) {
	for _, id := range ids {
		_, err := p.taskIn("pending", id)
		if wrong, ok := err.(*StateError); err != nil && !(ok && wrong.Unknown) {
			return Change{}, err
		}
	}
	if mode == CancelCascade {
		ids = p.cascade(ids)
	}
	if dependants := p.Dependants(ids...); mode == CancelAlone && len(dependants) > 0 {
		return Change{}, &DependantsError{IDs: ids, Dependants: dependants}
	}
	return p.change(func() (Change, error) {
		c := Change{Removed: p.removeAll(KindTask, ids)}
		for _, r := range c.Removed {
			c.Events = append(c.Events, event(EventCancelled, r))
		}
		c.Join(p.redirect(ids, nil))
		return c, nil
	})
}

// cascade adds to ids every pending task that depends on them, through others
// too. One that is not pending is not cancelled: it only loses the dependency.
func (p *Plan) cascade(ids []string) []string {
	all := slices.Clone(ids)
	for {
		more := slices.DeleteFunc(p.Dependants(all...), func(id string) bool {
			r, _ := p.Task(id)
			return !r.Pending()
		})
		if len(more) == 0 {
			return all
		}
		all = append(all, more...)
	}
}
