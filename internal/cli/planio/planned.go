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

// FindUnplanned notes in a state when its spec has had no tasks yet: that nothing is left does not mean that all is done.
func FindUnplanned(ctx context.Context, e *term.Env, s *planprint.State) {
	if spec := s.Plan.Spec(); s.Stage() == schedule.Complete && !Planned(ctx, e, spec) {
		s.Unplanned = spec
	}
}

// Planned reports whether history knows a task of a spec. Where history cannot be
// read, nothing is claimed.
func Planned(ctx context.Context, e *term.Env, spec string) bool {
	_, h, err := ReadHistory(ctx, e, false)
	return err != nil || spec == "" || slices.ContainsFunc(h.Lives, func(l *fold.Life) bool { return l.Kind == plan.KindTask && l.Spec == spec })
}

// HintNotPlanned hints at a spec that nothing is planned for, beside the output for programs.
func HintNotPlanned(e *term.Env, s planprint.State) {
	if s.Unplanned != "" {
		e.Hint(planprint.NotPlannedText(s.Unplanned) + "; next: " + planprint.PlanCommand(s.Unplanned))
	}
}

// NotPlanned returns why nothing can be done for a spec that has had no tasks yet.
func NotPlanned(spec string) *cmdline.NothingError {
	return &cmdline.NothingError{Text: planprint.NotPlannedText(spec), Hint: "next: " + planprint.PlanCommand(spec)}
}
