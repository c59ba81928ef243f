package pipeline

import (
	"fmt"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Finishing says how tasks are finished.
type Finishing struct {
	plan.DoneOptions
	Result
	Claimed map[string]bool // tasks that somebody works on
	Gate    bool            // a person approves plans

	OnTarget    bool // the plan is that of the target: what is finished in it has landed
	Integration Integration
}

// Following returns how the plan of a target follows what is finished in it.
func (f Finishing) Following(head string, stamp plan.Stamp) Following {
	return Following{head, stamp, f.Claimed, f.Integration}
}

// Finish marks pending tasks done, and lets the state of their items follow. Those that are not of the pipeline are just done. A review
// is finished by its verdict, and so is the plan that it is about.
func Finish(p *plan.Plan, ids []string, f Finishing, stamp plan.Stamp) (plan.Change, error) {
	f.Result = f.Result.clean()
	return p.Together(func() (plan.Change, error) {
		b := newBuilder(p, f.Claimed)
		if err := b.catchUp(); err != nil {
			return plan.Change{}, err
		}
		work := finisher{b, f, stamp}
		var others, reviews []string
		for _, id := range ids {
			if err := work.checkArtifact(id); err != nil {
				return plan.Change{}, err
			}
			if t := b.task(id); t != nil && t.Step == StepReview && t.Pending() {
				reviews = append(reviews, id)
			} else {
				others = append(others, id)
			}
		}
		if err := work.done(others); err != nil {
			return plan.Change{}, err
		}
		for _, id := range reviews {
			if err := work.review(id); err != nil {
				return plan.Change{}, err
			}
		}
		if f.OnTarget {
			err := b.followLanding(f.Following(f.Head, stamp))
			return b.change, err
		}
		return b.change, nil
	})
}

// A finisher finishes tasks of one plan.
type finisher struct {
	*builder
	Finishing
	stamp plan.Stamp
}

// task returns a task of the pipeline, nil where there is none of that id.
func (b *builder) task(id string) *Task {
	i := slices.IndexFunc(b.tasks, func(t Task) bool { return t.ID() == id })
	if i < 0 {
		return nil
	}
	return &b.tasks[i]
}

// done marks tasks done that are no reviews.
func (f finisher) done(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	for _, id := range ids {
		if err := f.keepItems(f.task(id)); err != nil {
			return err
		}
		if err := f.checkResult(f.task(id)); err != nil {
			return err
		}
	}
	opts := f.DoneOptions
	opts.MetaOf = f.meta
	if err := f.did(f.plan.Done(ids, opts, f.stamp)); err != nil {
		return err
	}
	for _, id := range ids {
		if t := f.task(id); t != nil {
			if err := f.follow(t); err != nil {
				return err
			}
		}
	}
	return f.cancelFinal()
}

// checkResult refuses a result that tasks of a step do not have, and the lack of one that they need. The task may be nil: it is none of
// the pipeline, and any result is kept.
func (f finisher) checkResult(t *Task) error {
	switch {
	case t == nil:
		return nil
	case t.Step == StepTriage:
		return f.checkTriage(t)
	case f.Verdict != "":
		return &ResultError{t.ID(), "verdict", f.Verdict, "none: only reviews and triage have one"}
	case t.Step == StepSplit && !f.items.Epic(t.Item):
		return &NotSplitError{f.items.byID[t.Item].Ref()}
	}
	return nil
}

// A NotSplitError says that there is no sub-item of an item that was to be split.
type NotSplitError struct{ Item Ref }

func (e *NotSplitError) Error() string { return e.Item.String() + " is not split: it has no sub-items" }

// Hint says how sub-items are added.
func (e *NotSplitError) Hint() string {
	return fmt.Sprintf("`git ralph item add NAME --parent %s` adds one", e.Item.ID)
}

// checkTriage checks the verdict of triage: what becomes of an item, unless that is decided already.
func (f finisher) checkTriage(t *Task) error {
	it := f.items.byID[t.Item]
	if f.Verdict == "" && !slices.Contains(StepTriage.begins(), it.State) {
		return nil
	}
	if want := StepTriage.completes(); !slices.Contains(want, f.Verdict) {
		return &ResultError{t.ID(), "verdict", f.Verdict, OneOf(want)}
	}
	return nil
}

// meta returns what a finished task says about its result.
func (f finisher) meta(task plan.Record) []jsonl.Member {
	var meta []jsonl.Member
	if t := f.task(task.ID()); t != nil && f.items.byID[t.Item].Round > t.Round {
		meta = append(meta, number(metaRound, f.items.byID[t.Item].Round))
	}
	if f.Verdict != "" {
		meta = append(meta, jsonl.TextMember(metaVerdict, f.Verdict), jsonl.Member{Name: metaReason}) // that of an earlier verdict
	}
	if f.Reason != "" {
		meta = append(meta, jsonl.TextMember(metaReason, f.Reason))
	}
	if f.Artifact == "" {
		return meta
	}
	known, _ := task.Meta().Get(metaArtifacts)
	paths, _ := known.Strings()
	return append(meta, jsonl.ListMember(metaArtifacts, including(paths, f.Artifact)))
}

// follow lets the items of a finished task follow it, and adds the tasks that are known only now.
func (f finisher) follow(t *Task) error {
	step, members := t.Step, t.Items()
	if err := f.keepResult(step, members); err != nil {
		return err
	}
	to := step.ends()
	if step == StepTriage {
		to = f.Verdict
	}
	if err := f.move(members, step, to, "", false); err != nil {
		return err
	}
	switch step {
	case StepTriage, StepSplit:
		if err := f.dropResearch(f.items.byID[t.Item]); err != nil {
			return err
		}
		if err := f.extend(f.open(f.whole(t))); err != nil {
			return err
		}
		return f.settle()
	case StepResearch:
		return f.settle()
	}
	return nil
}

// dropResearch cancels the pending research of an item that went back, and was then found to need none, or was split.
func (f finisher) dropResearch(it *Item) error {
	research := f.own(it, StepResearch)
	isNext := f.items.firstStep(it) == StepResearch && !f.items.Epic(it.ID)
	if research == nil || !research.Pending() || isNext || f.claimed[research.ID()] {
		return nil
	}
	return f.did(f.plan.Cancel([]string{research.ID()}, plan.CancelDetach))
}

// whole returns the ids of the items that are planned together with those of a task: what its group said when it was added, and the
// members of the chains that are there for any of them now.
func (f finisher) whole(t *Task) []string {
	ids := slices.Clone(t.Members)
	for _, c := range f.chains() {
		if slices.ContainsFunc(f.open(t.Members), func(it *Item) bool { return slices.Contains(c.members, it) }) {
			for _, it := range c.members {
				ids = append(ids, it.ID)
			}
		}
	}
	return ids
}

// keepResult stores the files that were written, or found, in the items.
func (f finisher) keepResult(step Step, members []string) error {
	items, err := f.items.find(members)
	if err != nil {
		return err
	}
	return f.each(items, func(it *Item) (plan.Change, error) {
		var changes []jsonl.Member
		if item, _ := f.plan.Item(it.ID); f.Artifact != "" {
			known, _ := item.Get("artifacts")
			artifacts := with(known.Object(), jsonl.TextMember(string(step), f.Artifact))
			changes = append(changes, jsonl.Member{Name: "artifacts", Value: jsonl.Value(artifacts.Text())})
		}
		if step == StepResearch && len(f.Files) > 0 {
			changes = append(changes, jsonl.ListMember("files", f.Files))
		}
		return f.plan.EditItem(it.ID, changes, nil)
	})
}

// with returns an object with a member set.
func with(o jsonl.Object, m jsonl.Member) jsonl.Object {
	members := slices.DeleteFunc(o.Members(), func(own jsonl.Member) bool { return own.Name == m.Name })
	return jsonl.Build(append(members, m))
}

// move moves those items of a task to a state that are where its step begins. What a person has moved elsewhere meanwhile, or is
// needed for, stays there. A new round begins where again is true.
func (f finisher) move(members []string, step Step, to, reason string, again bool) error {
	err := f.each(f.open(members), func(it *Item) (plan.Change, error) {
		if to == "" || !slices.Contains(step.begins(), it.State) {
			return plan.Change{}, nil
		}
		var meta []jsonl.Member
		if again {
			meta = append(meta, number(metaRound, it.Round+1))
		}
		return f.plan.MoveItem(it.ID, to, reason, f.stamp.Now, meta...)
	})
	if step != StepSplit || err != nil {
		return err
	}
	return f.returnEpic(members[0], to)
}

// returnEpic moves an item that was split to the backlog: its sub-items are worked on from there.
func (f finisher) returnEpic(id, to string) error {
	it := f.items.byID[id]
	if it.State == to || !slices.Contains(StepSplit.begins(), it.State) {
		return nil
	}
	return f.did(f.plan.MoveItem(id, to, "", f.stamp.Now))
}

// cancelFinal cancels the pending tasks of items that are done or canceled, but for work on a done one that was rejected after that.
func (b *builder) cancelFinal() error {
	var ids []string
	for _, t := range b.tasks {
		isLeft := func(id string) bool {
			state := b.items.State(id)
			return !Final(state) || state == Done && t.Step == StepImplement && t.Text("reject") != ""
		}
		if t.Pending() && !slices.ContainsFunc(t.Items(), isLeft) {
			ids = append(ids, t.ID())
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return b.did(b.plan.Cancel(ids, plan.CancelDetach))
}
