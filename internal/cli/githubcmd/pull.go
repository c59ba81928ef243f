package githubcmd

import (
	"context"
	"slices"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/debugissue"
	"git-ralph/internal/github/mirror"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// pull merges what the issues say into the plan.
func (s *session) pull(ctx context.Context) error {
	p, err := s.store.ValidPlan(ctx)
	if err != nil {
		return err
	}
	if err := s.lookAtBase(ctx); err != nil {
		return err
	}
	r, err := s.read(ctx, p)
	if err != nil {
		return err
	}
	if err := s.mergeIssues(ctx, r); err != nil {
		return err
	}
	if len(s.twins) == 0 { // else the next run finds them again
		s.keepMark(ctx, r.mark)
	}
	return nil
}

// mergeIssues merges issues into the plan, in one transaction.
func (s *session) mergeIssues(ctx context.Context, r reading) error {
	merger := mirror.Merger{Repository: s.repo, Named: r.named, Add: r.add, Text: s.textNamed, Sending: s.lastSending()}
	if !slices.Contains(s.options.Labels, debugissue.Label) {
		merger.But = debugissue.Label
	}
	p, err := s.store.ValidPlan(ctx)
	if err != nil {
		return err
	}
	merged, err := merger.Merge(p, r.issues)
	if err != nil {
		return err
	}
	s.warnings = append(s.warnings, merged.Warnings...)
	twins, err := s.checkTwins(ctx, merged.Twins)
	if err != nil {
		return err
	}
	if len(merged.Items)+len(merged.Moves)+len(twins) == 0 {
		return nil
	}
	var claimed map[string]bool
	if len(merged.Moves) > 0 {
		claimed = planio.ClaimedTasks(ctx, s.env, s.store)
	}
	return s.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		if merged, err = merger.Merge(p, r.issues); err != nil {
			return plan.Change{}, err
		}
		return p.Together(func() (all plan.Change, err error) {
			if all, err = p.PutItems(merged.Items); err != nil {
				return all, err
			}
			for _, m := range merged.Moves {
				moved, err := moveItem(p, m, in, claimed)
				if err != nil {
					return all, err
				}
				all.Join(moved)
			}
			fromTwins, err := merger.MergeTwins(p, twins)
			if err != nil {
				return all, err
			}
			merged.Conflicts = append(merged.Conflicts, fromTwins.Conflicts...)
			more, err := p.PutItems(fromTwins.Items)
			all.Join(more)
			return all, err
		})
	}, func() {
		for _, c := range merged.Conflicts {
			s.warn(c.String())
		}
		s.keepTexts(merged.Items)
	})
}

// moveItem moves an item as the pipeline does. A person at GitHub may move it in a way that the pipeline has not; what is done then has no more tasks all the same.
func moveItem(p *plan.Plan, m mirror.Move, in store.Inputs, claimed map[string]bool) (plan.Change, error) {
	item, _ := p.Item(m.ID)
	const reason = "moved at GitHub"
	if pipeline.CheckMove(item.Text("state"), m.State) == nil {
		return pipeline.Move(p, m.ID, m.State, reason, in.Stamp.Now, claimed)
	}
	via := map[string]string{pipeline.Done: pipeline.InReview, pipeline.Canceled: pipeline.Backlog}[m.State]
	if via == "" || via == item.Text("state") || pipeline.Final(item.Text("state")) {
		return p.MoveItem(m.ID, m.State, reason, in.Stamp.Now)
	}
	all, err := p.MoveItem(m.ID, via, reason, in.Stamp.Now)
	if err != nil {
		return all, err
	}
	rest, err := pipeline.Move(p, m.ID, m.State, reason, in.Stamp.Now, claimed)
	all.Join(rest)
	return all, err
}

// change changes the plan in one transaction.
func (s *session) change(ctx context.Context, do planio.Change, after func()) error {
	result, err := planio.Transact(ctx, s.env, s.store, store.Request{Do: do, DryRun: s.options.DryRun})
	if err != nil {
		return err
	}
	if result.Merged != nil {
		for _, c := range result.Merged.Conflicts {
			s.warn(c.String())
		}
	}
	if !result.Change.Empty() {
		s.changes = append(s.changes, result.Change)
	}
	s.commits = append(s.commits, result)
	if !s.options.DryRun {
		after()
	}
	return nil
}
