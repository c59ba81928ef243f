package agentcmd

import (
	"context"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/schedule"
)

const (
	maxPrimerClaims = 10  // that the start of a session lists
	maxPrimerName   = 120 // bytes of a name in it
)

// sessionPrimer returns what a session should know at its start: the primer, the stage, what is next, and its own claims. The prompt
// of a run holds everything that its agents need.
func (h *hook) sessionPrimer(ctx context.Context) (string, error) {
	if h.env.Getenv(journal.RunVariable) != "" {
		return "", nil
	}
	ok, err := h.open(ctx)
	if !ok || err != nil || !h.store.HasFile() {
		return "", err
	}
	p, err := h.store.ValidPlan(ctx)
	if err != nil {
		return "", err
	}
	claims := planio.ScheduleClaims(ctx, h.env, h.store)
	next := schedule.Of(p).With(claims).Next()
	var b strings.Builder
	b.WriteString(h.primer() + "\nNow: stage " + string(next.Action) + ", next: " + cut(planprint.NextText(next)) + "\n")
	for i, id := range ids(claims.Own) {
		task, ok := p.Task(id)
		if i == maxPrimerClaims {
			break
		}
		if ok {
			b.WriteString("Claimed here: " + id + " " + cut(term.Printable(task.Name())) + "\n")
		}
	}
	return b.String(), nil
}

// cut shortens a text to one that fits on a line of the primer.
func cut(text string) string {
	if len(text) <= maxPrimerName {
		return text
	}
	return strings.ToValidUTF8(text[:maxPrimerName], "") + "…"
}
