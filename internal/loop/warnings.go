package loop

import (
	"context"
	"slices"

	"git-ralph/internal/agent"
	"git-ralph/internal/iteration"
	"git-ralph/internal/prompt"
)

// warned records the warnings that a run has given.
type warned struct {
	operation string   // what git is in the middle of
	uncounted bool     // limits that cannot be enforced
	untrusted []string // what changed since it was trusted
}

// warnOfPlan warns, when a run begins, of a spec that cannot be read, and not when VERIFY needs it hours later; or, where the run needs
// no plan, that the plan is not valid.
func (l *Loop) warnOfPlan(ctx context.Context) {
	if l.Goals.Work != nil {
		if s, err := iteration.ReadBeside(ctx, l.Store); err == nil && s.Invalid != nil {
			l.warn(0, "the plan is not valid, and stays as it is: %v", s.Invalid)
		}
		return
	}
	s, err := iteration.Read(ctx, l.Store)
	if err != nil || s.Plan.Spec() == "" {
		return // the first iteration meets the same error
	}
	if err := l.Store.CheckSpec(s.Plan.Spec()); err != nil {
		l.warn(0, "%v; VERIFY needs it", err)
	}
}

// warnOfOperation warns where git is in the middle of a merge, a rebase or the like, and was not before: nothing is
// committed with the plan until that ends.
func (l *Loop) warnOfOperation(n int) {
	now := l.Store.Repo().Operations().Unfinished()
	if now != "" && now != l.warned.operation {
		l.warn(n, "git is in the middle of a %s: until it ends, changes of the plan are not committed", now)
	}
	l.warned.operation = now
}

// warnOfUntrusted warns of files that the next agent may run and that have changed since they were trusted. The run
// continues; the next command asks.
func (l *Loop) warnOfUntrusted(n int) {
	if l.Untrusted == nil {
		return
	}
	for _, what := range l.Untrusted() {
		if !slices.Contains(l.warned.untrusted, what) {
			l.warned.untrusted = append(l.warned.untrusted, what)
			l.warn(n, "changed since it was trusted, and agents run it: %s", what)
		}
	}
}

// warnOfLimits warns, when a run begins, of limits that cannot be enforced because an agent's output has no data for them.
func (l *Loop) warnOfLimits() {
	warned := map[string]bool{}
	for _, stage := range prompt.Stages() {
		a := l.Agents[stage]
		if !l.Goals.mayReach(stage) || warned[a.Name] || a.Format == agent.Plain {
			continue
		}
		warned[a.Name] = true
		if a.Window > 0 && !a.Format.ReportsContext() {
			l.warn(0, "%s reports no context size, so the limits of the context cannot be enforced", a.Name)
		}
		if l.Goals.Cost > 0 && !a.Format.ReportsCost() {
			l.warn(0, "%s reports no cost, so --max-cost cannot be enforced", a.Name)
		}
	}
}

// warnOfUncounted warns once of limits that cannot be enforced because the agent does not report its usage.
func (l *Loop) warnOfUncounted(job iteration.Job, o iteration.Outcome) {
	if l.warned.uncounted || !o.Agent.Success() {
		return
	}
	l.warned.uncounted = true
	format := job.Agent.Format
	if knownAtStart := format != agent.Plain && !format.ReportsCost(); l.Goals.Cost > 0 && l.total.Cost == 0 && !knownAtStart {
		l.warn(job.N, "the agent reports no cost, so --max-cost cannot be enforced")
	}
	if l.Goals.Tokens > 0 && l.total.Tokens == 0 {
		l.warn(job.N, "the agent reports no tokens, so --max-tokens cannot be enforced")
	}
}
