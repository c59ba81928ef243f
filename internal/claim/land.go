package claim

// Work is a finished branch.
type Work struct {
	Base   string // commit that the work began at
	Branch string // full name
	Commit string // its tip
}

// Finish returns the batch that sets a claim of ours to landing. Over a remote it carries the branch, so that whoever sees the
// claim can land it although we are gone. The target itself is no such branch: the push would move it to what no landing has checked.
func (p Protocol) Finish(h Held, token string, w Work) (Batch, Refusal) {
	switch {
	case !h.Is(token):
		return Batch{}, NotOwn
	case w.Branch == h.Claim.Into && w.Branch != "":
		return Batch{}, OnTarget
	}
	next, move := h.Claim, Move{Ref: w.Branch, New: w.Commit, Work: true}
	if next.Branch == w.Branch {
		move.Old = next.Commit
	}
	next.State, next.Base, next.Branch, next.Commit = Landing, w.Base, w.Branch, w.Commit
	if next == h.Claim {
		next.Renewals++
	}
	b := Batch{Changes: []Change{{ID: h.ID, Old: h.Object, Do: Put, New: next}}, Atomic: true}
	if p.keeps(ruleCarry) {
		b.Moves = []Move{move}
	}
	return b, ""
}

// Merge is what a landing wants to make part of the target.
type Merge struct {
	Work  Work
	Tasks []Seen // each task that the new tip makes done and the target, at the commit that it is merged onto, does not
}

// Check says which tasks keep a branch from landing, and why. Their claims must be in landing, and name this branch and commit;
// and the target must show them pending in the round of the claim. A task without a claim is to be claimed first.
func (p Protocol) Check(m Merge) map[string]Refusal {
	refused := map[string]Refusal{}
	for i, s := range m.Tasks {
		if why := p.checkTask(m.Work, s, i > 0); why != "" {
			refused[s.Held.ID] = why
		}
	}
	return refused
}

// checkTask is Check for one task; other says that it is not the one that the branch was made for.
func (p Protocol) checkTask(w Work, s Seen, other bool) Refusal {
	c := s.Held.Claim
	if p.keeps(rulePending) && !s.Target[s.Held.ID].Pending {
		return NotPending
	}
	if other && !p.keeps(ruleEvery) {
		return ""
	}
	switch {
	case !s.Held.Exists():
		return NotOwn
	case s.Held.Bad != "" || c.State != Landing:
		return HeldBy
	case c.Branch != w.Branch || c.Commit != w.Commit:
		return NoBranch
	case p.keeps(rulePending) && !s.Target.Round(c):
		return OtherRound
	}
	return ""
}

// TakeFor returns the change that claims a task for a branch which makes it done although nobody has claimed it. It is in
// landing at once, so that whoever lands the branch finds it claimed.
func (p Protocol) TakeFor(s Seen, mine Claim, w Work) (Change, Refusal) {
	change, refusal := p.Take(s, mine)
	if refusal == "" {
		change.New.State, change.New.Base, change.New.Branch, change.New.Commit = Landing, w.Base, w.Branch, w.Commit
	}
	return change, refusal
}

// Land returns the transaction that makes merges part of the target, whose tip was into.Old: it moves the target and deletes
// the claims. Each merge must have passed Check at that tip.
func (p Protocol) Land(into Move, merges []Merge) Batch {
	b := Batch{Moves: []Move{into}, Atomic: true}
	if !p.keeps(ruleFence) {
		return b
	}
	for _, m := range merges {
		for i, s := range m.Tasks {
			if i == 0 || p.keeps(ruleEvery) {
				b.Changes = append(b.Changes, Change{ID: s.Held.ID, Old: s.Held.Object, Do: Delete})
			}
		}
	}
	return b
}

// Return returns the change that gives a claim in landing back to its holder, with the reason.
func (p Protocol) Return(h Held, feedback string) (Change, Refusal) {
	if !h.Exists() || h.Bad != "" || h.Claim.State != Landing {
		return Change{}, HeldBy
	}
	next := h.Claim
	next.State, next.Feedback = Working, feedback
	next.Returns++
	if !p.keeps(ruleReturn) {
		next.Lease = 0
	}
	return Change{ID: h.ID, Old: h.Object, Do: Put, New: next}, ""
}

// ReturnAnew is Return for work that cannot land whatever is added to it, as where the target that it began at was rewritten: the
// claim names no branch any more, and the next attempt begins at the target.
func (p Protocol) ReturnAnew(h Held, feedback string) (Change, Refusal) {
	change, refusal := p.Return(h, feedback)
	change.New.Base, change.New.Branch, change.New.Commit = "", "", ""
	return change, refusal
}
