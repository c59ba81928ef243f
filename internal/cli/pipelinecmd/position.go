package pipelinecmd

import (
	"context"
	"fmt"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/pipeline"
)

// positionAnswer is what `git ralph pipeline position` prints.
type positionAnswer struct{ pipeline.Position }

func position(ctx context.Context, v planio.View, g *pipeline.Group) (answer, error) {
	formula := pipeline.SeedFormula
	if v.Worktree != nil { // a plan that is not the worktree's has no settings
		var err error
		if formula, err = planio.RosterFormula(ctx, v.Worktree); err != nil {
			return nil, err
		}
	}
	return positionAnswer{g.Position(formula, g.KnownStreams())}, nil
}

// show prints a position for people.
func (p positionAnswer) show(env *term.Env) {
	facts := term.Table{Wrap: true}
	fact := func(name, text string) {
		if text != "" {
			facts.Add(term.Cell{Text: name, Style: term.Faint}, term.Cell{Text: text})
		}
	}
	facts.Add(term.Cell{Text: "phase", Style: term.Faint}, term.Cell{Text: string(p.Phase), Style: term.Strong})
	fact("reason", p.Reason)
	fact("remaining", strings.Join(p.RemainingPhases, ", "))
	fact("recommended", p.advice())
	r := p.SuggestedRoster
	fact("roster", fmt.Sprintf("analyst=%d,builder=%d,validator=%d,integrator=%d", r.Analyst, r.Builder, r.Validator, r.Integrator))
	facts.Write(env)
	if len(p.Issues) > 0 {
		fmt.Fprintln(env.Out)
	}
	items := term.Table{Fixed: 1}
	for _, it := range p.Issues {
		items.Add(
			term.Cell{Text: it.Number.String(), Style: term.Cyan}, term.Cell{Text: string(it.WorkflowState)},
			term.Cell{Text: string(it.Estimate)}, term.Cell{Text: term.FirstLineOf(it.Title)},
		)
	}
	items.Write(env)
}

// advice says what to do, and because of which items.
func (p positionAnswer) advice() string {
	text := string(p.Convergence.Recommendation)
	for i, b := range p.Convergence.Blocking {
		sep := ", "
		if i == 0 {
			sep = " for "
		}
		text += sep + b.Number.String()
	}
	return text
}

const aboutPosition = `Prints the phase that items are in. Where standard output is not a terminal it is JSON:

  {"phase", "reason", "remainingPhases", "issues": [{"number", "title",
   "workflowState", "estimate", "subIssueCount"}], "convergence": {"required",
   "met", "blocking": [{"number", "state"}], "recommendation"}, "isGroup",
   "groupPrimary", "suggestedRoster": {"analyst", "builder", "validator",
   "integrator"}}

The phase is SPLIT, TRIAGE, RESEARCH, PLAN, REVIEW, HUMAN_GATE, IMPLEMENT or
TERMINAL. The recommendation is proceed, wait (for the blocking items) or escalate
(to a person, whom one of them needs). An item without a number on GitHub has its
id for a number. The roster is computed as ralph.roster says: seed, from the
research that is left and the number of streams, or phase.
` + planio.QueryExits + `
EXAMPLES
  git ralph pipeline position GH-42
  git ralph pipeline position w-1a2b w-3c4d --json | jq -r .phase`
