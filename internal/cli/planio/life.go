package planio

import (
	"fmt"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// LifeOf finds the life of an id, which may be shortened or one that it had
// before, or of the number of an item.
func LifeOf(h *fold.History, id string) (*fold.Life, error) {
	var found []*fold.Life
	number := plan.ParseItemNumber(id)
	for _, life := range h.Lives {
		if life.Has(id) || number > 0 && life.Kind == plan.KindItem && life.Record.Number() == number {
			return life, nil
		}
		if strings.HasPrefix(life.ID, id) {
			found = append(found, life)
		}
	}
	switch len(found) {
	case 0:
		return nil, &cmdline.HintedError{Err: fmt.Errorf("no such task, issue or item: %s", id), Hint: "`git ralph log --all` shows all that there were"}
	case 1:
		return found[0], nil
	}
	ids := make([]string, len(found))
	for i, life := range found {
		ids[i] = life.ID
	}
	return nil, &plan.AmbiguousIDError{Prefix: id, IDs: ids}
}
