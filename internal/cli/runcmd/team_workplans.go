package runcmd

import (
	"context"
	"path/filepath"

	"git-ralph/internal/cli/hubgate"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/workplancmd"
)

// workplansOf returns the workplans that tasks of the target came from: accepted tasks do not show it any more.
func workplansOf(ctx context.Context, claims *planio.Claims) []string {
	p, err := claims.TargetPlan(ctx)
	if err != nil {
		return nil
	}
	return workplancmd.Origins(p)
}

// finishWorkplans closes the workplans of a complete plan whose tasks are all done, and sends what they say to the State Hub. Paths
// are relative to root.
func finishWorkplans(ctx context.Context, env *term.Env, root string, paths []string, complete bool) {
	gate := hubgate.New(env)
	if complete {
		workplancmd.CloseFinished(ctx, env, gate, root, paths)
	}
	for _, path := range paths {
		files, _, err := workplancmd.Selected(ctx, env, []string{filepath.Join(root, filepath.FromSlash(path))})
		if err != nil {
			continue // it is gone, or says nothing that is valid
		}
		if err := gate.Send(ctx, files[0].File); err != nil {
			env.Warn("cannot send " + path + " to the State Hub: " + err.Error())
		}
	}
}
