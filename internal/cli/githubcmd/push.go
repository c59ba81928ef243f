package githubcmd

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/github/api"
	"git-ralph/internal/github/mirror"
	"git-ralph/internal/github/remote"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// push sends the issues what the plan says, and makes those that items lack.
func (s *session) push(ctx context.Context) error {
	sender, err := s.sender(ctx)
	if err != nil {
		return err
	}
	if err := s.heal(ctx); err != nil {
		return err
	}
	p, err := s.store.ValidPlan(ctx)
	if err != nil {
		return err
	}
	items, err := s.pending(p, sender)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		s.forgetSending()
		return s.closeTwins(ctx)
	}
	if err := s.refresh(ctx, items); err != nil {
		return err
	}
	if p, err = s.store.ValidPlan(ctx); err != nil { // with what was merged
		return err
	}
	x := &pushing{session: s, sender: sender, plan: p, done: map[string]done{}, issues: map[string]mirror.Issue{}, made: map[string]mirror.Issue{}}
	err = x.all(ctx, items)
	x.forgetUnchecked()
	if notRecorded := x.record(ctx); notRecorded != nil {
		return errors.Join(err, notRecorded)
	}
	if !s.failed && err == nil {
		s.forgetSending()
	}
	if err != nil {
		return err
	}
	return s.closeTwins(ctx)
}

// pending returns the items that have something to be sent.
func (s *session) pending(p *plan.Plan, sender mirror.Sender) (items []plan.Record, err error) {
	wanted := map[string]bool{}
	for _, name := range s.options.Items {
		id, err := p.ResolveID(plan.KindItem, name)
		if err != nil {
			return nil, err
		}
		wanted[id] = true
	}
	for _, item := range p.Of(plan.KindItem) {
		if (len(wanted) == 0 || wanted[item.ID()]) && sender.Pending(item) {
			items = append(items, item)
		}
	}
	return items, nil
}

// refresh merges the issues of items as they are now, and looks for issues that were made for items without the plan knowing.
func (s *session) refresh(ctx context.Context, items []plan.Record) error {
	var numbers []int
	var lacking []plan.Record
	for _, item := range items {
		if n := item.Number(); n > 0 {
			numbers = append(numbers, n)
		} else {
			lacking = append(lacking, item)
		}
	}
	issues, missing, err := s.remote.Numbers(ctx, numbers)
	if err != nil {
		return err
	}
	s.warnAbout(missing)
	if len(lacking) > 0 {
		recent, err := s.remote.Issues(ctx, nil, oldest(lacking))
		if err != nil {
			return err
		}
		issues = append(issues, mirror.MadeFor(recent, lacking)...)
	}
	return s.mergeIssues(ctx, reading{issues: issues})
}

// A pushing sends items.
type pushing struct {
	*session
	sender mirror.Sender
	plan   *plan.Plan
	issues map[string]mirror.Issue // that were read or made, by item
	done   map[string]done
	made   map[string]mirror.Issue // that nobody has looked for twins of yet
}

// A done is what was sent of an item.
type done struct {
	mirror.Sending
	number  int
	updated string
}

// all sends items. What one of them is refused does not keep the others from being sent.
func (x *pushing) all(ctx context.Context, items []plan.Record) error {
	for _, it := range items {
		item, _ := x.plan.Item(it.ID())
		if item.Number() > 0 {
			if i, ok := x.remote.Known(item.Number()); ok {
				x.issues[item.ID()] = i
			}
			continue
		}
		if pipeline.Final(item.Text("state")) {
			continue
		}
		if err := x.stop(ctx, item.ItemLabel(), x.create(ctx, item)); err != nil {
			return err
		}
	}
	if err := x.findTwins(ctx); err != nil {
		return err
	}
	if err := x.keepSending(items); err != nil {
		return err
	}
	for _, it := range items {
		item, _ := x.plan.Item(it.ID())
		i, found := x.issues[item.ID()]
		if !found || mirror.IsOld(item, i) {
			continue
		}
		if d, made := x.done[item.ID()]; made {
			item = x.sender.Sent(item, d.Sending, d.number, d.updated, x.isLinked)
		}
		s := x.sender.Send(item, i)
		if s.Empty() {
			continue
		}
		x.report(item.ItemLabel(), s)
		if x.options.DryRun {
			continue
		}
		err := x.remote.Send(ctx, s, x.numberOf)
		if err == nil {
			x.done[item.ID()] = done{s, i.Number, i.Updated}
		}
		if err := x.stop(ctx, item.ItemLabel(), err); err != nil {
			return err
		}
	}
	return nil
}

// create makes the issue of an item.
func (x *pushing) create(ctx context.Context, item plan.Record) error {
	s := x.sender.Create(item)
	x.report(item.ItemLabel(), s)
	if x.options.DryRun {
		return nil
	}
	i, err := x.remote.Create(ctx, s)
	if err != nil {
		return err
	}
	x.issues[item.ID()], x.made[item.ID()], s.Issue = i, i, i
	x.done[item.ID()] = done{s, i.Number, i.Updated}
	return nil
}

// stop returns an error after which nothing more can be sent. One that is about a single item or issue is a warning.
func (s *session) stop(ctx context.Context, label string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	refused, isRefused := errors.AsType[*api.StatusError](err)
	_, uncertain := errors.AsType[*api.UncertainError](err)
	_, invalid := errors.AsType[*api.QueryError](err)
	if uncertain || invalid || errors.Is(err, remote.ErrChanged) || isRefused && refused.Status != 401 {
		s.failed = true
		s.warn(label + ": " + err.Error())
		return nil
	}
	return err
}

// numberOf returns the number of an item's issue, 0 where it has none.
func (x *pushing) numberOf(id string) int {
	if i, found := x.issues[id]; found {
		return i.Number
	}
	item, _ := x.plan.Item(id)
	if id == "" {
		return 0
	}
	return item.Number()
}

func (x *pushing) isLinked(id string) bool { return x.numberOf(id) > 0 }

func (x *pushing) report(label string, s mirror.Sending) {
	var what []string
	add := func(ok bool, text string) {
		if ok {
			what = append(what, text)
		}
	}
	if s.Create {
		what = []string{"issue"}
	} else {
		for _, name := range []string{"title", "body", "state"} {
			_, ok := s.Fields[name]
			add(ok, name)
		}
		add(len(s.AddLabels)+len(s.RemoveLabels) > 0, "labels")
		add(len(s.Assign) > 0, "assignee")
		add(len(s.Project) > 0, "project")
		add(s.Parent != "", "parent")
		add(len(s.BlockedBy) > 0, "dependencies")
		for _, p := range s.Posts {
			what = append(what, "comment: "+p.Key)
		}
	}
	x.sent = append(x.sent, sent{label, what})
}

// record writes into the plan what both sides agree on now, in one transaction.
func (x *pushing) record(ctx context.Context) error {
	if len(x.done) == 0 {
		return nil
	}
	x.confirm(ctx)
	ctx = context.WithoutCancel(ctx) // what was sent was sent
	ids := slices.Sorted(maps.Keys(x.done))
	return x.change(ctx, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var items []plan.Record
		numbers := mirror.Numbers(p.Of(plan.KindItem))
		for _, id := range ids {
			if item, found := p.Item(id); found {
				d := x.done[id]
				if other, taken := numbers[d.number]; taken && other != id {
					continue
				}
				items = append(items, x.sender.Sent(item, d.Sending, d.number, d.updated, x.isLinked))
			}
		}
		return p.PutItems(items)
	}, func() {
		var items []plan.Record
		for _, id := range ids {
			items = append(items, x.done[id].Item)
		}
		x.keepTexts(items)
	})
}

// confirm reads when the issues were changed last. Without that, an older reply could be taken for a newer one.
func (x *pushing) confirm(ctx context.Context) {
	var numbers []int
	for _, d := range x.done {
		numbers = append(numbers, d.number)
	}
	slices.Sort(numbers)
	now, _, err := x.remote.Numbers(ctx, numbers)
	if err != nil {
		return
	}
	for _, i := range now {
		for id, d := range x.done {
			if d.number == i.Number {
				d.updated = i.Updated
				x.done[id] = d
			}
		}
	}
}

// sender returns what decides what is to be sent.
func (s *session) sender(ctx context.Context) (mirror.Sender, error) {
	config, err := s.store.Repo().Config(ctx)
	if err != nil {
		return mirror.Sender{}, err
	}
	branch, _ := config.Get("ralph.target")
	if branch == "" {
		if branch, err = s.store.Repo().Branch(ctx); err != nil || branch == "" {
			branch = "HEAD"
		}
	}
	excerpt := func(name string) []string { return s.excerptOf(ctx, name) }
	return mirror.Sender{Repository: s.repo, Branch: strings.TrimPrefix(branch, "refs/heads/"), Excerpt: excerpt}, nil
}
