package githubcmd

import (
	"context"
	"fmt"
	"slices"
	"time"

	"git-ralph/internal/github/mirror"
)

// checkTwins returns the twins that are some, and keeps those that are to be closed. Of the others, a warning says that they stay out.
func (s *session) checkTwins(ctx context.Context, all []mirror.Twin) (twins []mirror.Twin, err error) {
	for _, t := range all {
		said := t.Has(t.Notice().Key)
		if t.Closed && (said || !t.NotPlanned) {
			continue
		}
		first, ok := s.remote.Known(t.First)
		if !ok && !said {
			if _, _, err := s.remote.Numbers(ctx, []int{t.First}); err != nil {
				return nil, err
			}
			first, ok = s.remote.Known(t.First)
		}
		if said || !ok || !t.IsOf(first) { // somebody opened it again, or copied it
			s.warnOnce(fmt.Sprintf("issue #%d was made for %s, which has another one: it stays out", t.Number, t.ItemID))
			continue
		}
		twins = append(twins, t)
	}
	for _, t := range twins {
		if !slices.ContainsFunc(s.twins, func(known mirror.Twin) bool { return known.Number == t.Number }) {
			s.twins = append(s.twins, t)
		}
	}
	return twins, nil
}

// findTwins looks, after issues were made, for those that another clone made for the same items meanwhile. The plan gets the lowest number; without
// this look it gets none, and the next push finds the issue.
func (x *pushing) findTwins(ctx context.Context) error {
	if len(x.made) == 0 {
		return nil
	}
	const lookBack = time.Hour // a wait for GitHub's limits may lie between the look before and the first issue that was made
	since := ""
	for _, i := range x.made {
		if at, err := time.Parse(time.RFC3339, i.Created); err == nil {
			if text := at.Add(-lookBack).UTC().Format(time.RFC3339); since == "" || text < since {
				since = text
			}
		}
	}
	recent, err := x.remote.Issues(ctx, nil, since)
	if err != nil {
		return err
	}
	lowest := map[string]mirror.Issue{}
	for _, i := range recent {
		id := i.MarkedFor()
		mine, ok := x.made[id]
		if first, found := lowest[id]; ok && i.Number < mine.Number && (!found || i.Number < first.Number) {
			lowest[id] = i
		}
	}
	var doubled []mirror.Issue
	for _, i := range recent {
		if first, ok := lowest[i.MarkedFor()]; ok && (i.Number == first.Number || i.Number == x.made[i.MarkedFor()].Number) {
			doubled = append(doubled, i)
		}
	}
	for id, i := range lowest {
		delete(x.done, id)
		x.issues[id] = i
	}
	clear(x.made)
	if len(doubled) == 0 {
		return nil
	}
	if err := x.mergeIssues(ctx, reading{issues: doubled}); err != nil {
		return err
	}
	x.plan, err = x.store.ValidPlan(ctx)
	return err
}

// forgetUnchecked leaves out of the plan the issues that may have twins.
func (x *pushing) forgetUnchecked() {
	for id := range x.made {
		delete(x.done, id)
	}
}

// closeTwins closes twins as duplicates, with a comment. Whatever ends it, the next run does the rest.
func (s *session) closeTwins(ctx context.Context) error {
	for _, t := range s.twins {
		label := fmt.Sprintf("#%d", t.Number)
		s.sent = append(s.sent, sent{label, []string{fmt.Sprintf("closed: duplicate of #%d", t.First)}})
		if s.options.DryRun {
			continue
		}
		if err := s.stop(ctx, label, s.remote.CloseTwin(ctx, t)); err != nil {
			return err
		}
	}
	s.twins = nil
	return nil
}
