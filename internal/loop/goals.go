package loop

import (
	"fmt"
	"strings"
	"time"

	"git-ralph/internal/agent"
	"git-ralph/internal/plan"
	"git-ralph/internal/prompt"
	"git-ralph/internal/schedule"
)

// Goals say how far a run goes. Zero values set no limit.
type Goals struct {
	Iterations int
	Time       time.Duration
	Cost       float64 // US dollars
	Tokens     int
	Once       bool           // one iteration
	Stage      schedule.Stage // as long as the plan is in it
	Task       string         // until this task is done
	Push       bool           // fetch, rebase and push after each iteration that accepted something
	Plan       bool           // plan the current spec, and nothing else
	Spec       string         // of Plan, in a preview: the spec that would become the current one
	Strict     bool           // new tasks whose acceptance criteria cannot be checked are refused
}

// direct turns next to what the goals ask for, and to the issues where every task waits.
func (l *Loop) direct(s *state) {
	if l.Goals.Plan {
		s.next = schedule.Next{Action: schedule.Plan}
		return
	}
	if len(s.next.Stalled) > 0 && len(s.plan.Of(plan.KindIssue)) > 0 {
		s.next = schedule.Next{Action: schedule.Investigate, Item: schedule.Of(s.plan).Issues()[0]}
	}
	s.leaveToPerson()
	if l.Goals.Task == "" {
		return
	}
	task, found := s.plan.Task(l.Goals.Task)
	if !found || !task.Pending() {
		return
	}
	s.waits = nil
	if waits := s.plan.Waits(task); len(waits) > 0 {
		s.waits = &plan.BlockedError{ID: task.ID(), Waits: waits}
		return
	}
	s.next = schedule.Next{Action: schedule.Build, Item: &task}
	if task.Text("kill") != "" {
		s.next.Action = schedule.Decompose
	}
}

// over returns why there is to be no further iteration, if so.
func (l *Loop) over(s state) (why Reason, text string) {
	why, text = l.ends(s)
	return withOperation(s, why, text)
}

func (l *Loop) ends(s state) (why Reason, text string) {
	first := l.started == 0
	if l.softly() {
		return Interrupted, ""
	}
	if why, text := l.lost(s); why != "" && !first {
		return why, text
	}
	if why := l.goalReached(s, first); why != "" {
		return why, l.notThere(s, why)
	}
	if l.Goals.Plan {
		return l.limitHit()
	}
	switch {
	case s.waits != nil:
		return NoProgress, s.waits.Error()
	case s.next.Action == schedule.Plan && first:
		return Nothing, NoSpecText
	case s.next.Action == schedule.Complete && first:
		return Nothing, CompleteText
	case s.next.Action == schedule.Complete:
		return Complete, ""
	case s.next.Action == schedule.Build && s.next.Item == nil:
		return NoProgress, "every task waits for another"
	}
	return l.limitHit()
}

// Why there is nothing to do, where planning helps.
const (
	NoSpecText   = "no spec is planned"
	CompleteText = "the plan is complete"
)

// notThere says why there is nothing to do for a stage.
func (l *Loop) notThere(s state, why Reason) string {
	if why != Nothing || l.Goals.Stage == "" || s.next.Action == l.Goals.Stage {
		return ""
	}
	return fmt.Sprintf("the plan is in %s, not in %s", s.next.Action, l.Goals.Stage)
}

// lost returns why what looks like an end is none: the plan, or tasks of it, went with something else.
func (l *Loop) lost(s state) (why Reason, text string) {
	_, found := s.plan.Task(l.Goals.Task)
	passed := s.next.Action == schedule.Complete || l.Goals.Task != "" && !found || l.Goals.Stage != "" && s.next.Action != l.Goals.Stage
	switch {
	case l.Goals.Plan || l.Goals.Once && l.total.Iterations > 0:
		return "", ""
	case s.next.Action == schedule.Plan:
		return NoProgress, "the plan is gone, or its spec; `git log -- " + l.Store.PlanPath() + "` has them"
	case l.gone > 0 && passed:
		return NoProgress, fmt.Sprintf("HEAD lost commits, and %s with them; `git reflog` has them", plural(l.gone, "task"))
	}
	return "", ""
}

// goalReached reports whether what was asked for is done, or cannot be begun.
func (l *Loop) goalReached(s state, first bool) Reason {
	reached := Reached
	if first {
		reached = Nothing
	}
	task, found := s.plan.Task(l.Goals.Task)
	switch {
	case l.Goals.Once && l.total.Iterations > 0, l.planned:
		return Reached
	case l.Goals.Plan:
		return ""
	case l.Goals.Stage != "" && s.next.Action != l.Goals.Stage && s.next.Action != schedule.Complete:
		return reached
	case l.Goals.Task != "" && (!found || !task.Pending()):
		return reached
	}
	return ""
}

func (l *Loop) limitHit() (Reason, string) {
	g := l.Goals
	switch {
	case g.Iterations > 0 && l.total.Iterations >= g.Iterations:
		return LimitHit, plural(g.Iterations, "iteration")
	case g.Time > 0 && l.Now().Sub(l.began) >= g.Time:
		return LimitHit, timeText(g.Time)
	case g.Cost > 0 && l.total.Cost >= g.Cost:
		return LimitHit, fmt.Sprintf("$%.2f", g.Cost)
	case g.Tokens > 0 && l.total.Tokens >= g.Tokens:
		return LimitHit, plural(g.Tokens, "token")
	}
	return "", ""
}

// timeText says a time as people give it: 8h, and not 8h0m0s.
func timeText(d time.Duration) string {
	text := d.String()
	for _, none := range [...]string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-len(none)+1]
		}
	}
	return text
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

// tellUncounted warns once of limits that cannot hold, because the agent does not tell what it uses.
func (it *iteration) tellUncounted() {
	if it.uncounted || !it.outcome.Success() {
		return
	}
	it.uncounted = true
	saidAtStart := it.agent().Format != agent.Plain && !it.agent().Format.ReportsCost()
	if it.Goals.Cost > 0 && it.total.Cost == 0 && !saidAtStart {
		it.warn(it.n, "the agent reports no cost, so --max-cost cannot be enforced")
	}
	if it.Goals.Tokens > 0 && it.total.Tokens == 0 {
		it.warn(it.n, "the agent reports no tokens, so --max-tokens cannot be enforced")
	}
}
