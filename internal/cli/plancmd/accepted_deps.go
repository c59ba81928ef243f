package plancmd

import (
	"context"
	"slices"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history"
	"git-ralph/internal/plan"
)

// withoutAccepted drops the problems of dangling dependencies on tasks that were accepted, as far
// as the cached history shows that.
func withoutAccepted(ctx context.Context, e *term.Env, problems plan.Problems) plan.Problems {
	isDangling := func(p plan.Problem) bool { return p.Code == plan.CodeDanglingDependency }
	if !slices.ContainsFunc(problems, isDangling) {
		return problems
	}
	st, err := planio.Open(ctx, e)
	if err != nil {
		return problems
	}
	accepted := history.KnownIDs(planio.HistoryOf(e, st))
	return slices.DeleteFunc(problems, func(p plan.Problem) bool { return isDangling(p) && accepted[p.Dep] })
}
