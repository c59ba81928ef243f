package agentcmd

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/github"
	"git-ralph/internal/journal"
	"git-ralph/internal/pipeline"
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
	s.Tasks = unblocked(p, s.Role, claims)
	if s.Role == agenthook.Lead {
		if err := h.countIssues(ctx, p, s); err != nil {
			return err
		}
	}
	if s.Left() == 0 {
		return nil
	}
	head, err := h.store.Repo().Head(ctx)
	if err != nil {
		return err
	}
	mark := strings.Join(append([]string{head}, ids(claims.Own)...), " ")
	s.Repeated = h.sessions().Repeated(ctx, h.input.Session, cmp.Or(h.input.AgentID, h.input.AgentType), mark)
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

// countIssues adds what a lead needs to know where the plan is that of a repository at GitHub: the issues as they were last pulled. A
// hook does not use the network.
func (h *hook) countIssues(ctx context.Context, p *plan.Plan, s *agenthook.Situation) (err error) {
	n, pulled := pipeline.Processable(p)
	if !pulled {
		return nil
	}
	config, err := h.store.Repo().Config(ctx)
	if err != nil {
		return err
	}
	_, s.GitHub, err = github.TargetOf(config.Get, h.env.Getenv)
	s.Issues = n
	return err
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
