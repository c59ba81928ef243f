package planio

import (
	"context"
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// FindUnplanned notes in a complete state that its spec has had no tasks yet: then nothing is left because nothing was planned.
func FindUnplanned(ctx context.Context, e *term.Env, s *planprint.State) {
	if spec := s.Plan.Spec(); s.Stage() == schedule.Complete && !Planned(ctx, e, spec) {
		s.Unplanned = spec
	}
}

// Planned reports whether the history has a task of a spec. It is true as well where the history cannot be
// read.
func Planned(ctx context.Context, e *term.Env, spec string) bool {
	_, h, err := ReadHistory(ctx, e, false)
	return err != nil || spec == "" || slices.ContainsFunc(h.Lives, func(l *fold.Life) bool { return l.Kind == plan.KindTask && l.Spec == spec })
}

// HintNotPlanned hints at a spec that has had no tasks yet, beside the output for programs.
func HintNotPlanned(e *term.Env, s planprint.State) {
	if s.Unplanned != "" {
		e.Hint(planprint.NotPlannedText(s.Unplanned) + "; next: " + planprint.PlanCommand(s.Unplanned))
	}
}

// NotPlanned returns why nothing can be done for a spec that has had no tasks yet.
func NotPlanned(spec string) *cmdline.NothingError {
	return &cmdline.NothingError{Text: planprint.NotPlannedText(spec), Hint: "next: " + planprint.PlanCommand(spec)}
}
