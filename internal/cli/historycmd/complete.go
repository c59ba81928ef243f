package historycmd

import (
	"context"
	"maps"
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// everyID offers the ids in the plan, and those that have left it.
func everyID() cmdline.Values {
	return cmdline.Either(planio.TaskIDs(), planio.IssueIDs(), planio.ItemIDs(), formerIDs(func(*fold.Life) bool { return true }))
}

// formerIDs offers ids that have left the plan, where the history is cached: reading all of it takes too long for a
// completion.
func formerIDs(isWanted func(*fold.Life) bool) cmdline.Values {
	return func(ctx context.Context, env *term.Env, line *cmdline.Line) (all []cmdline.Candidate) {
		v, err := planio.Source{}.View(ctx, env)
		if err != nil {
			return nil
		}
		_, reader, err := planio.OpenHistory(ctx, env, false)
		if err != nil {
			return nil
		}
		defer reader.Close() //nolint:errcheck // nothing was written
		if !reader.HasCache() {
			return nil
		}
		h, err := reader.History()
		if err != nil {
			return nil
		}
		names := map[string]string{}
		for _, life := range h.Lives {
			for _, id := range append(slices.Clone(life.Former), life.ID) {
				_, isTask := v.Plan.Task(id)
				_, isIssue := v.Plan.Issue(id)
				_, isItem := v.Plan.Item(id)
				if isWanted(life) && plan.ValidID(life.Kind, id) && !isTask && !isIssue && !isItem && !slices.Contains(line.Args, id) {
					names[id] = life.Name
				}
			}
		}
		for _, id := range slices.Sorted(maps.Keys(names)) {
			all = append(all, cmdline.Candidate{Text: id, About: names[id]})
		}
		return all
	}
}
