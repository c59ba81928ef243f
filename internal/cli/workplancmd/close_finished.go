package workplancmd

import (
	"context"
	"path/filepath"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/plan"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplantask"
)

// Origins returns the paths of the workplans that tasks of a plan came from, relative to the worktree's root.
func Origins(p *plan.Plan) []string {
	var paths []string
	known := map[string]bool{}
	for _, r := range p.Of(plan.KindTask) {
		if o, ok := workplantask.OriginOf(r); ok && !known[o.Path] {
			known[o.Path] = true
			paths = append(paths, o.Path)
		}
	}
	return paths
}

// CloseFinished closes those workplans of the worktree at root whose tasks are all done. It reports what it closed, and what it could
// not close, on standard error. gate may be nil.
func CloseFinished(ctx context.Context, env *term.Env, gate Gate, root string, paths []string) {
	for _, path := range paths {
		o := closeOptions{changeOptions: changeOptions{file: nameOf(env, filepath.Join(root, filepath.FromSlash(path))), gate: gate}}
		f, err := read(ctx, env, o.file)
		if err != nil || f.Status != workplan.Active || len(f.Tasks) == 0 || len(f.Unfinished()) > 0 {
			continue
		}
		if _, err := o.close(ctx, env); err != nil {
			env.Warn("cannot close " + o.file + ": " + err.Error())
			continue
		}
		env.Say("note", "closed "+o.file+": all its tasks are done")
	}
}
