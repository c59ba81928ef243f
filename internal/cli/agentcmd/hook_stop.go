package agentcmd

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/journal"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// RoleVariable names the role of a session: that of a worker, or lead.
const RoleVariable = "GIT_RALPH_ROLE"

// lookForWork adds to the situation of a stop what is left to do for whoever stops.
func (h *hook) lookForWork(ctx context.Context, s *agenthook.Situation) (err error) {
	if s.Event == agenthook.Stop {
		if s.Loop, err = h.loop(ctx); s.Loop != nil || err != nil {
			return err
		}
	}
	s.Role = h.role()
	if s.Role == "" {
		return nil
	}
	ok, err := h.open(ctx)
	if !ok || err != nil || !h.store.HasFile() {
		return err
	}
	p, err := h.store.ValidPlan(ctx)
	if err != nil {
		return err
	}
	claims := planio.ScheduleClaims(ctx, h.env, h.store)
	if s.Tasks = unblocked(p, s.Role, claims); s.Tasks == 0 {
		return nil
	}
	head, err := h.store.Repo().Head(ctx)
	if err != nil {
		return err
	}
	mark := strings.Join(append([]string{head}, ids(claims.Own)...), " ")
	s.Repeated = h.sessions().Repeated(ctx, h.input.Session, h.input.AgentType, mark)
	return nil
}

// role returns the role of whoever stops: of a sub-agent by its definition, of a session by its environment. An agent that a run
// started has none, since its run decides when it is done.
func (h *hook) role() string {
	switch {
	case h.env.Getenv(journal.RunVariable) != "":
		return ""
	case h.input.Event == agenthook.SubagentStop:
		return agenthook.RoleOf(h.input.AgentType)
	}
	return h.env.Getenv(RoleVariable)
}

// unblocked counts the unblocked tasks of a role that are its own or that nobody has claimed; for a lead, all unblocked ones.
func unblocked(p *plan.Plan, role string, claims schedule.Claims) (n int) {
	for _, t := range schedule.Of(p).Ready() {
		if t.Role() == role && !claims.Others[t.ID()] || role == agenthook.Lead {
			n++
		}
	}
	return n
}

func ids(set map[string]bool) (all []string) {
	for id := range set {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}
