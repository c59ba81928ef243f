package runcmd

import (
	"context"
	"slices"
	"strings"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/land"
	"git-ralph/internal/loop"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/team"
)

// splitArgs divides arguments into parts of a roster and items.
func splitArgs(args []string) (roster, items []string) {
	for _, arg := range args {
		if strings.Contains(arg, "=") || arg == team.AutoRoster || slices.Contains(team.Roles(), team.Role(arg)) {
			roster = append(roster, arg)
		} else {
			items = append(items, arg)
		}
	}
	return roster, items
}

// sizeBy lets a reader of boards say how many workers items call for.
func (o teamOptions) sizeBy(ctx context.Context, reader *team.BoardReader) error {
	if !o.auto {
		return nil
	}
	formula, err := planio.RosterFormula(ctx, reader.Store)
	if err != nil {
		return err
	}
	reader.Size = func(p *plan.Plan, claimed map[string]bool) (team.Roster, error) {
		ids, err := p.ResolveIDs(plan.KindItem, o.items)
		if err != nil {
			return nil, err
		}
		r, err := pipeline.RosterOf(p, ids, claimed, formula)
		return team.Roster{team.Analyst: r.Analyst, team.Builder: r.Builder, team.Validator: r.Validator, team.Integrator: r.Integrator}, err
	}
	return nil
}

// planItems adds the tasks that the named items still need.
func (o teamOptions) planItems(p *plan.Plan, claimed map[string]bool) (plan.Change, error) {
	ids, err := p.ResolveIDs(plan.KindItem, o.items)
	if err != nil {
		return plan.Change{}, err
	}
	return pipeline.Extend(p, ids, claimed)
}

// planAhead lets a reader of boards read the plan as it will be once the named items have their tasks, and notes what is added.
func (o teamOptions) planAhead(reader *team.BoardReader, added *[]plan.Event) {
	if len(o.items) > 0 {
		reader.Ahead = func(p *plan.Plan, claimed map[string]bool) error {
			change, err := o.planItems(p, claimed)
			*added = change.Events
			return err
		}
	}
}

// addItems adds what the named items need in the target. While it does, the journal has a note of that: what a SIGKILL leaves of git's, such as
// its locks, is removed by the next command.
func (o teamOptions) addItems(ctx context.Context, c *runner, reader *team.BoardReader) (added []plan.Event, err error) {
	held, err := c.journal.Hold(o.commandName())
	if err != nil {
		return nil, err
	}
	defer held.Release() //nolint:errcheck // the run takes it again
	defer c.journal.CommandBegan(journal.Process{})()
	options := land.Options{Into: o.into}
	if err := options.Configure(ctx, reader.Store); err != nil {
		return nil, err
	}
	err = land.ChangePlan(ctx, reader.Store, reader.Claims, options, &land.PlanChange{Do: func(p *plan.Plan, in land.PlanInputs) (plan.Change, error) {
		change, err := o.planItems(p, in.Claimed)
		added = change.Events
		return change, err
	}})
	return added, err
}

// begin makes sure that agents may be started, and adds what the named items need in the target. The error says where nothing is left to do.
func (o teamOptions) begin(ctx context.Context, env *term.Env, c *runner, reader *team.BoardReader) (added []plan.Event, err error) {
	if len(o.items) > 0 {
		if err := c.trust(ctx, env); err != nil {
			return nil, err
		}
		if added, err = o.addItems(ctx, c, reader); err != nil {
			return nil, err
		}
	}
	board, err := reader.Read(ctx)
	switch {
	case err != nil:
		return nil, err
	case board.Complete():
		return nil, nothingToRun(loop.Nothing, loop.CompleteText, nil)
	case len(o.items) > 0:
		return added, nil
	}
	return nil, c.trust(ctx, env)
}

// eventIDs returns the ids of what events are about.
func eventIDs(events []plan.Event) []string {
	ids := []string{}
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}
