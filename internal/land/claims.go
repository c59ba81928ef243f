package land

import (
	"context"
	"errors"
	"slices"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// checkClaims decides whether a branch may land with the tasks that it ends, and takes it out where not. A task that came with
// the branch is nobody else's.
func (l *lander) checkClaims(p *part) {
	b := p.branch
	if !l.arePending(b) || l.o.Review && l.isOvertaken(b) {
		return
	}
	for _, id := range union(b.Tasks, b.landing) { // one that the branch does not end, it sets aside: its claim is over too
		if _, shown := l.seen.target[id]; !shown {
			continue
		}
		s := l.seenClaim(id)
		switch why := l.claimOf(p, s); why {
		case "":
		case claim.OtherRound:
			b.refuse(NotPending, id+" was rejected or changed since it was claimed")
			return
		default:
			b.refuse(Claimed, id+" is claimed by "+holderOf(s.Held))
			return
		}
	}
}

// arePending reports whether the target shows the tasks of a branch as pending; where not, it takes the branch out.
func (l *lander) arePending(b *branch) bool {
	for _, id := range b.Tasks {
		if task, shown := l.seen.target[id]; shown && !task.Pending || !shown && b.knew[id] {
			b.refuse(NotPending, id+" is not pending in the target")
			b.other = l.areWanted(b.landing)
			return false
		}
	}
	return true
}

// areWanted reports whether the target shows tasks that are claimed as pending: a branch that ends others besides is to be made again, and not
// without end.
func (l *lander) areWanted(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return l.claims.Protocol().Over(l.seenClaim(id)) })
}

// isAnswered reports whether the target has another verdict of a plan by now than a branch knew that has one, and takes the branch out then. A
// review that sends a plan back, or that awaits approval, ends no task: merged, it would undo what a person decided.
func (l *lander) isAnswered(s *stack, b *branch) bool {
	if len(b.verdicts) == 0 {
		return false
	}
	target, _ := plan.DecodeBytes(s.plan)
	for id, had := range b.verdicts {
		if task, found := target.Task(id); !found || !task.Pending() || pipeline.VerdictOf(task) != had {
			b.refuse(NotPending, "the target has an answer of "+id+" already")
			return true
		}
	}
	return false
}

// isOvertaken reports whether the target does not show a task as done any more that a review judges: another review landed first.
// Merged, the task would be accepted twice.
func (l *lander) isOvertaken(b *branch) bool {
	for _, id := range b.judges {
		if task, shown := l.seen.target[id]; !shown || task.Pending {
			b.refuse(Overtaken, id+" is not done in the target any more")
			return true
		}
	}
	return false
}

// claimOf decides for one task, and notes what is to be done for it.
func (l *lander) claimOf(p *part, s claim.Seen) claim.Refusal {
	h, b := s.Held, p.branch
	work := b.work()
	free := !h.Exists() || l.claims.Protocol().Over(s) || l.claims.Protocol().Stale(s) != claim.Fresh
	switch {
	case l.isElsewhere(h):
		return claim.HeldBy
	case !h.Exists() && l.claims.Remote() == "":
		p.tasks, p.verify = append(p.tasks, s), append(p.verify, h.ID)
		return ""
	case free:
		l.todo.take = append(l.todo.take, claimant{b, h.ID})
		return ""
	case h.Bad == "" && h.Claim.State == claim.Working && l.o.Owns != nil && l.o.Owns(h):
		l.todo.finish = append(l.todo.finish, claimant{b, h.ID})
		return ""
	}
	if why := l.claims.Protocol().Check(claim.Merge{Work: work, Tasks: []claim.Seen{s}})[h.ID]; why != "" {
		return why
	}
	p.tasks = append(p.tasks, s)
	return ""
}

// isOver reports whether nothing but claims which are over says that a branch is to land.
func (l *lander) isOver(b *branch) bool {
	if len(b.landing) == 0 || slices.Contains(l.o.Branches, b.Name) {
		return false
	}
	return !slices.ContainsFunc(b.landing, func(id string) bool { return !l.claims.Protocol().Over(l.seenClaim(id)) })
}

// isElsewhere reports whether a claim is for another target than ours.
func (l *lander) isElsewhere(h claim.Held) bool {
	return h.Exists() && h.Bad == "" && h.Claim.Into != "" && h.Claim.Into != l.o.Into
}

// seenClaim returns what was read of a task's claim.
func (l *lander) seenClaim(id string) claim.Seen {
	if s, known := l.seen.claims[id]; known {
		return s
	}
	return claim.Seen{Held: claim.Held{ID: id}, Target: l.seen.target}
}

func holderOf(h claim.Held) string {
	if h.Bad != "" {
		return "somebody: " + h.Bad
	}
	return h.Claim.Holder()
}

// claimant is a task whose claim is to be taken, or finished, for a branch.
type claimant struct {
	branch *branch
	id     string
}

// todo is what is to be done with claims before a stack can land.
type todo struct{ take, finish []claimant }

func (t todo) empty() bool { return len(t.take)+len(t.finish) == 0 }

// acquire takes the claims that branches need, and sets them to landing. Who loses one is found out when claims are read again.
func (l *lander) acquire(ctx context.Context) error {
	byID := map[string]claimant{}
	var ids []string
	for _, c := range l.todo.take {
		byID[c.id] = c
		ids = append(ids, c.id)
	}
	finish, took := map[string]string{}, authority.Own{}
	for _, c := range l.todo.finish {
		byID[c.id], finish[c.id] = c, l.seenClaim(c.id).Held.Claim.Token
	}
	if len(ids) > 0 {
		got, err := l.claims.Take(ctx, l.target(), l.o.Holder, authority.TakeOptions{Progress: isWork}, ids...)
		if err != nil {
			return err
		}
		for _, t := range got {
			if t.Refusal == "" {
				finish[t.ID], took[t.ID] = t.Held.Claim.Token, t.Held.Claim.Token
			}
		}
	}
	for id, token := range finish {
		held, err := l.claims.Finish(ctx, id, token, byID[id].branch.work())
		if err != nil { // what was taken for this landing would keep the next one from it
			_, left := l.claims.Release(context.WithoutCancel(ctx), took)
			return errors.Join(err, left)
		}
		delete(took, id)
		l.seen.claims[id] = claim.Seen{Held: held, Target: l.seen.target}
		byID[id].branch.landing = append(byID[id].branch.landing, held.ID)
	}
	return nil
}

// isWork is the progress of a holder whose task is done on a branch that lands.
func isWork(claim.Claim) bool { return true }

// work is what claims in landing say of a branch.
func (b *branch) work() claim.Work {
	return claim.Work{Base: b.base, Branch: b.ref, Commit: b.Commit}
}
